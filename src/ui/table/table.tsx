import type { ReactNode, KeyboardEvent, RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../picture/icon.tsx';
import type { IconName } from '../picture/icon.tsx';
import { useText } from '../text/text.ts';

/** "name", or "-name" when it descends. */
export type Order = string;

/** The order after a click on the header of `key`: ascending first, then the other way. */
export function nextOrder(order: Order, key: string): Order {
  return order === key ? `-${key}` : key;
}

interface SortProps {
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

interface SortHeaderProps extends SortProps {
  readonly sortKey: string | null;
  readonly children: string;
}

/** A column's head; a button where the column can be sorted by. */
export function SortHeader({ sortKey, ...sorting }: SortHeaderProps) {
  if (sortKey === null)
    return (
      <th role="columnheader" scope="col">
        {sorting.children}
      </th>
    );
  return (
    <th role="columnheader" scope="col" aria-sort={directionOf(sortKey, sorting.order)}>
      <SortButton sortKey={sortKey} {...sorting} />
    </th>
  );
}

interface PartsHeaderProps extends SortProps {
  readonly parts: readonly { readonly title: string; readonly sort: string | null }[];
  readonly children: string;
}

/** The head of a column whose cells list things: what is told of each, and their order. */
export function PartsHeader({ parts, children, ...sorting }: PartsHeaderProps) {
  const by = parts.find(({ sort }) => sort === sorting.order.replace('-', ''))?.sort ?? null;
  return (
    <th
      role="columnheader"
      scope="col"
      className="parts-header"
      aria-sort={by === null ? undefined : directionOf(by, sorting.order)}
    >
      {children}
      {parts.map(({ title, sort }) => (
        <span key={title} className="fact">
          {sort === null ? (
            title
          ) : (
            <SortButton sortKey={sort} {...sorting}>
              {title}
            </SortButton>
          )}
        </span>
      ))}
    </th>
  );
}

function SortButton({
  sortKey,
  order,
  onOrder,
  children,
}: SortHeaderProps & { readonly sortKey: string }) {
  const direction = directionOf(sortKey, order);
  return (
    <button
      type="button"
      className="sort-button"
      onClick={() => {
        onOrder(nextOrder(order, sortKey));
      }}
    >
      {children}
      {direction !== 'none' && <Icon name={direction === 'ascending' ? 'arrowUp' : 'arrowDown'} />}
    </button>
  );
}

function directionOf(key: string, order: Order): 'ascending' | 'descending' | 'none' {
  if (order === key) return 'ascending';
  return order === `-${key}` ? 'descending' : 'none';
}

interface CellProps {
  /** The column's name, shown where the table has become cards. */
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Cell({ label, children, className = '' }: CellProps) {
  return (
    <td role="cell" className={className}>
      <span className="cell-label">{label}</span>
      <span className="cell-value">{children}</span>
    </td>
  );
}

interface PagerProps {
  /** The page, counted from 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

const AROUND = 2;

/** First, previous, the numbers around the present one, next, last, and "21–40 of 61". */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const t = useText();
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (last === 1) return null;
  const from = Math.max(1, Math.min(page - AROUND, last - 2 * AROUND));
  const to = Math.min(last, Math.max(page + AROUND, 1 + 2 * AROUND));
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const range = {
    from: (page - 1) * pageSize + 1,
    to: Math.min(page * pageSize, total),
    total,
  };
  const step = (icon: IconName, label: string, target: number, isDisabled: boolean) => (
    <button
      type="button"
      className="page-button"
      aria-label={label}
      aria-disabled={isDisabled}
      onClick={() => {
        if (!isDisabled) onPage(target);
      }}
    >
      <Icon name={icon} />
    </button>
  );

  return (
    <nav className="pager" aria-label={t('pager.label')}>
      <span className="pager-range">{t('pager.range', range)}</span>
      <span className="pager-buttons">
        {step('first', t('pager.first'), 1, page === 1)}
        {step('back', t('pager.previous'), page - 1, page === 1)}
        {numbers.map((number) => (
          <button
            type="button"
            key={number}
            className="page-button"
            aria-label={t('pager.page', { number })}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => {
              onPage(number);
            }}
          >
            {number}
          </button>
        ))}
        {step('next', t('pager.next'), page + 1, page === last)}
        {step('last', t('pager.last'), last, page === last)}
      </span>
    </nav>
  );
}

/** The gear that opens a checklist of columns. */
export function ColumnChooser({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false)
        setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
    };
  }, [isOpen]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className="menu-button" ref={root} onKeyDown={onKey}>
      <button
        type="button"
        ref={button}
        className="icon-button"
        aria-label={t('columns.choose')}
        title={t('columns.choose')}
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        <Icon name="gear" />
      </button>
      {isOpen && children}
    </div>
  );
}

/** Things are drawn ahead as far as this beyond the edge of the element that scrolls. */
const AHEAD = '600px 0px';

