import { useId } from 'react';
import { Link } from 'react-router-dom';
import { filePaths, PREVIEWS } from '#protocol/file-paths.ts';
import type { Uploaded } from '#protocol/file-paths.ts';
import type { TaskList } from '#protocol/task-forms.ts';
import { allowsUploadNext } from '#rules/task/task.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useList } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { ColumnTable } from '#ui/table/column-table.tsx';
import { Dot, LanguageName, RelativeTime } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { sizeOf } from '#base/file-size.ts';
import { FileName, FileRow } from '../../app/page/files/file-row.tsx';
import { useFetchFile } from '../../app/page/files/use-fetch-file.ts';
import { RepositoryContent } from '../../repository/repository-content.tsx';

interface Props {
  readonly list: TaskList;
  readonly project: Of<'project'>;
  /** The build whose files are listed; null: there is none. */
  readonly build: string | null;
  readonly task: Of<'userTask'> | null;
  /** Is called with what was uploaded, newest first, where the list is that of the repository. */
  readonly onUploads: (uploads: readonly Uploaded[] | null) => void;
}

/** A list of a step: what can be tried, who reviews, or what the project is built from. */
export function FormList({ list, build, ...rest }: Props) {
  switch (list.kind) {
    case 'artifacts':
      return <Files build={build} types={list.types} />;
    case 'reviewers':
      return <Reviewers project={rest.project} />;
    case 'repository':
      return <Repository {...rest} />;
  }
}

/** What the project is built from, where one is to bring new content or to fetch it. */
function Repository({ project, task, onUploads }: Omit<Props, 'list' | 'build'>) {
  const t = useText();
  const isNext = task !== null && allowsUploadNext(task);
  return (
    <section className="repository" aria-labelledby="task-repository">
      <h2 id="task-repository">{t('repository.title')}</h2>
      <div className="repository-inside">
        <RepositoryContent
          project={project}
          uploadNext={isNext ? <p className="caption">{t('flow.uploadNext')}</p> : null}
          onKnown={onUploads}
        />
      </div>
    </section>
  );
}

interface FilesProps {
  readonly build: string | null;
  readonly types: readonly string[] | null;
}

/** Lists what the build made, to be tried: each row saves its file. */
function Files({ build, types }: FilesProps) {
  const t = useText();
  const language = useLanguage();
  const offline = useId();
  const isOffline = useChanges().status === 'offline';
  const { rows } = useList(
    'productArtifact',
    { productBuild: build ?? '' },
    { sort: 'artifactType' },
  );
  const files = rows.filter(({ artifactType }) => types?.includes(artifactType ?? '') ?? true);
  const needsConnection = isOffline && rows.length > 0 ? offline : undefined;
  return (
    <section>
      <h2>{t('flow.files')}</h2>
      {needsConnection !== undefined && (
        <p>
          <NeedsConnection id={needsConnection} />
        </p>
      )}
      {files.length === 0 ? (
        <>
          <p className="soft">{t('flow.noFiles')}</p>
          <p className="caption">{t('flow.noFilesText')}</p>
        </>
      ) : (
        <ColumnTable
          className="flow-table"
          label={t('flow.files')}
          columns={[
            'flow.files.type',
            'flow.files.filename',
            'flow.files.size',
            'flow.files.updated',
          ]}
          figures={['flow.files.size']}
        >
          {files.map((file) => (
            <FileRow key={file.id} file={file} needsConnection={needsConnection}>
              <Cell label={t('flow.files.type')} className="file-type">
                {file.artifactType}
              </Cell>
              <Cell label={t('flow.files.filename')} className="file-name">
                <FileName file={file} needsConnection={needsConnection} />
              </Cell>
              <Cell label={t('flow.files.size')} className="figure">
                {sizeOf(file.fileSize, language)}
              </Cell>
              <Cell label={t('flow.files.updated')}>
                <RelativeTime at={file.updated} />
              </Cell>
            </FileRow>
          ))}
        </ColumnTable>
      )}
      <Previews files={rows} needsConnection={needsConnection} />
    </section>
  );
}

interface PreviewsProps {
  /** All files of the build: a form that lists some types has the preview of them all the same. */
  readonly files: readonly Of<'productArtifact'>[];
  readonly needsConnection: string | undefined;
}

/** Opens the pages on which one sees what was built without unpacking or installing it. */
function Previews({ files, needsConnection }: PreviewsProps) {
  const t = useText();
  const open = useFetchFile('show');
  const previews = PREVIEWS.flatMap((type) =>
    files.filter(({ artifactType }) => artifactType === type).map(({ id }) => ({ type, id })),
  );
  if (previews.length === 0) return null;
  return (
    <div className="button-row">
      {previews.map(({ type, id }) => (
        <Button
          key={id}
          disabled={needsConnection !== undefined}
          aria-describedby={needsConnection}
          onClick={() => void open(filePaths.artifactFile(id))}
        >
          {t(type === 'play-listing' ? 'flow.openListing' : 'flow.openPreview')}
        </Button>
      ))}
    </div>
  );
}

function Reviewers({ project }: Pick<Props, 'project'>) {
  const t = useText();
  const { rows } = useList('reviewer', { project: project.id }, { sort: 'name' });
  return (
    <section>
      <h2>{t('flow.reviewers')}</h2>
      {rows.length === 0 ? (
        <p className="soft">
          {t('flow.noReviewers')}
          <Dot />
          <Link to={`/projects/${project.id}`}>{t('flow.toProject')}</Link>
        </p>
      ) : (
        <ColumnTable
          className="flow-table"
          label={t('flow.reviewers')}
          columns={['flow.reviewers.name', 'flow.reviewers.email', 'flow.reviewers.language']}
        >
          {rows.map((reviewer) => (
            <tr role="row" key={reviewer.id}>
              <Cell label={t('flow.reviewers.name')}>
                <bdi>{reviewer.name}</bdi>
              </Cell>
              <Cell label={t('flow.reviewers.email')}>
                <bdi>{reviewer.email}</bdi>
              </Cell>
              <Cell label={t('flow.reviewers.language')}>
                <LanguageName tag={reviewer.locale} />
              </Cell>
            </tr>
          ))}
        </ColumnTable>
      )}
    </section>
  );
}
