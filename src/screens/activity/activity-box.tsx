import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { useFind } from '#data/react/hooks.ts';
import { Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { ActivityList, CommentsOf } from './activity-list.tsx';
import { NewComment } from './new-comment.tsx';
import { useActivity } from './use-activity.ts';

const NEWEST = 5;

interface Props {
  readonly project: Of<'project'>;
  /** The product whose lines are shown, and on which one can comment; null: the whole project. */
  readonly product: Of<'product'> | null;
}

/** The newest lines of a timeline, with the way to all of them. */
export function ActivityBox({ project, product }: Props) {
  const t = useText();
  const find = useFind();
  const id = product?.id ?? null;
  const filters = { product: id, groups: [] };
  const { query, events } = useActivity(project.id, filters, NEWEST);
  const { is } = query.known;
  const name =
    product === null ? '' : (find.one('productDefinition', product.productDefinition)?.name ?? '');
  const ofProduct = id === null ? [] : [id];
  const search = id === null ? '' : `?product=${id}`;
  return (
    <section className="activity" aria-label={t('activity.title')}>
      <h2>{t('activity.title')}</h2>
      {id !== null && <NewComment project={project} product={{ id, label: name }} />}
      {is === 'coming' && <Skeleton rows={3} />}
      {is !== 'coming' && is !== 'told' && (
        <p className="soft">
          {is !== 'offline'
            ? t('activity.noAnswer')
            : t(id === null ? 'activity.offline' : 'activity.restNeedsConnection')}
        </p>
      )}
      <CommentsOf products={ofProduct} asked={ofProduct}>
        {(comments) => (
          <ActivityList
            project={project}
            events={events}
            comments={comments}
            since={is === 'told' ? (events.at(-1)?.at ?? null) : null}
          />
        )}
      </CommentsOf>
      <Link to={`/projects/${project.id}/activity${search}`}>{t('activity.all')}</Link>
    </section>
  );
}
