import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { sizeOf } from '#base/file-size.ts';
import { FilesTable } from '../files-table.tsx';
import { FileName, FileRow } from '../../app/page/files/file-row.tsx';
import { FilesBox } from './files-box.tsx';

interface Props {
  readonly build: Of<'productBuild'>;
  /** Id of the project, where builds are made. */
  readonly project: string;
  readonly isPublished: boolean;
  /** Id of what says that files need a connection; undefined while there is one. */
  readonly needsConnection: string | undefined;
}

/** Lists the files of a build. A row is downloaded by a click on it. */
export function BuildFiles({ build, project, isPublished, needsConnection }: Props) {
  const t = useText();
  const files = useList(
    'productArtifact',
    { productBuild: build.id },
    { sort: 'artifactType', beyond: true },
  );
  return (
    <FilesBox
      files={files}
      action={
        <Link className="ui button" to={`/projects/${project}`}>
          {t('flow.toProject')}
        </Link>
      }
    >
      <FilesTable
        label={t('files.title')}
        columns={[
          'files.filename',
          'files.type',
          'files.size',
          'files.status',
          'files.updated',
          'files.download',
        ]}
        figures={['files.size']}
      >
        {files.rows.map((file) => (
          <FileCells
            key={file.id}
            file={file}
            isPublished={isPublished}
            needsConnection={needsConnection}
          />
        ))}
      </FilesTable>
    </FilesBox>
  );
}

interface FileCellsProps extends Omit<Props, 'build' | 'project'> {
  readonly file: Of<'productArtifact'>;
}

function FileCells({ file, isPublished, needsConnection }: FileCellsProps) {
  const t = useText();
  const language = useLanguage();
  return (
    <FileRow file={file} needsConnection={needsConnection}>
      <Cell label={t('files.filename')}>
        <FileName file={file} needsConnection={needsConnection} />
      </Cell>
      <Cell label={t('files.type')} className="file-type">
        {file.artifactType ?? '--'}
      </Cell>
      <Cell label={t('files.size')} className="figure">
        {sizeOf(file.fileSize, language)}
      </Cell>
      <Cell label={t('files.status')}>
        {t(isPublished ? 'files.state.published' : 'files.state.unpublished')}
      </Cell>
      <Cell label={t('files.updated')}>
        <RelativeTime at={file.updated} />
      </Cell>
      <td role="cell" className="end">
        <Icon name="arrowDown" />
      </td>
    </FileRow>
  );
}
