import { filePaths } from '#protocol/file-paths.ts';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import type { ListView } from '#data/model/views.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { sizeOf } from '#base/file-size.ts';
import { FilesTable } from '../files-table.tsx';
import { useFetchFile } from '../../app/page/files/use-fetch-file.ts';

interface Props {
  readonly build: Of<'productBuild'>;
  readonly isPublished: boolean;
  /** Id of what says that files need a connection; undefined while there is one. */
  readonly needsConnection: string | undefined;
}

/** The texts where there are no files, unless there truly are none. */
const NOTHING: Readonly<Partial<Record<ListView<'productArtifact'>['state'], TextKey>>> = {
  loading: 'common.loading',
  'not-here': 'sync.notOnDevice',
};

/** Lists the files of a build. A row is downloaded by a click on it. */
export function BuildFiles({ build, isPublished, needsConnection }: Props) {
  const t = useText();
  const { state, rows } = useList(
    'productArtifact',
    { productBuild: build.id },
    { sort: 'artifactType', beyond: true },
  );
  return (
    <details className="files-box" open>
      <summary>
        <h2>
          {rows.length > 0
            ? t('files.count', { count: rows.length })
            : t(NOTHING[state] ?? 'products.noArtifacts')}
        </h2>
      </summary>
      {rows.length > 0 && (
        <FilesTable
          label={t('files.title')}
          columns={[
            'files.filename',
            'files.type',
            'files.size',
            'files.state',
            'files.updated',
            'files.download',
          ]}
        >
          {rows.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              isPublished={isPublished}
              needsConnection={needsConnection}
            />
          ))}
        </FilesTable>
      )}
    </details>
  );
}

interface RowProps extends Omit<Props, 'build'> {
  readonly file: Of<'productArtifact'>;
}

function FileRow({ file, isPublished, needsConnection }: RowProps) {
  const t = useText();
  const language = useLanguage();
  const download = useFetchFile('save');
  const name = file.filename ?? file.artifactType ?? '';
  const isOff = needsConnection !== undefined;
  return (
    <tr
      role="row"
      className={isOff ? '' : 'is-clickable'}
      onClick={() => {
        if (!isOff) void download(filePaths.artifactFile(file.id));
      }}
    >
      <Cell label={t('files.filename')}>
        <button
          type="button"
          className="link-button"
          disabled={isOff}
          aria-describedby={needsConnection}
          aria-label={t('files.downloadOf', { name })}
        >
          <bdi>{name}</bdi>
        </button>
      </Cell>
      <Cell label={t('files.type')}>{file.artifactType ?? '--'}</Cell>
      <Cell label={t('files.size')} className="figure">
        {sizeOf(file.fileSize, language)}
      </Cell>
      <Cell label={t('files.state')}>
        {t(isPublished ? 'files.state.published' : 'files.state.unpublished')}
      </Cell>
      <Cell label={t('files.updated')}>
        <RelativeTime at={file.updated} />
      </Cell>
      <td role="cell" className="end">
        <Icon name="arrowDown" />
      </td>
    </tr>
  );
}
