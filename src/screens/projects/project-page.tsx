import { Link, useParams } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { useCallback, useEffect, useState } from 'react';
import { mayArchive, mayEditProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useRecord, useViewer, useChanges, useData } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Note, Skeleton } from '#ui/status/boxes.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { LanguageName } from '#ui/value/values.tsx';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import type { MenuEntry } from '#ui/overlay/menu-button.tsx';
import { useCopyAddress } from '#ui/overlay/use-copy-address.ts';
import { useText } from '#ui/text/text.ts';
import { LatePart, loadWithTexts } from '../app/page/late/late-part.tsx';
import { DetailPage } from '../app/page/detail-page.tsx';
import { useRemembersView } from '../app/page/device/recently-viewed.ts';
import { ProductsSection } from '../products/in-project/products-section.tsx';
import { RepositoryPanel } from './repository-panel.tsx';
import { FirstPublication } from '../products/in-project/first-publication.tsx';
import { Created } from './parts/created.tsx';
import { ProjectSettings } from './parts/project-settings.tsx';
import { ProjectSide } from './parts/project-side.tsx';
import { useArchiving, useProjectMenu } from './project-actions.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import type { Uploaded } from '#protocol/file-paths.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';

const loadActivity = loadWithTexts(
  async () => (await import('../activity/activity-box.tsx')).ActivityBox,
);

/** `/projects/{id}` */
export function ProjectPage() {
  const { projectId = null } = useParams();
  const { record, change } = useRecord('project', projectId);
  if (record === null) return <Skeleton rows={4} />;
  return <OneProject key={record.id} project={record} change={change} />;
}

interface ProjectPageProps {
  readonly project: Of<'project'>;
  readonly change: ChangeState | null;
}

function OneProject({ project, change }: ProjectPageProps) {
  const t = useText();
  const viewer = useViewer();
  const { record: type } = useRecord('applicationType', project.type);
  const run = useArchiving();
  const mayAnswer = mayArchive(viewer, project);
  useSetUp(project);
  useRemembersView('project', project.id);
  const [hasUploads, setHasUploads] = useState(false);
  const onKnown = useCallback((uploads: readonly Uploaded[] | null) => {
    setHasUploads((uploads ?? []).length > 0);
  }, []);

  return (
    <DetailPage
      record={{ type: 'project', id: project.id, change }}
      title={project.name}
      facts={
        <>
          <span className="fact">
            {project.isPublic ? t('project.public') : t('project.private')}
          </span>
          {project.dateArchived !== null && <span className="fact">{t('project.archived')}</span>}
          <Created at={project.dateCreated} />
        </>
      }
      showsReason
      actions={<Actions project={project} />}
    >
      {project.dateArchived !== null && (
        <Note tone="info">
          {t('project.archivedMeans')}
          {mayAnswer && (
            <div className="box-actions">
              <Button onClick={() => void run('reactivate', [project])}>
                {t('projects.bulk.reactivate')}
              </Button>
            </div>
          )}
        </Note>
      )}
      <div className="two-columns">
        <div className="stack">
          <FirstPublication project={project} hasUploads={hasUploads} />
          <Segment>
            <h2>{t('project.details')}</h2>
            <dl className="facts">
              <dt>{t('project.language')}</dt>
              <dd>
                <LanguageName tag={project.language} />
              </dd>
              <dt>{t('project.type')}</dt>
              <dd>{type?.description ?? type?.name ?? '--'}</dd>
              <dt>{t('project.description')}</dt>
              <dd dir="auto">{project.description ?? '--'}</dd>
            </dl>
          </Segment>
          <Segment>
            <ProductsSection project={project} />
          </Segment>
          <Segment>
            <h2>{t('project.settings')}</h2>
            <ProjectSettings project={project} />
          </Segment>
          <Segment>
            <LatePart load={loadActivity} props={{ project, product: null }} />
          </Segment>
        </div>
        <div className="stack">
          <RepositoryPanel project={project} onKnown={onKnown} />
          <ProjectSide project={project} />
        </div>
      </div>
    </DetailPage>
  );
}

/** The pencil, and what else may be done with the project. */
function Actions({ project }: { readonly project: Of<'project'> }) {
  const t = useText();
  const viewer = useViewer();
  const copy = useCopyAddress();
  const { entries, question } = useProjectMenu(project);
  const link: MenuEntry = {
    id: 'link',
    label: t('flow.copyLink'),
    icon: 'link',
    run: () => void copy(`/projects/${project.id}`),
  };
  return (
    <>
      {mayEditProject(viewer, project) && (
        <Link className="ui button" to={`/projects/${project.id}/edit`} data-shortcut="edit">
          <Icon name="edit" />
          {t('common.edit')}
        </Link>
      )}
      <MenuButton
        label={t('projectTable.menuOf', { name: project.name })}
        entries={[link, ...entries]}
      >
        <Icon name="more" />
      </MenuButton>
      {question}
    </>
  );
}

/**
 * Looks for the repository of a new project itself, while no server update comes that would bring
 * it.
 */
function useSetUp({ id, version, workflowProjectUrl }: Of<'project'>): void {
  const { online } = useData();
  const { later } = useUiEnvironment();
  const { status } = useChanges();
  const isAwaited = version > 0 && workflowProjectUrl === null && status === 'offline';
  useEffect(() => {
    if (!isAwaited) return undefined;
    let isOver = false;
    let callOff: () => void;
    const wait = () => {
      if (!isOver) callOff = later(() => void ask(), limits.setupPollEveryMs);
    };
    // A server that is slow to answer is not asked again meanwhile.
    const ask = async () => {
      if (document.visibilityState === 'visible') await online.query(paths.record('project', id));
      wait();
    };
    wait();
    return () => {
      isOver = true;
      callOff();
    };
  }, [isAwaited, id, online, later]);
}
