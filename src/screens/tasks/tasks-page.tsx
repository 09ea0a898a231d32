import { useText } from '#ui/text/text.ts';
import { useSetting } from '#ui/ui-environment.tsx';
import { FilterPlace, ListPage } from '../app/page/list-page.tsx';
import { useListAddress } from '../app/page/list-state.ts';
import { NothingOwn, TaskGroupBody, useApproval } from './task-group-body.tsx';
import { useTaskRows } from './task-rows.ts';
import { useSteadyRows } from './use-steady-rows.ts';
import './tasks.css';

const isOrder = (value: unknown): value is string => typeof value === 'string';

const loadFilterBar = async () => (await import('./task-filters.tsx')).TaskFilterBar;
const noTasks = async () => (await import('./no-tasks.tsx')).NoTasks;
const noneShown = async () => (await import('./no-tasks.tsx')).NoneShown;

/** `/tasks`: what waits for me, and what others have of mine. */
export function Tasks() {
  const t = useText();
  const [order, setOrder] = useSetting('slipway.tasks.order', '--wait', isOrder);
  const { filter, setFilters } = useListAddress('');
  const { list, all, groups, filters, filterCount, query, ...saved } = useTaskRows(order, filter);
  const { view, savedAs } = saved;
  const rows = groups.flatMap((group) => group.rows);
  const hidden = all.length - rows.length;
  const own = rows.filter(({ group }) => group !== 'handed-over').length;
  const { fresh, ...following } = useSteadyRows(rows, `${list.organization ?? ''}${query}`);
  const { approve, question } = useApproval();
  return (
    <>
      {/* The tasks of another organization are another page, whose title has the focus. */}
      <ListPage
        key={list.organization ?? ''}
        title={view?.name ?? t('tasks.title')}
        heading={view === null ? undefined : <bdi>{view.name}</bdi>}
        count={own > 0 ? own : null}
        list={{ ...list, rows }}
        empty={hidden > 0 ? noneShown : noTasks}
        filters={
          all.length > 0 || filterCount > 0 || view !== null ? (
            <FilterPlace
              number={filterCount}
              load={loadFilterBar}
              props={{ tasks: all, filters, setFilters }}
              views={
                view === null && filterCount === 0
                  ? null
                  : {
                      of: savedAs,
                      usualOrder: '',
                      view,
                      shown: { filters, search: '', sort: '' },
                      setFilters,
                    }
              }
            >
              <span role="status" className="soft">
                {hidden > 0 && t('tasks.hidden', { count: hidden })}
              </span>
            </FilterPlace>
          ) : undefined
        }
        table={{
          className: 'task-table',
          columns: [
            { title: t('tasks.project'), sort: 'project' },
            { title: t('tasks.product'), sort: 'product' },
            { title: t('tasks.waitTime'), sort: '-wait' },
          ],
          order,
          onOrder: setOrder,
          ...following,
        }}
      >
        {list.total === 0 && <NothingOwn />}
        {groups.map((each) => (
          <TaskGroupBody
            key={each.group}
            {...each}
            query={query}
            fresh={fresh}
            onApprove={approve}
          />
        ))}
      </ListPage>
      {question}
    </>
  );
}
