import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { changeLogOf } from '../support/change-log.ts';
import {
  expectState,
  expectWaiting,
  goWithin,
  openProject,
  rename,
  title,
  untilInstalled,
  untilLoaded,
  untilSent,
} from './people.ts';
import { bodiesOf, expectOnce, holdBack, isSending } from './sending.ts';
import type { TabProcess } from './tab-process.ts';
import { test } from './world.ts';

/** Times are printed and never asserted. */
const say = (text: string): boolean => process.stdout.write(`    ${text}\n`);
const since = (at: number): string => `${String(Math.round(performance.now() - at))} ms`;

/** Tabs of one browser, loaded. */
async function openTabs(openTab: () => Promise<TabProcess>, count: number): Promise<TabProcess[]> {
  const tabs: TabProcess[] = [];
  for (let n = 0; n < count; n += 1) {
    const tab = await openTab();
    await untilLoaded(tab.page);
    await untilInstalled(tab.page);
    tabs.push(tab);
  }
  return tabs;
}

/** Of two tabs the one that leads, and the other one; whoever was slow to answer leads no more. */
async function byLead(tabs: readonly TabProcess[]): Promise<readonly [TabProcess, TabProcess]> {
  const leads: boolean[] = [];
  for (const { page } of tabs) leads.push(await page.evaluate(isLeading));
  const leader = tabs[leads.indexOf(true)];
  const other = tabs[leads.indexOf(false)];
  if (leader === undefined || other === undefined) throw new Error('One of two tabs leads');
  return [leader, other];
}

/** Runs in a page: whether it holds the lock of the tab that leads. */
async function isLeading(): Promise<boolean> {
  const own = 'which tab is this';
  return navigator.locks.request(own, async () => {
    const { held = [] } = await navigator.locks.query();
    const clientOf = (name: RegExp) => held.find((lock) => name.test(lock.name ?? ''))?.clientId;
    return clientOf(/^which tab/) === clientOf(/^slipway-[0-9a-f]{8}-/);
  });
}

const projectAt = async (page: Page, project: string): Promise<void> => {
  // Within the app: the tab goes on living.
  await goWithin(page, `/projects/${project}`);
  await expect(title(page)).toBeVisible();
};

test.describe('[fault 9] two tabs of one person, both with edits', () => {
  test('have one sender, and both edits arrive, in order', async ({
    page: first,
    context,
    world,
    team,
    harvest,
  }) => {
    const second = await context.newPage();
    await openProject(second, world.url, harvest);
    holdBack(world.proxy);
    await rename(second, 'By the second tab');
    await expect(title(first)).toHaveText(/By the second tab/);
    await rename(first, 'By the first tab');
    await expect(title(second)).toHaveText(/By the first tab/);
    await expectWaiting(second, 2);
    await expectWaiting(first, 2);
    world.proxy.reset();

    await untilSent(first);
    await untilSent(second);
    await expectOnce(world, harvest, 2);
    const { attributes } = await team.api.first(`/api/projects/${harvest}`);
    expect(attributes?.name).toBe('By the first tab');
    const sent = bodiesOf(world.proxy);
    expect(sent.flat()).toHaveLength(new Set(sent.flat()).size);
  });
});

test.describe('[fault 10] the sending tab is gone in the middle of a request', () => {
  for (const how of ['killed', 'frozen', 'closed'] as const) {
    test(`another tab sends with the same ids: ${how}`, async ({ world, team, openTab }) => {
      const project = await team.project('Harvest');
      const tabs = await openTabs(() => openTab(project), 2);
      let isHanging = true;
      world.proxy.decide((request) => (isHanging && isSending(request) ? 'hang' : 'pass'));
      // Else the news would tell what the answer does not.
      world.proxy.sockets.stall(true);
      await rename((await byLead(tabs))[1].page, 'Sent by whom');
      await expect.poll(() => bodiesOf(world.proxy).length).toBe(1);
      isHanging = false;
      const [leader, other] = await byLead(tabs);

      const at = performance.now();
      if (how === 'killed') await leader.kill();
      if (how === 'frozen') leader.freeze();
      if (how === 'closed') await leader.page.close();
      if (how === 'frozen') await rename(other.page, 'And then');
      await expect.poll(() => bodiesOf(world.proxy).length, { intervals: [50] }).toBeGreaterThan(1);
      say(`${how}: sent again after ${since(at)}`);
      world.proxy.sockets.stall(false);
      await untilSent(other.page);

      const [first, second] = bodiesOf(world.proxy);
      expect(second?.[0]).toBe(first?.[0]);
      const written = await expectOnce(world, project, how === 'frozen' ? 2 : 1);
      expect(written[0]).toBe(first?.[0]);
      if (how !== 'frozen') return;

      // It wakes, and writes nothing more of its own.
      leader.thaw();
      await untilSent(leader.page);
      await expect(title(leader.page)).toHaveText(/And then/);
      await rename(leader.page, 'From the one that woke');
      await untilSent(leader.page);
      await expect(title(other.page)).toHaveText(/From the one that woke/);
      await expectOnce(world, project, 3);
    });
  }
});

test.describe('[three tabs] offline, each with edits of the same and of different projects', () => {
  test('send everything once and in order, though the sending tab is killed', async ({
    world,
    team,
    openTab,
  }) => {
    const shared = await team.project('Shared');
    const own = [
      await team.project('Own 0'),
      await team.project('Own 1'),
      await team.project('Own 2'),
    ];
    const tabs = await openTabs(() => openTab(shared), 3);
    world.proxy.setOpen(false);
    for (const { page } of tabs) await expectState(page, 'offline');

    for (const round of ['a', 'b']) {
      for (const [n, { page }] of tabs.entries()) {
        await page.bringToFront();
        await projectAt(page, shared);
        await rename(page, `Shared ${round}${String(n)}`);
        await projectAt(page, own[n] ?? '');
        await rename(page, `Own ${round}${String(n)}`);
      }
    }
    const [leader, ...rest] = tabs;
    for (const { page } of rest) {
      await page.bringToFront();
      await projectAt(page, shared);
      await expect(title(page)).toHaveText(/Shared b2/);
    }

    await leader?.kill();
    const at = performance.now();
    world.proxy.reset();
    await expect.poll(() => bodiesOf(world.proxy).length, { intervals: [50] }).toBeGreaterThan(0);
    const sender = since(at);
    for (const { page } of rest) await untilSent(page);
    say(`A new sender after ${sender}, all sent after ${since(at)}`);

    const sent = bodiesOf(world.proxy).flat();
    expect(sent).toHaveLength(new Set(sent).size);
    const log = await changeLogOf(world.parts.db, [shared, ...own]);
    const written = [shared, ...own].flatMap((id) => log.changesOf(id));
    expect([...written].sort()).toEqual([...sent].sort());
    const ofShared = log.changesOf(shared);
    expect(sent.filter((id) => ofShared.includes(id))).toEqual(ofShared);
    for (const [id, name] of [
      [shared, 'Shared b2'],
      ...own.map((id, n) => [id, `Own b${String(n)}`] as const),
    ]) {
      const { attributes } = await team.api.first(`/api/projects/${id}`);
      expect(attributes?.name).toBe(name);
    }
    for (const { page } of rest) await expect(title(page)).toHaveText(/Shared b2/);
  });
});
