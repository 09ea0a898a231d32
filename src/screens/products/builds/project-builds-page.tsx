import { Link, useParams } from 'react-router-dom';
import { useRecord } from '#data/react/hooks.ts';
import { Trail } from '#ui/page/trail.tsx';
import { Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { DetailPage } from '../../app/page/detail-page.tsx';
import { NoBuilds } from '../no-builds.tsx';
import { BuildsOf } from './builds-of.tsx';

/** `/projects/{id}/builds`: every build of a project's products, the newest first. */
export function ProjectBuildsPage() {
  const t = useText();
  const { projectId = null } = useParams();
  const { record: project, change } = useRecord('project', projectId);
  if (project === null) return <Skeleton rows={6} />;
  const { id, name } = project;
  return (
    <DetailPage
      key={id}
      record={{ type: 'project', id, change }}
      title={`${t('builds.title')} · ${name}`}
      heading={t('builds.title')}
      trail={
        <Trail here={t('builds.title')}>
          {[
            <Link key="project" to={`/projects/${id}`}>
              <bdi>{name}</bdi>
            </Link>,
          ]}
        </Trail>
      }
      className="stack builds-page"
    >
      <BuildsOf
        scope={{ of: 'project', id }}
        empty={<NoBuilds project={id}>{t('builds.emptyText')}</NoBuilds>}
      />
    </DetailPage>
  );
}
