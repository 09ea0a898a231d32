import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { readSetting, useUiEnvironment } from '#ui/ui-environment.tsx';
import { useIsAdminHere } from './here.tsx';

/**
 * The key that says on this device whether single letters do something; they do unless it says no.
 */
export const LETTERS_KEY = 'slipway.shortcuts';

/** What `pressLetter` takes: its script comes with the first of them. */
const LETTERS = /^[a-z]$/;

/** What the shell does for shortcuts. */
export interface Openers {
  readonly palette: () => void;
  readonly shortcuts: () => void;
  /** Asks the server for news. */
  readonly refresh: () => void;
}

/**
 * `/` searches, `g` and a letter goes somewhere, `c` makes a project, `e` edits what the page shows,
 * `f` chooses a file for it, `b` builds again, `u` goes to the page above, `r` refreshes, `j` and `k`
 * walk along the tasks, `a` approves, `?` lists all of them: single letters, see `useLetters`. Ctrl or ⌘ K
 * opens the palette, also while typing. None of it over a dialog.
 */
export function useShortcuts(open: Openers): void {
  const go = useNavigate();
  const isAdmin = useIsAdminHere();
  const isGoing = useRef(false);
  useLetters((event) => {
    const { key } = event;
    const isPlace = isGoing.current;
    isGoing.current = key === 'g';
    if (key === '/') search(event);
    else if (key === '?') open.shortcuts();
    else if (key === 'r') open.refresh();
    else if (LETTERS.test(key))
      void import('./late/letters.ts').then(
        ({ pressLetter }) => {
          pressLetter(key, { isPlace, isAdmin, go });
        },
        // Without the script the letters do nothing: links lead to all of it.
        () => undefined,
      );
  });
  useKeys(isPaletteKey, (event) => {
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
  useKeys(isPressedAlone, (event) => {
    if (readSetting(storage, LETTERS_KEY) !== false) onLetter(event);
  });
}

/** Calls `onKey` with the keys that are `wanted`, but for those over a dialog. */
function useKeys(
  isWanted: (event: KeyboardEvent) => boolean,
  onKey: (event: KeyboardEvent) => void,
): void {
  const newest = useRef(onKey);
  useEffect(() => {
    newest.current = onKey;
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      // Whoever types waits for no look through the page.
      if (isWanted(event) && document.querySelector('dialog[open]') === null) newest.current(event);
    };
    document.addEventListener('keydown', listener);
    return () => {
      document.removeEventListener('keydown', listener);
    };
  }, [isWanted]);
}

function isPressedAlone({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !isTyping(target);
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
}

function search(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLElement>('[data-shortcut="search"]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches(
      'input:not([type=checkbox]), textarea, select, [role="menuitem"], [role="menuitemradio"]',
    ) ||
      target.isContentEditable)
  );
}
