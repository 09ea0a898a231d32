import { defineConfig } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts';

const browser = await findBrowser();

export default defineConfig({
  testDir: '.',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  globalTimeout: 70 * 60_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['../tools/playwright-reporter.ts']],
  outputDir: '../../test-results',
  use: {
    launchOptions: {
      executablePath: browser.path,
      args: BROWSER_FLAGS,
      env: { ...process.env, ...browser.env },
    },
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
  },
});
