import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

const PASSWORD = 'slipway-demo';
export const builder = 'builder@lakeside.test';
export const admin = 'admin@lakeside.test';

/** Goes to `/login`, through the provider's page and back. */
export async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((at) => at.origin === url && !/^\/(login|oidc)/.test(at.pathname));
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
