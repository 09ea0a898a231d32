import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** So many stops a page has at most, the browser's own left out. */
const STOPS_AT_MOST = 200;
const ENTRIES_AT_MOST = 60;

/** A person at a keyboard without any pointer: what they cannot reach, they cannot do. */
export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>;
  /** In place of what is in the field that has the focus. */
  type(text: string): Promise<void>;
  /** Goes on with Tab until `target` has the focus. @throws where it never has */
  to(target: Locator): Promise<void>;
  /** As `to`, backwards. */
  backTo(target: Locator): Promise<void>;
  /** As `to`, and Enter. */
  enter(target: Locator): Promise<void>;
  /** As `to`, and Space. */
  toggle(target: Locator): Promise<void>;
  /** As `to`, and types there. */
  write(target: Locator, text: string): Promise<void>;
  /** Opens the menu of `opener`, and takes the entry called `name`. */
  take(opener: Locator, name: string | RegExp): Promise<void>;
  /** Chooses in the native list `select` what starts with `label`. */
  select(select: Locator, label: string): Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  const { keyboard } = page;
  const press: Keyboard['press'] = async (...keys) => {
    for (const key of keys) await keyboard.press(key);
  };
  const has = (target: Locator): Promise<boolean> =>
    target.evaluateAll((found) => found.some((element) => element === document.activeElement));
  const until = async (target: Locator, key: string, atMost: number): Promise<void> => {
    await expect(target.first()).toBeVisible();
    for (let presses = 0; presses < atMost; presses += 1) {
      if (await has(target)) return;
      await press(key);
    }
    throw new Error(`${key} never leads to ${String(target)}`);
  };
  const type: Keyboard['type'] = async (text) => {
    await press('Control+a');
    await keyboard.type(text);
  };
  const to: Keyboard['to'] = (target) => until(target, 'Tab', STOPS_AT_MOST);
  return {
    press,
    type,
    to,
    backTo: (target) => until(target, 'Shift+Tab', STOPS_AT_MOST),
    enter: async (target) => {
      await to(target);
      await press('Enter');
    },
    toggle: async (target) => {
      await to(target);
      await press('Space');
    },
    write: async (target, text) => {
      await to(target);
      await type(text);
    },
    take: async (opener, name) => {
      await to(opener);
      await press('Enter');
      const entry = page
        .getByRole('menuitem', { name })
        .or(page.getByRole('menuitemradio', { name }));
      await until(entry, 'ArrowDown', ENTRIES_AT_MOST);
      await press('Enter');
    },
    select: async (select, label) => {
      await to(select);
      await keyboard.type(label);
    },
  };
}
