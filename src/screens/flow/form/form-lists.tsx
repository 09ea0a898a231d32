import { Link } from 'react-router-dom';
import type { TaskList } from '#protocol/task-forms.ts';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { ColumnTable } from '#ui/table/column-table.tsx';
import { LanguageName, RelativeTime } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { sizeOf } from '#base/file-size.ts';

interface Props {
  readonly list: TaskList;
  readonly project: Of<'project'>;
  /** The build whose files are listed; null: there is none. */
  readonly build: string | null;
}

export function FormList({ list, project, build }: Props) {
  if (list.kind === 'reviewers') return <Reviewers project={project} />;
  return <Files build={build} types={list.types} />;
}

interface FilesProps {
  readonly build: string | null;
  readonly types: readonly string[] | null;
}

function Files({ build, types }: FilesProps) {
  const t = useText();
  const language = useLanguage();
  const { rows } = useList(
    'productArtifact',
    { productBuild: build ?? '' },
    { sort: 'artifactType' },
  );
  const files = rows.filter(({ artifactType }) => types?.includes(artifactType ?? '') ?? true);
  return (
    <section>
      <h2>{t('flow.files')}</h2>
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
        >
          {files.map((file) => (
            <tr role="row" key={file.id}>
              <Cell label={t('flow.files.type')}>{file.artifactType}</Cell>
              <Cell label={t('flow.files.filename')}>
                <bdi>{file.filename}</bdi>
              </Cell>
              <Cell label={t('flow.files.size')} className="figure">
                {sizeOf(file.fileSize, language)}
              </Cell>
              <Cell label={t('flow.files.updated')}>
                <RelativeTime at={file.updated} />
              </Cell>
            </tr>
          ))}
        </ColumnTable>
      )}
    </section>
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
          {t('flow.noReviewers')} ·{' '}
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
