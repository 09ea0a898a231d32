import { filePaths } from '#protocol/file-paths.ts';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/use-list.ts';
import { useViewer } from '#data/use-viewer.ts';
import { useFiles } from '#files/files.ts';
import { Icon } from '#ui/icon.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Cell } from '#ui/table.tsx';
import { useLanguage, useText } from '#ui/text.ts';
import { useToast } from '#ui/toasts.tsx';
import { sizeOf } from '../flow/size.ts';
import { useFileTrouble } from '../projects/repository/use-file-trouble.ts';
import { FilesTable } from './files-table.tsx';

interface Props {
  readonly build: Of<'productBuild'>;
  readonly isPublished: boolean;
  /** Id of what says that files need a connection; undefined while there is one. */
  readonly needsConnection: string | undefined;
}

/** What came of a build. A row is downloaded by a click on it. */
export function BuildFiles({ build, isPublished, needsConnection }: Props) {
  const t = useText();
  const { rows } = useList(
    'productArtifact',
    { productBuild: build.id },
    { sort: 'artifactType', beyond: true },
  );
  return (
    <details className="files-box" open>
      <summary>
        <h2>
          {rows.length === 0 ? t('products.noArtifacts') : t('files.count', { count: rows.length })}
        </h2>
      </summary>
      {rows.length > 0 && (
        <FilesTable
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
  const download = useDownload();
  const name = file.filename ?? file.artifactType ?? '';
  const isOff = needsConnection !== undefined;
  return (
    <tr
      role="row"
      className={isOff ? '' : 'is-clickable'}
      onClick={() => {
        if (!isOff) void download(file.id);
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

/** Fetches a file by its link, and says when it cannot be had. */
function useDownload(): (artifact: string) => Promise<void> {
  const t = useText();
  const { id: user } = useViewer();
  const files = useFiles(user);
  const show = useToast();
  const troubleOf = useFileTrouble();
  return async (artifact) => {
    const outcome = await files.fetchFile(filePaths.artifactFile(artifact), 'save');
    if (outcome.is === 'done') return;
    show({ tone: 'error', title: t('files.notDownloaded'), detail: troubleOf(outcome) });
  };
}
