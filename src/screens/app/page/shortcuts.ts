import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { readSetting, useUiEnvironment } from '#ui/ui-environment.tsx';
import { listAbove, useIsAdminHere } from './here.tsx';

const PLACES: Readonly<Record<string, string>> = {
  t: '/tasks',
  p: '/projects/own',
  o: '/projects/organization',
  d: '/directory',
};

/**
 * The key that says on this device whether single letters do something; they do unless it says no.
 */
export const LETTERS_KEY = 'slipway.shortcuts';

/** What the shell does for shortcuts. */
export interface Openers {
  readonly palette: () => void;
  readonly shortcuts: () => void;
  /** Asks the server for news. */
  readonly refresh: () => void;
}

/**
 * `/` searches, `g` and a letter goes somewhere, `c` makes a project, `e` edits what the page shows,
 * `u` goes to the page above, `r` refreshes, `j` and `k` walk along the tasks, `?` lists all of them:
 * single letters, see `useLetters`. Ctrl or ⌘ K opens the palette, also while typing. None of it over a dialog.
 */
export function useShortcuts(open: Openers): void {
  const go = useNavigate();
  const isAdmin = useIsAdminHere();
  const isGoing = useRef(false);
  useLetters((event) => {
    const { key } = event;
    const place = isGoing.current ? PLACES[key] : undefined;
    isGoing.current = key === 'g';
    if (place !== undefined) void go(place);
    else if (key === 'c') void go('/projects/new');
    else if (key === 'e') marked('edit')?.click();
    else if (key === 'u') goUp(go, isAdmin);
    else if (key === 'r') open.refresh();
    else if (key === 'j') walk(1);
    else if (key === 'k') walk(-1);
    else if (key === '?') open.shortcuts();
    else if (key === '/') search(event);
  });
  useKeys((event) => {
    if (!isPaletteKey(event)) return;
    event.preventDefault();
    open.palette();
  });
}

/**
 * Calls `onLetter` with keys that are pressed alone: never while typing or over a dialog, nor for who
 * has turned them off.
 */
function useLetters(onLetter: (event: KeyboardEvent) => void): void {
  const { storage } = useUiEnvironment();
  useKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (readSetting(storage, LETTERS_KEY) !== false) onLetter(event);
  });
}

/** Calls `onKey` with every key, but for those over a dialog. */
function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const newest = useRef(onKey);
  useEffect(() => {
    newest.current = onKey;
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') === null) newest.current(event);
    };
    document.addEventListener('keydown', listener);
    return () => {
      document.removeEventListener('keydown', listener);
    };
  }, []);
}

/** The element of the page that a shortcut is about. */
const marked = (name: string) => document.querySelector<HTMLElement>(`[data-shortcut="${name}"]`);

/** Goes to the page above: the last of the links that lead here, else by the address. */
function goUp(go: (to: string) => unknown, isAdmin: boolean): void {
  const link = document.querySelector<HTMLElement>('.breadcrumb li:nth-last-child(2) a');
  const { pathname } = location;
  const [, record] =
    /^(\/(?:projects|users)\/[^/]+)\/(?:edit|settings)(?:\/|$)/.exec(pathname) ?? [];
  if (link !== null) link.click();
  else if (record !== undefined) go(record);
  else if (/^\/projects\/[\da-f-]{36}$/.test(pathname)) go(listAbove());
  else if (isAdmin && /^\/users\/[\da-f-]{36}$/.test(pathname)) go('/users');
}

/**
 * Sets the focus on the way to the next task of the list, or the previous one, where Enter opens it,
 * seen from what has the focus. One without a product leads nowhere.
 */
function walk(step: 1 | -1): void {
  const ways = [...document.querySelectorAll<HTMLElement>('.task-definition')];
  const side = step > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const here = document.activeElement ?? document.body;
  const there = ways.filter((way) => here.compareDocumentPosition(way) & side);
  there.at(step > 0 ? 0 : -1)?.focus();
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
}

function search(event: KeyboardEvent): void {
  const field = marked('search');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches('input, textarea, select, [role="menuitem"], [role="menuitemradio"]') ||
      target.isContentEditable)
  );
}
