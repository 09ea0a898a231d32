import { listAbove } from '../here.tsx';

const PLACES: Readonly<Record<string, string>> = {
  t: '/tasks',
  p: '/projects/own',
  o: '/projects/organization',
  d: '/directory',
};

/** Letters, and the `data-shortcut` of the control that each of them presses. */
const CONTROLS: Readonly<Record<string, string>> = { b: 'build', e: 'edit', f: 'file' };

/** What a letter goes by. */
interface Letter {
  /** It names a place: the key before it was `g`. */
  readonly isPlace: boolean;
  readonly isAdmin: boolean;
  readonly go: (to: string) => unknown;
}

/**
 * Does what a single letter stands for (see `useShortcuts`): goes somewhere, presses the control that a
 * page marks with `data-shortcut`, walks along its rows, or asks whether to approve them. Other letters do
 * nothing.
 */
export function pressLetter(key: string, { isPlace, isAdmin, go }: Letter): void {
  const place = isPlace ? PLACES[key] : undefined;
  const shortcut = CONTROLS[key];
  if (place !== undefined) void go(place);
  else if (key === 'c') void go('/projects/new');
  else if (shortcut !== undefined)
    document.querySelector<HTMLElement>(`[data-shortcut="${shortcut}"]`)?.click();
  else if (key === 'u') goUp(go, isAdmin);
  else if (key === 'j') walk(1);
  else if (key === 'k') walk(-1);
  else if (key === 'a') void approve();
}

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

/** Presses Approve for the tasks that are selected; without any, for the one that has the focus. */
async function approve(): Promise<void> {
  const button = () => document.querySelector<HTMLElement>('[data-shortcut="approve"]');
  if (button() === null) {
    const row = document.activeElement?.closest('.task-row');
    row?.querySelector<HTMLElement>('.check-box input')?.click();
    // React draws the button before this goes on.
    await Promise.resolve();
  }
  button()?.click();
}
