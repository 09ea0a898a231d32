import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts';

/**
 * Pictures of a route of the running server in three widths, light and dark:
 * `npm run shot -- /projects/own [--as builder@lakeside.test] [--language fr-FR] [--out FOLDER]`.
 */

const WIDTHS_PX = [375, 768, 1_280];
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    as: { type: 'string', default: 'builder@lakeside.test' },
    language: { type: 'string', default: 'en-US' },
    out: { type: 'string', default: 'test-results/shots' },
    url: { type: 'string', default: process.env.PUBLIC_URL ?? 'http://localhost:3000' },
  },
});

async function signIn(page: Page): Promise<void> {
  await page.goto(`${values.url}/login`);
  await page
    .getByRole('button', { name: /Sign in|Iniciar|connecter/ })
    .first()
    .click();
  await page.getByLabel(/^(Email|Correo|Adresse)/).fill(values.as);
  await page.locator('input[type=password]').fill('slipway-demo');
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => !url.pathname.startsWith('/oidc') && url.pathname !== '/login');
}

const browser = await findBrowser();
const instance = await chromium.launch({
  executablePath: browser.path,
  args: BROWSER_FLAGS,
  env: { ...process.env, ...browser.env },
});
mkdirSync(values.out, { recursive: true });
const context = await instance.newContext({ locale: values.language });
const page = await context.newPage();
await signIn(page);

for (const route of positionals.length > 0 ? positionals : ['/tasks']) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${values.url}${route}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
      const name = `${route.replace(/\W+/g, '-').replace(/^-/, '')}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: join(values.out, name) });
      process.stdout.write(`${join(values.out, name)}\n`);
    }
  }
}
await instance.close();
