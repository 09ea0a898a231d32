import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { ActivityEvent } from '#protocol/activity.ts';
import type { Of } from '#schema/index.ts';
import { useFind, useList, useRecord } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { Picker } from '#ui/form/picker.tsx';
import { Trail } from '#ui/page/trail.tsx';
import { EmptyBox, Note, Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { DetailPage } from '../app/page/detail-page.tsx';
import { WithoutAnswer } from '../app/page/device/without-answer.tsx';
import { FilterBoxes } from '../app/page/form/filter-boxes.tsx';
import { ActivityList, CommentsOf } from './activity-list.tsx';
import { NewComment } from './new-comment.tsx';
import type { CommentedProduct } from './new-comment.tsx';
import { groupNames, useActivity, useActivityAddress } from './use-activity.ts';
import type { ActivityAddress } from './use-activity.ts';

const PAGE_SIZE = 50;

/** `/projects/{id}/activity`: what happened to a project and its products, and what is said of them. */
export function ActivityPage() {
  const t = useText();
  const { projectId = null } = useParams();
  const { record: project, change } = useRecord('project', projectId);
  if (project === null) return <Skeleton rows={6} />;
  return (
    <DetailPage
      record={{ type: 'project', id: project.id, change }}
      title={`${t('activity.title')} · ${project.name}`}
      heading={t('activity.title')}
      trail={
        <Trail here={t('activity.title')}>
          {[
            <Link key="project" to={`/projects/${project.id}`}>
              <bdi>{project.name}</bdi>
            </Link>,
          ]}
        </Trail>
      }
      className="stack activity"
    >
      <OfProject key={project.id} project={project} />
    </DetailPage>
  );
}

function OfProject({ project }: { readonly project: Of<'project'> }) {
  const find = useFind();
  const address = useActivityAddress();
  const { product, groups } = address.filters;
  const { rows } = useList('product', { project: project.id });
  const options = rows.map(({ id, productDefinition }) => ({
    id,
    label: find.one('productDefinition', productDefinition)?.name ?? '',
  }));
  const one = options.find(({ id }) => id === product);
  return (
    <>
      <Filters address={address} options={options} />
      {one !== undefined && <NewComment key={one.id} project={project} product={one} />}
      <Lines
        key={JSON.stringify([product, groups])}
        project={project}
        address={address}
        products={product === null ? rows.map(({ id }) => id) : [product]}
      />
    </>
  );
}

interface FiltersProps {
  readonly address: ActivityAddress;
  readonly options: readonly CommentedProduct[];
}

function Filters({ address: { filters, set }, options }: FiltersProps) {
  const t = useText();
  const { product, groups } = filters;
  return (
    <div className="ui form activity-filters">
      <Field label={t('activity.product')}>
        {(tied) => (
          <Picker
            tied={tied}
            options={[{ id: '', label: t('activity.allProducts') }, ...options]}
            chosen={product ?? ''}
            onChoose={(id) => {
              set({ product: id === '' ? null : id });
            }}
          />
        )}
      </Field>
      <FilterBoxes
        label={t('activity.show')}
        words={groupNames}
        chosen={groups}
        textOf={(group) => `activity.groups.${group}`}
        onChoose={(group, isChosen) => {
          const others = groups.filter((one) => one !== group);
          set({ groups: isChosen ? [...others, group] : others });
        }}
      />
    </div>
  );
}

interface LinesProps {
  readonly project: Of<'project'>;
  readonly address: ActivityAddress;
  readonly products: readonly string[];
}

function Lines({ project, address, products }: LinesProps) {
  const t = useText();
  const { filters, set } = address;
  const { query, events, more } = useActivity(project.id, filters, PAGE_SIZE);
  const [isFetching, setFetching] = useState(false);
  const { known } = query;
  const isFiltered = filters.product !== null || filters.groups.length > 0;
  const showsComments = filters.groups.length === 0 || filters.groups.includes('comments');
  if (known.is !== 'told' && known.is !== 'offline')
    return (
      <WithoutAnswer
        query={query}
        rows={6}
        offline={t('activity.offline')}
        noAnswer={t('activity.noAnswer')}
        noAnswerText={t('activity.noAnswerText')}
      />
    );
  return (
    <CommentsOf
      products={showsComments ? products : []}
      asked={filters.product === null ? commentedIn(events) : products}
    >
      {(comments) => (
        <>
          {known.is === 'offline' && <Note tone="info">{t('activity.restNeedsConnection')}</Note>}
          {events.length === 0 && comments.length === 0 && known.is === 'told' && (
            <EmptyBox
              icon="clock"
              title={t('activity.empty')}
              {...(isFiltered
                ? {
                    action: (
                      <Button
                        onClick={() => {
                          set({ product: null, groups: [] });
                        }}
                      >
                        {t('activity.clear')}
                      </Button>
                    ),
                  }
                : {})}
            />
          )}
          {(events.length > 0 || comments.length > 0) && (
            <ActivityList
              project={project}
              events={events}
              comments={comments}
              since={more === null ? null : (events.at(-1)?.at ?? null)}
            />
          )}
          {more === null && known.is === 'told' && <p className="soft">{t('activity.end')}</p>}
          {more !== null && (
            <Button
              loading={isFetching}
              disabled={isFetching}
              onClick={() => {
                setFetching(true);
                void more().finally(() => {
                  setFetching(false);
                });
              }}
            >
              {t('activity.more')}
            </Button>
          )}
        </>
      )}
    </CommentsOf>
  );
}

/** The products on which something was said that the lines tell. */
const commentedIn = (events: readonly ActivityEvent[]): readonly string[] => [
  ...new Set(
    events.flatMap(({ kind, productId }) => (kind === 'commented' ? (productId ?? []) : [])),
  ),
];
