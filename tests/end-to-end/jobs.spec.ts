import { expect } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { aFailedJob, isFailed } from './asked-online.ts';
import { title, untilLoaded } from './people.ts';
import { superAdmin, test } from './world.ts';

test.describe('[16.4] the jobs', () => {
  test('that failed are listed with why, run again by a press, and told of in the audit log', async ({
    world,
    team,
    browserOf,
  }) => {
    const id = await aFailedJob(world);
    const page = await (await browserOf(await superAdmin(world, team))).newPage();
    await page.goto(`${world.url}/admin/audit`);
    await untilLoaded(page);
    await page
      .getByRole('navigation', { name: 'Parts of the admin settings' })
      .getByRole('link', { name: 'Jobs' })
      .click();
    await expect(title(page)).toHaveText('Jobs');
    const row = page
      .getByRole('table', { name: 'Failed' })
      .getByRole('row')
      .filter({ hasText: 'The mail server did not accept the email.' });
    await expect(row).toContainText('Email a person what they have not read');
    await expect(page.getByRole('table', { name: 'Waiting' })).toContainText(
      'Remove what was kept long enough',
    );
    await expectAccessibleInBoth(page, 'the jobs');
    await page.setViewportSize({ width: 375, height: 800 });
    await expectAccessibleInBoth(page, 'the jobs on a phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      375,
    );

    await row.getByRole('button', { name: /^Run again/ }).click();
    await expect(page.getByText('It is tried again now')).toBeVisible();
    await expect(row).toHaveCount(0);
    expect(await isFailed(world, id)).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${world.url}/admin/audit?kind=job-run-again`);
    const told = page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1);
    await expect(told).toContainText('A failed job was run again by hand.');
    await expect(told).toContainText('Job: Email a person what they have not read');
    await expect(told).toContainText('Sue');
  });

  test('are for super admins alone', async ({ world, team, browserOf }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await page.goto(`${world.url}/admin/jobs`);
    await expect(page.getByText('You are not allowed to do that.')).toBeVisible();
  });
});
