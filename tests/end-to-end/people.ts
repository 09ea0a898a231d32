import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

export const PASSWORD = 'slipway-demo';
export const builder = 'builder@lakeside.test';
export const admin = 'admin@lakeside.test';

/** Goes to `/login`, through the provider's page and back. */
export async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await fillIn(page, { email });
  await page.waitForURL((at) => at.origin === url && !/^\/(login|oidc)/.test(at.pathname));
}

/** At the provider's page. */
export async function fillIn(page: Page, { email }: { readonly email: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export function status(page: Page): Locator {
  return page.getByTestId('sync-status');
}

/** Until everything that was done here is at the server. */
export async function untilSent(page: Page): Promise<void> {
  await expect(status(page)).toHaveAttribute('data-waiting', '0');
  await expect(status(page)).toHaveAttribute('data-attention', '0');
}

/** Until the first load is complete: the status element says that all is saved. */
export async function untilLoaded(page: Page): Promise<void> {
  await expect(status(page)).toHaveAttribute('data-state', 'saved');
}

export async function projectIdAt(page: Page): Promise<string> {
  await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname.slice('/projects/'.length);
}

/** From a project's page, through its form, back to its page. */
export async function rename(page: Page, to: string): Promise<void> {
  await page.getByRole('link', { name: /edit/i }).click();
  await page.getByLabel(/^Name/).fill(to);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await projectIdAt(page);
}

/** The title of the page: of a project, its name. */
export function title(page: Page): Locator {
  return page.getByRole('heading', { level: 1 });
}

/** Until every part of the app is on the device, and the page gets it from there. */
export async function untilInstalled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Goes to `path` as a link within the app does: the page is not loaded anew. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, path);
}

/** Opens the project at `url`, once the first load is complete and the app is on the device. */
export async function openProject(page: Page, url: string, project: string): Promise<void> {
  await page.goto(`${url}/projects/${project}`);
  await expect(title(page)).toBeVisible();
  await untilLoaded(page);
  await untilInstalled(page);
}

export async function openPanel(page: Page): Promise<Locator> {
  await status(page).click();
  return page.getByRole('dialog', { name: 'Changes' });
}

export async function expectState(page: Page, state: string): Promise<void> {
  await expect(status(page)).toHaveAttribute('data-state', state);
}

export async function expectWaiting(page: Page, count: number): Promise<void> {
  await expect(status(page)).toHaveAttribute('data-waiting', String(count));
}

/** By its whole name, or by what its name matches. */
export function button(page: Page, name: string | RegExp): Locator {
  return page.getByRole('button', { name, exact: typeof name === 'string' });
}

/** What one clicks of a switch: its words. */
export function switchOf(page: Page, name: string | RegExp): Locator {
  return page.locator('label').filter({ hasText: name });
}

/** Until the help is on the device: the app brings it when it has nothing else to do, and asks for nothing that is here already. */
export async function untilHelpIsHere(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const list = await fetch('/help/guide/files.json');
        const files = (await list.json()) as readonly { readonly path: string }[];
        const cache = await caches.open('help');
        const found = await Promise.all(files.map(({ path }) => cache.match(path)));
        return found.every((response) => response !== undefined);
      }),
    )
    .toBe(true);
}
