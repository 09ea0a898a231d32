import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { readSetting, useUiEnvironment } from '#ui/ui-environment.tsx';

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

/** Opens what the shell shows over the page. */
export interface Openers {
  readonly palette: () => void;
  readonly shortcuts: () => void;
}

/**
 * `/` searches, `g` and a letter goes somewhere, `c` makes a project, `?` lists all of them; never
 * while typing, nor for who has turned them off. Ctrl or ⌘ K opens the palette, also then. None of it
 * over a dialog.
 */
export function useShortcuts(open: Openers): void {
  const go = useNavigate();
  const { storage } = useUiEnvironment();
  const isGoing = useRef(false);
  const openers = useRef(open);
  useEffect(() => {
    openers.current = open;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') !== null) return;
      if (isPaletteKey(event)) {
        event.preventDefault();
        openers.current.palette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (readSetting(storage, LETTERS_KEY) === false) return;
      const place = isGoing.current ? PLACES[event.key] : undefined;
      isGoing.current = event.key === 'g';
      if (place !== undefined) void go(place);
      else if (event.key === 'c') void go('/projects/new');
      else if (event.key === '?') openers.current.shortcuts();
      else if (event.key === '/') search(event);
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [go, storage]);
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
    (target.matches('input, textarea, select, [role="menuitem"], [role="menuitemradio"]') ||
      target.isContentEditable)
  );
}