/** So many come or go in one frame: with three, every second frame of fast scrolling came late. */
const DRAWN_A_FRAME = 2;

type NearListener = (isNear: boolean) => void;

interface Change {
  readonly tell: NearListener;
  readonly element: HTMLElement;
  readonly isNear: boolean;
}

/** What listeners are still to be told. */
const due = new Map<NearListener, Change>();
/** So many came near since the last frame, by scrolling. */
let cameNear = 0;
let isUnderWay = false;

function notifyInTurn(change: Change, isScrolled: boolean): void {
  // The last is the newest.
  due.delete(change.tell);
  due.set(change.tell, change);
  if (change.isNear && isScrolled) cameNear += 1;
  if (isUnderWay) return;
  isUnderWay = true;
  requestAnimationFrame(notifyNext);
}

/**
 * Notifies those that come before those that go. Who scrolls past more in a frame than are drawn in
 * one can read none of them: nothing is drawn until it is slower.
 */
function notifyNext(): void {
  isUnderWay = due.size > 0;
  if (isUnderWay) requestAnimationFrame(notifyNext);
  const newest = cameNear;
  cameNear = 0;
  if (newest > DRAWN_A_FRAME) return;
  const coming = [...due.values()].filter(({ isNear }) => isNear);
  const going = [...due.values()].filter(({ isNear }) => !isNear);
  const inOrder = [...newestAndMiddleFirst(coming, newest), ...going];
  for (const { tell, isNear } of inOrder.slice(0, DRAWN_A_FRAME)) {
    due.delete(tell);
    tell(isNear);
  }
}

/**
 * Puts the newest first, so that they are drawn before they come into view; then what is in the
 * middle of the view, which somebody looks at.
 */
function newestAndMiddleFirst(changes: readonly Change[], newest: number): readonly Change[] {
  // All have their turn: where they are need not be measured.
  if (changes.length <= DRAWN_A_FRAME) return changes;
  const older = Math.max(0, changes.length - newest);
  const fromMiddle = new Map(
    changes.slice(0, older).map((change) => {
      const { top, bottom } = change.element.getBoundingClientRect();
      return [change, Math.abs(top + bottom - window.innerHeight)];
    }),
  );
  const middleFirst = [...fromMiddle].sort(([, a], [, b]) => a - b).map(([change]) => change);
  return [...changes.slice(older), ...middleFirst];
}

interface Near<E> {
  readonly element: RefObject<E>;
  readonly isNear: boolean;
  /** The height when it was last drawn; null: it never was. */
  readonly drawnPx: number | null;
}

/**
 * Says whether an element is near what is in view, so that what is far need not be in the page.
 *
 * @param isWatched false: it is in the page wherever it is, and nobody looks
 */
export function useNear<E extends HTMLElement>(isWatched: boolean): Near<E> {
  const element = useRef<E>(null);
  const [isNear, setNear] = useState(false);
  const [drawnPx, setDrawn] = useState<number | null>(null);
  const isThere = useRef(false);

  useEffect(() => {
    const { current } = element;
    if (!isWatched || current === null) return undefined;
    let heightPx: number | null = null;
    // What is near from the beginning did not come by scrolling.
    let isKnown = false;
    const tell = (nears: boolean) => {
      // The element that has the focus stays, or the next key would go nowhere.
      if (!nears && current.contains(document.activeElement)) return;
      if (!nears) setDrawn(heightPx);
      isThere.current = nears;
      setNear(nears);
    };
    const stop = observe(current, ({ isIntersecting, boundingClientRect }) => {
      heightPx = boundingClientRect.height;
      if (isIntersecting === isThere.current) due.delete(tell);
      else notifyInTurn({ tell, element: current, isNear: isIntersecting }, isKnown);
      isKnown = true;
    });
    return () => {
      stop();
      due.delete(tell);
    };
  }, [isWatched]);
  return { element, isNear, drawnPx };
}

type EntryListener = (entry: IntersectionObserverEntry) => void;

/** One for all elements that scroll together: a browser looks at each observer in each frame. */
const observers = new WeakMap<Node, IntersectionObserver>();
const listeners = new Map<Element, EntryListener>();

/** Tells `listener` when `element` comes near what is in view, and when it is far again. */
function observe(element: HTMLElement, listener: EntryListener): () => void {
  const root = scrollerOf(element);
  const observer = observers.get(root ?? document) ?? observerOf(root);
  observers.set(root ?? document, observer);
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    listeners.delete(element);
    observer.unobserve(element);
  };
}

function observerOf(root: HTMLElement | null): IntersectionObserver {
  return new IntersectionObserver(
    (entries) => {
      for (const entry of entries) listeners.get(entry.target)?.(entry);
    },
    { root, rootMargin: AHEAD },
  );
}

/** Finds the element that scrolls `element`; null where the page itself does. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  const above = element.parentElement;
  if (above === null) return null;
  return /auto|scroll/.test(getComputedStyle(above).overflowY) ? above : scrollerOf(above);
}
