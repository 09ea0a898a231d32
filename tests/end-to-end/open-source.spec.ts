import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { test } from './demo.ts';
import { builder, signIn, title, untilInstalled, untilLoaded } from './people.ts';
import { storageStateOf } from './storage-state.ts';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const versionOf = (name: string): string =>
  (
    JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as {
      readonly version: string;
    }
  ).version;

test.describe('[4] the open-source packages', () => {
  test('are reached from the sign-in without an account, by licence, each with its licence [R29, R39, R40]', async ({
    page,
  }) => {
    await page.goto('/login');
    await page.getByRole('link', { name: 'Open source' }).click();
    await expect(title(page)).toHaveText('Open source');
    for (const name of Object.keys(dependencies))
      await expect(
        page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) }),
      ).toContainText(versionOf(name));
    const members = page.getByRole('region', { name: /^MIT \(/ }).getByRole('listitem');
    await expect(page.getByRole('heading', { name: /^MIT \(/ })).toHaveText(
      `MIT (${await members.count()})`,
    );

    const entries = page.getByRole('listitem');
    await expect(
      entries.filter({ hasNot: page.getByText('License', { exact: true }) }),
    ).toHaveCount(0);

    await page.getByRole('searchbox').fill('SEMANTIC-ui-react');
    await expect(page.getByRole('listitem')).toHaveCount(1);
    await page.getByText('License', { exact: true }).click();
    await expect(page.getByText('Permission is hereby granted, free of charge')).toBeVisible();
    await expectAccessibleInBoth(page, 'the open-source packages');

    await page.getByRole('searchbox').fill('no such package');
    await expect(page.getByText('No results')).toBeVisible();
    await expect(page.getByRole('listitem')).toHaveCount(0);
  });

  test('open in a new tab from the navigation, without a connection too [R50]', async ({
    page,
    demo,
  }) => {
    await signIn(page, demo.url, builder);
    await untilLoaded(page);
    await untilInstalled(page);
    await page.context().setOffline(true);
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open source' }).click(),
    ]);
    await expect(title(other)).toHaveText('Open source');
    await expect(other.getByText('@orbit/memory', { exact: true })).toBeVisible();
    await expect(title(page)).toHaveText(/^My tasks/);
  });

  test('speak the language of who is signed in, not that of their browser', async ({
    browser,
    demo,
  }) => {
    const storageState = await storageStateOf(demo, builder);
    const context = await browser.newContext({ locale: 'fr-FR', storageState });
    const page = await context.newPage();
    await page.goto(`${demo.url}/tasks`);
    await expect(title(page)).toHaveText(/^My tasks/);
    await page.goto(`${demo.url}/open-source`);
    await expect(title(page)).toHaveText('Open source');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
    await context.close();
  });
});
