import type { ReactNode } from 'react';
import type { ListView } from '#data/model/views.ts';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { ServerErrorLine } from '../../app/page/late/server-error.tsx';

interface FilesBoxProps {
  readonly files: ListView<'productArtifact'>;
  readonly level?: 'h2' | 'h3';
  /** Leads to where files are made, for who may. */
  readonly action?: ReactNode;
  /** What shows of the files, where there are some. */
  readonly children: ReactNode;
}

/** The texts where no file shows although there may be some. */
const NOT_KNOWN: Readonly<Partial<Record<ListView<'productArtifact'>['state'], TextKey>>> = {
  loading: 'common.loading',
  'not-here': 'sync.notOnDevice',
  error: 'errors.listTitle',
};

/** A box of the files of a build, headed by their number; or what would be in it. */
export function FilesBox({ files, level = 'h2', action, children }: FilesBoxProps) {
  const t = useText();
  const Title = level;
  const { state, rows, serverError } = files;
  const notKnown = NOT_KNOWN[state];
  if (rows.length === 0 && notKnown === undefined)
    return (
      <EmptyBox icon="archive" title={t('products.noArtifacts')} action={action} level={level}>
        {t('files.noneText')}
      </EmptyBox>
    );
  return (
    <details className="files-box" open>
      <summary>
        <Title>
          {rows.length === 0 && notKnown !== undefined
            ? t(notKnown)
            : t('files.count', { count: rows.length })}
        </Title>
      </summary>
      {rows.length > 0 && children}
      {state === 'not-here' && serverError !== undefined && (
        <ServerErrorLine serverError={serverError} />
      )}
    </details>
  );
}
