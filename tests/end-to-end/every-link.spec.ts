import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import english from '#text/en-US.json' with { type: 'json' };
import { sendEveryMessage } from './every-message.ts';
import { expectSomething } from './link-queue.ts';
import { MAIL_KINDS, mailsOf } from './mailbox.ts';
import { button, untilLoaded } from './people.ts';
import { test } from './world.ts';
import type { Person, World } from './world.ts';

/** Every kind of notification, by its text. */
const NOTIFICATIONS = Object.keys(english).flatMap((key) => {
  const [, kind] = /^notifications\.(\w+)$/.exec(key) ?? [];
  return kind === undefined ? [] : [kind];
});

/** What leads out of Slipway is not ours. */
const isOurs = (world: World, link: string): boolean => new URL(link).origin === world.url;

test('no link of any mail or notification leads to nothing, for whom it is for and for who is signed out', async ({
  world,
  team,
  anotherTeam,
  browser,
  browserOf,
}) => {
  test.setTimeout(500_000);
  const people = await sendEveryMessage(world, team, anotherTeam);
  await expect
    .poll(() =>
      missingFrom(
        MAIL_KINDS,
        mailsOf(world).map(({ kind }) => kind ?? ''),
      ),
    )
    .toEqual([]);
  // A mail of its kind may be there before the job that notifies of it has run.
  await expect
    .poll(async () => missingFrom(NOTIFICATIONS, await kindsOf(world, people)))
    .toEqual([]);

  const signedOut = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  const read = new Set<string>();
  for (const person of people)
    await test.step(person.name, async () => {
      const page = await (await browserOf(person)).newPage();
      await page.goto(`${world.url}/tasks`);
      await untilLoaded(page);
      const isNotified = (await kindsOf(world, [person])).length > 0;
      const links = [
        ...linksMailedTo(world, person.email),
        ...(isNotified ? await linksOfBell(page) : []),
      ];
      for (const link of new Set(links)) {
        if (!read.has(link)) await expectToLead(signedOut, link, 'somebody signed out');
        read.add(link);
        await expectToLead(page, link, person.name);
      }
    });
  // Reviewers have no account.
  for (const link of linksMailedTo(world, 'rosa@example.org').filter((each) => isOurs(world, each)))
    await expectToLead(signedOut, link, 'a reviewer');
  await signedOut.context().close();
});

const missingFrom = (all: readonly string[], present: readonly string[]): readonly string[] =>
  all.filter((each) => !present.includes(each));

async function kindsOf(world: World, people: readonly Person[]): Promise<readonly string[]> {
  const kinds: string[] = [];
  for (const { id: user } of people) {
    const rows = await world.parts.db.read((tx) => tx.all('notification', { user }));
    kinds.push(...rows.flatMap(({ messageId }) => messageId ?? []));
  }
  return kinds;
}

function linksMailedTo(world: World, address: string): readonly string[] {
  return mailsOf(world)
    .filter(({ to }) => to === address)
    .flatMap(({ links }) => links)
    .filter((link) => isOurs(world, link));
}

/** Where the list of notifications leads. */
async function linksOfBell(page: Page): Promise<readonly string[]> {
  await button(page, /^Notifications/).click();
  const drawer = page.getByRole('dialog', { name: /^Notifications/ });
  await expect(drawer.locator('.notification').first()).toBeVisible();
  return drawer
    .locator('.notification-text a')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
}

async function expectToLead(page: Page, link: string, who: string): Promise<void> {
  await test.step(`${who} at ${link}`, async () => {
    const { pathname, hash } = new URL(link);
    if (pathname.startsWith('/files/')) {
      const file = await page.request.get(link);
      expect(file.status(), `${who} at ${link}`).toBe(200);
      return;
    }
    // From a page to another place of it a browser asks for nothing.
    if (hash !== '') await page.goto('about:blank');
    const answer = await page.goto(link);
    expect(answer?.status(), `${who} at ${link}`).toBeLessThan(400);
    await expectSomething(page, `${who} at ${link}`);
  });
}
