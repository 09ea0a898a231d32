import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';

const PLACES: Readonly<Record<string, string>> = {
  t: '/tasks',
  p: '/projects/own',
  o: '/projects/organization',
};

/** `/` searches, `g` and a letter goes somewhere, `c` makes a project; never while typing. */
export function useShortcuts(): void {
  const go = useNavigate();
  const isGoing = useRef(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const place = isGoing.current ? PLACES[event.key] : undefined;
      isGoing.current = event.key === 'g';
      if (place !== undefined) void go(place);
      else if (event.key === 'c') void go('/projects/new');
      else if (event.key === '/') {
        const search = document.querySelector<HTMLElement>('[data-shortcut="search"]');
        if (search === null) return;
        event.preventDefault();
        search.focus();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [go]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches('input, textarea, select, [role="menuitem"], [role="menuitemradio"]') ||
      target.isContentEditable)
  );
}
