import { useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, RefObject } from 'react';
import { compareFolded, fold } from '#base/unicode.ts';
import { useText } from '#ui/text/text.ts';
import { useSetting } from '#ui/ui-environment.tsx';
import { ListPage } from '../app/page/list-page.tsx';
import { TaskLine, useTaskRows } from './task-line.tsx';
import type { TaskRow } from './task-line.tsx';
import { useOwnTasks } from './use-own-tasks.ts';
import './tasks.css';

const isOrder = (value: unknown): value is string => typeof value === 'string';

const noTasks = async () => (await import('./no-tasks.tsx')).NoTasks;

/** `/tasks`: what waits for me. */
export function Tasks() {
  const list = useOwnTasks();
  // Another organization's tasks do not count as fresh.
  return <OwnTasks key={list.organization} list={list} />;
}

function OwnTasks({ list }: { readonly list: ReturnType<typeof useOwnTasks> }) {
  const t = useText();
  const [order, setOrder] = useSetting('slipway.tasks.order', '-wait', isOrder);
  const own = ordered(useTaskRows(list.rows), order);
  const handedOver = ordered(useTaskRows(list.handedOver), order);
  const all = [...own, ...handedOver];
  const { fresh, ...following } = useSteadyRows(all.map(({ task }) => task.id));
  const lines = (rows: readonly TaskRow[]) =>
    rows.map((row) => <TaskLine key={row.task.id} row={row} isFresh={fresh.has(row.task.id)} />);
  return (
    <ListPage
      title={t('tasks.title')}
      count={list.total > 0 ? list.total : null}
      list={{ ...list, rows: all.map(({ task }) => task) }}
      empty={noTasks}
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
      <tbody role="rowgroup">{own.length > 0 ? lines(own) : <NothingOwn />}</tbody>
      {handedOver.length > 0 && (
        <tbody role="rowgroup" aria-labelledby="tasks-handed-over">
          <tr role="row">
            <td role="cell" colSpan={4} className="task-group">
              <h2 id="tasks-handed-over">{t('tasks.handedOver', { number: handedOver.length })}</h2>
            </td>
          </tr>
          {lines(handedOver)}
        </tbody>
      )}
    </ListPage>
  );
}

/** Stands above the tasks of others where the person has none. */
function NothingOwn() {
  const t = useText();
  return (
    <tr role="row">
      <td role="cell" colSpan={4} className="soft">
        {t('tasks.noTasksTitle')}
      </td>
    </tr>
  );
}

/** `-wait` is the newest first, as the list comes. */
function ordered(rows: readonly TaskRow[], order: string): readonly TaskRow[] {
  const descends = order.startsWith('-');
  const key = order.replaceAll('-', '');
  if (key === 'wait') return order === '--wait' ? [...rows].reverse() : rows;
  const nameOf = (row: TaskRow) =>
    fold(key === 'product' ? row.definition : (row.project?.name ?? ''));
  const sorted = [...rows].sort((a, b) => compareFolded(nameOf(a), nameOf(b)));
  return descends ? sorted.reverse() : sorted;
}

interface Steady {
  readonly element: RefObject<HTMLTableElement>;
  /** Rows that have come since the page is open, with the last update. */
  readonly fresh: ReadonlySet<string>;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: () => void;
}

/** The rows of the table: each is marked with the id that it is about. */
const ROW = 'tr[data-id]';

/**
 * Keeps a table whose rows come and go by themselves usable: the row under the pointer or with the
 * focus stays where it is on the screen, and when it goes, the next one has the focus.
 */
function useSteadyRows(ids: readonly string[]): Steady {
  const table = useRef<HTMLTableElement>(null);
  const key = ids.join();
  const tops = useRef<ReadonlyMap<string, number>>(new Map());
  const focused = useRef<string | null>(null);
  const order = useRef(ids);

  useLayoutEffect(() => {
    const before = { ids: order.current, tops: tops.current };
    const rows = [...(table.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
    order.current = ids;
    tops.current = new Map(rows.map((row) => [row.dataset.id ?? '', row.offsetTop]));

    const lost = focused.current;
    if (lost !== null && !tops.current.has(lost)) {
      focused.current = null;
      focusAfter(before.ids, lost, rows);
    }
    const held = rows.find((row) => row.matches(':hover, :focus-within'));
    const was = before.tops.get(held?.dataset.id ?? '');
    if (held !== undefined && was !== undefined) scrollOn(table.current, held.offsetTop - was);
    // The rows that there are say all that moves them.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);

  return {
    element: table,
    fresh: useFresh(ids),
    onFocus: ({ target }) => {
      focused.current = target.closest<HTMLElement>(ROW)?.dataset.id ?? null;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
}

/** Those of `ids` that came last, after the first ones. */
function useFresh(ids: readonly string[]): ReadonlySet<string> {
  const [seen, setSeen] = useState({ all: new Set(ids), fresh: new Set<string>() });
  const isSame = ids.length === seen.all.size && ids.every((id) => seen.all.has(id));
  if (isSame) return seen.fresh;
  const next = { all: new Set(ids), fresh: new Set(ids.filter((id) => !seen.all.has(id))) };
  setSeen(next);
  return next.fresh;
}

/**
 * Moves the focus to the row that came after the one lost, or the last one; without any, to the
 * page's title.
 */
function focusAfter(ids: readonly string[], lost: string, rows: readonly HTMLElement[]): void {
  const left = new Set(rows.map((row) => row.dataset.id));
  const next = ids.slice(ids.indexOf(lost) + 1).find((id) => left.has(id));
  const row = rows.find(({ dataset }) => dataset.id === next) ?? rows.at(-1);
  const place = row?.querySelector<HTMLElement>('a') ?? document.querySelector<HTMLElement>('h1');
  place?.focus({ preventScroll: true });
}

/** Scrolls by `px`, with room made for it below the table where the page ends too early. */
function scrollOn(table: HTMLElement | null, px: number): void {
  if (table === null || px === 0) return;
  const page = document.documentElement;
  table.style.marginBlockEnd = '0';
  const end = page.scrollTop + px + page.clientHeight;
  if (end > page.scrollHeight || page.scrollHeight === page.clientHeight)
    table.style.marginBlockEnd = `${end - page.scrollTop - table.getBoundingClientRect().bottom}px`;
  window.scrollBy({ top: px, behavior: 'instant' });
}
