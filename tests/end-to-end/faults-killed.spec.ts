import { expect } from '@playwright/test';
import { holdWrites, rowsIn, spoilStorage } from './device-storage.ts';
import { expectWaiting, rename, status, title, untilLoaded, untilSent } from './people.ts';
import { bodiesOf, expectOnce, isSending, renameUnsent, untilTried } from './sending.ts';
import type { TabProcess } from './tab-process.ts';
import { test as base } from './world.ts';

interface Spoilt extends TabProcess {
  readonly project: string;
}

/** `spoilt`: a project of Ana's, loaded in a tab that can be killed and whose storage can be spoilt. */
const test = base.extend<{ readonly spoilt: Spoilt }>({
  spoilt: async ({ team, context, openTab }, give) => {
    await spoilStorage(context);
    const project = await team.project('Harvest');
    const tab = await openTab(project);
    await untilLoaded(tab.page);
    await give({ ...tab, project });
  },
});

test.describe('[fault 5] a tab that dies between the edit and its commit', () => {
  test('never showed it as saved, and after a reload it is absent', async ({
    world,
    openTab,
    spoilt: { project, page, kill },
  }) => {
    await holdWrites(page);
    await page.getByRole('link', { name: /edit/i }).click();
    await page.getByLabel(/^Name/).fill('Never kept');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByLabel(/^Name/)).toHaveValue('Never kept');
    await expectWaiting(page, 1);
    await expect(status(page)).toHaveAttribute('data-state', 'saving');
    expect(new URL(page.url()).pathname).toMatch(/\/edit$/);
    await kill();

    const { page: next } = await openTab(project);
    await untilLoaded(next);
    await expect(title(next)).toHaveText(/Harvest/);
    await expectWaiting(next, 0);
    expect(bodiesOf(world.proxy)).toEqual([]);
    await expectOnce(world, project, 0);
  });
});

test.describe('[fault 6] a tab that dies after the commit, before sending', () => {
  test('has it sent once after the restart, before anything newer', async ({
    world,
    team,
    openTab,
  }) => {
    const project = await team.project('Harvest');
    const { page, kill } = await openTab(project);
    await untilLoaded(page);
    await renameUnsent(page, world, 'Before the end');
    await untilTried(world);
    await kill();

    const { page: next } = await openTab(project);
    await expect(title(next)).toHaveText(/Before the end/);
    await rename(next, 'After the restart');
    await expectWaiting(next, 2);
    const [first] = bodiesOf(world.proxy).flat();
    world.proxy.reset();
    await untilSent(next);
    const written = await expectOnce(world, project, 2);
    expect(written[0]).toBe(first);
    await expect(title(next)).toHaveText(/After the restart/);
  });
});

test.describe('[fault 7] a tab that dies after the answer, before the row is removed', () => {
  test('has it answered from the record, and removed', async ({
    world,
    team,
    context,
    openTab,
    spoilt: { project, page, kill },
  }) => {
    // The news would settle it as well, before the answer.
    world.proxy.sockets.stall(true);
    world.proxy.decide((request) => (isSending(request) ? { delayMs: 2_000 } : 'pass'));
    const answer = page.waitForResponse((one) => one.url().endsWith('/api/operations'));
    await rename(page, 'Answered and killed');
    await expect.poll(() => bodiesOf(world.proxy).length).toBe(1);
    await holdWrites(page);
    await (await answer).finished();
    await kill();
    world.proxy.reset();

    const again = context.waitForEvent('response', (one) => one.url().endsWith('/api/operations'));
    const { page: next } = await openTab(project);
    expect((await again).headers()['idempotency-replayed']).toBe('true');
    await untilSent(next);
    await untilLoaded(next);
    await expect(title(next)).toHaveText(/Answered and killed/);
    await expectOnce(world, project, 1);
    await expect
      .poll(async () => JSON.stringify(await rowsIn(next, team.ana.id, 'outbox')))
      .not.toMatch(/"state":"(waiting|sending)"/);
  });
});
