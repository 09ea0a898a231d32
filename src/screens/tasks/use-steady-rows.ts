import { useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, RefObject } from 'react';

interface Row {
  readonly id: string;
  readonly group: string;
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
 * focus stays where it is on the screen, and when it goes, the next one has the focus. It keeps the
 * focus in another group.
 *
 * @param of what the rows are of: those of something else do not count as fresh
 */
export function useSteadyRows(shown: readonly Row[], of: string | null): Steady {
  const table = useRef<HTMLTableElement>(null);
  const ids = shown.map(({ id }) => id);
  const key = shown.map(({ id, group }) => `${group} ${id}`).join();
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
    } else if (lost !== null && document.activeElement === document.body) {
      focusIn(rows.find(({ dataset }) => dataset.id === lost));
    }
    const held = rows.find((row) => row.matches(':hover, :focus-within'));
    const was = before.tops.get(held?.dataset.id ?? '');
    if (held !== undefined && was !== undefined) scrollOn(table.current, held.offsetTop - was);
    // The rows that there are say all that moves them.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);

  return {
    element: table,
    fresh: useFresh(ids, of),
    onFocus: ({ target }) => {
      focused.current = target.closest<HTMLElement>(ROW)?.dataset.id ?? null;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
}

/** Those of `ids` that came last, after the first ones of `of`. */
function useFresh(ids: readonly string[], of: string | null): ReadonlySet<string> {
  const [seen, setSeen] = useState({ of, all: new Set(ids), fresh: new Set<string>() });
  const isSame = ids.length === seen.all.size && ids.every((id) => seen.all.has(id));
  if (isSame && of === seen.of) return seen.fresh;
  const came = of === seen.of ? ids.filter((id) => !seen.all.has(id)) : [];
  const next = { of, all: new Set(ids), fresh: new Set(came) };
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
  focusIn(rows.find(({ dataset }) => dataset.id === next) ?? rows.at(-1));
}

function focusIn(row: HTMLElement | undefined): void {
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
