import { expect } from '@playwright/test';
import { rowsIn } from './device-storage.ts';
import { openProject, rename, title, untilLoaded } from './people.ts';
import { expectOnce, holdBack } from './sending.ts';
import { test } from './world.ts';

test.describe('[fault 34] somebody whose access ended while they were away', () => {
  test('sees nothing of what was taken from them', async ({ world, team, context }) => {
    const project = await team.project('Harvest of secrets', { isPublic: false });
    const before = await context.newPage();
    await openProject(before, world.url, project);
    holdBack(world.proxy);
    await rename(before, 'Typed before');
    await before.close();
    await team.api.change({
      type: 'projects',
      id: project,
      relationships: { owner: { data: { type: 'users', id: team.ben.id } } },
    });
    const [membership] = await team.api.list(
      `/api/organization-memberships?filter[user]=${team.ana.id}`,
    );
    if (membership === undefined) throw new Error('Ana is no member');
    await team.api.remove(membership);

    world.proxy.reset();
    // Two minutes are a while.
    const later = Date.now() + 120_000;
    await context.clock.install({ time: later });
    await context.clock.pauseAt(later + 1);
    const after = await context.newPage();
    await after.addInitScript(() => {
      const drawn: string[] = [];
      Object.assign(globalThis, { drawn });
      new MutationObserver(() => {
        const text = document.body.innerText;
        if (/Harvest of secrets|Typed before/.test(text)) drawn.push(text);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await after.goto(`${world.url}/projects/own`);
    // The copy is drawn after a second in any case: here the server is quick, on any machine.
    const isTold = async (): Promise<boolean> => {
      await context.clock.runFor(10);
      return after.url().endsWith('/organization-membership-required');
    };
    await expect.poll(isTold, { intervals: [150], timeout: 13_000 }).toBe(true);
    await expect(title(after)).toBeVisible();
    expect(
      await after.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn),
    ).toEqual([]);
    await expectOnce(world, project, 0);
  });

  test('has nothing of it on the disk any more, also while a page is open', async ({
    world,
    team,
    context,
    page,
  }) => {
    const project = await team.project('Harvest of secrets', {
      isPublic: false,
      description: 'Words of the press',
    });
    await openProject(page, world.url, project);
    await untilLoaded(page);
    const plain = await context.newPage();
    await plain.goto(`${world.url}/help/`);
    const kept = async (...stores: string[]): Promise<string> =>
      JSON.stringify(await Promise.all(stores.map((each) => rowsIn(plain, team.ana.id, each))));
    await expect.poll(() => kept('chunks')).toContain('Words of the press');
    const [membership] = await team.api.list(
      `/api/organization-memberships?filter[user]=${team.ana.id}`,
    );
    if (membership === undefined) throw new Error('Ana is no member');
    await team.api.change({
      type: 'projects',
      id: project,
      relationships: { owner: { data: { type: 'users', id: team.ben.id } } },
    });
    await team.api.remove(membership);
    await expect.poll(() => kept('chunks', 'rows')).not.toContain('Words of the press');
  });
});
