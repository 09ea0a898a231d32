import type { ReactNode } from 'react';
import { filePaths } from '#protocol/file-paths.ts';
import type { Of } from '#schema/index.ts';
import { useText } from '#ui/text/text.ts';
import { useFetchFile } from './use-fetch-file.ts';
import './file-row.css';

interface FileNameProps {
  readonly file: Of<'productArtifact'>;
  /** Id of what says that files need a connection; undefined while there is one. */
  readonly needsConnection: string | undefined;
}

interface FileRowProps extends FileNameProps {
  /** The cells; one of them has the `FileName`. */
  readonly children: ReactNode;
}

/** The row of a file that a build made: a click anywhere in it has the browser save the file. */
export function FileRow({ file, needsConnection, children }: FileRowProps) {
  const download = useFetchFile('save');
  const isOff = needsConnection !== undefined;
  return (
    <tr
      role="row"
      className={isOff ? 'file-row' : 'file-row is-clickable'}
      onClick={() => {
        if (!isOff) void download(filePaths.artifactFile(file.id));
      }}
    >
      {children}
    </tr>
  );
}

/** The name of the file, which keys and screen readers save it by: the row around it does so. */
export function FileName({ file, needsConnection }: FileNameProps) {
  const t = useText();
  const name = file.filename ?? file.artifactType ?? '';
  return (
    <button
      type="button"
      className="link-button"
      disabled={needsConnection !== undefined}
      aria-describedby={needsConnection}
      aria-label={t('files.downloadOf', { name })}
    >
      <bdi>{name}</bdi>
    </button>
  );
}
