import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import type { Of } from '#schema/index.ts';
import { aCause, aGroup, anOrganization, aProject, aRecord } from '../support/make.ts';
import { WRITES } from './administration-writes.ts';
import type { Ground, Write } from './administration-writes.ts';
import { aFailedJob, giveSecondFactor, invite, isFailed } from './asked-online.ts';
import { recordsOf } from './compared-records.ts';
import { untilWhole } from './device-storage.ts';
import { mailedLink } from './mailbox.ts';
import {
  button,
  expectState,
  expectWaiting,
  status,
  switchOf,
  title,
  untilInstalled,
  untilLoaded,
  untilSent,
} from './people.ts';
import { HTML, offer } from './products.ts';
import { superAdmin, test } from './world.ts';
import type { Person, Team, World } from './world.ts';

type Writer = Write['who'];

/** A team with what it has before, and a page of each who writes. */
interface Crew {
  readonly team: Team;
  readonly ground: Ground;
  readonly pages: Readonly<Record<Writer, Page>>;
  /** Who they are, on whose records what is compared hangs. */
  readonly roots: readonly string[];
}

// What never comes fails where it is waited for: the test as a whole may take much longer.
test.use({ actionTimeout: 60_000, navigationTimeout: 60_000 });

type BrowserOf = (person: Person) => Promise<{ newPage: () => Promise<Page> }>;

test('[issue 16] everything that administration writes without the server ends as the same with it', async ({
  world,
  team,
  anotherTeam,
  browserOf,
}) => {
  test.setTimeout(15 * 60_000);
  const online = await aCrew(world, team, browserOf);
  for (const { who, actions, make } of WRITES)
    await test.step(`${actions.join(', ')}, online`, async () => {
      await make(online.pages[who], online.ground);
    });
  for (const page of Object.values(online.pages)) await untilAllSent(page);

  const offline = await aCrew(world, anotherTeam, browserOf);
  await world.stop();
  for (const page of Object.values(offline.pages)) await expectState(page, 'offline');
  for (const { who, actions, changes, make } of WRITES)
    await test.step(`${actions.join(', ')}, offline`, async () => {
      const page = offline.pages[who];
      const before = await waitingOn(page);
      await make(page, offline.ground);
      await expectWaiting(page, before + changes);
    });
  await world.startAgain();
  for (const page of Object.values(offline.pages)) await untilAllSent(page);
  // For how long an engine has not answered is told by the clock, and to whoever is there by then.
  const recordsAfter = async ({ roots, ground }: Crew) =>
    (await recordsOf(world, roots, ground.mark)).filter(
      (record) => !record.includes('messageId: "buildengine'),
    );
  const there = await recordsAfter(online);
  expect(there.length).toBeGreaterThan(50);
  await expect.poll(() => recordsAfter(offline), { timeout: 60_000 }).toEqual(there);
});

/** What needs a connection, by the action or by the file that sends it. */
const NEEDS_CONNECTION: ReadonlySet<string> = new Set([
  'addByEmail',
  'sendWithToken',
  'checkBuildEngine',
  'foundOrganization',
  'acceptInvitation',
  'admin/jobs/use-run-again.ts',
  'admin/package-names/move-package-name.tsx',
  'people/reset-second-factor.tsx',
  'people/own-data.tsx',
  'invitations/request-access.tsx',
]);

const SCREENS = [
  ...['admin', 'app/frame', 'audit', 'directory', 'invitations', 'notifications'],
  ...['organizations', 'people', 'status'],
];
/** The view of a workflow at work is no part of administration. */
const WORKFLOW = 'admin/workflow/';

test('[issue 16] every write of these screens is among those that are tried without a server', () => {
  const known = new Set([...WRITES.flatMap(({ actions }) => actions), ...NEEDS_CONNECTION]);
  const used = SCREENS.flatMap((folder) =>
    readdirSync(join('src/screens', folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith(WORKFLOW))
      .flatMap(writesIn),
  );
  expect(used.length).toBeGreaterThan(40);
  expect([...new Set(used)].filter((write) => !known.has(write))).toEqual([]);
  expect([...known].filter((write) => !used.includes(write))).toEqual([]);
});

/** The actions that a file imports, and the file itself where it sends something on its own. */
function writesIn(file: string): readonly string[] {
  const text = readFileSync(join('src/screens', file), 'utf8');
  const imports = text.matchAll(/import \{([^}]*)\} from '#data\/actions\/(?!one-change-each)/g);
  const names = [...imports].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  const sends = /online\.command\(|\.requestDataExport\(|await requestAccess\(/.test(text);
  return [...names.filter((name) => name !== ''), ...(sends ? [file] : [])];
}

test('[issue 16] what needs a connection says so, keeps what was typed, and goes on with it', async ({
  world,
  team,
  anotherTeam,
  browserOf,
  browser,
}) => {
  const sue = await superAdmin(world, team);
  const [bens, sues] = [await browserOf(team.ben), await browserOf(sue)];
  const guests = await browserOf(anotherTeam.ben);
  await giveSecondFactor(world, team.ana);
  const failed = await aFailedJob(world);
  await invite(team, anotherTeam.ben.email);
  const invitation = await mailedLink(world, anotherTeam.ben.email, '/invitations/');
  const { organization } = team;
  const settings = `/organizations/${organization}/settings`;
  const openIn = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${world.url}${path}`);
    await expect(title(page)).toBeVisible();
    return page;
  };
  await arrive(await bens.newPage(), world);
  await arrive(await sues.newPage(), world);
  const invited = await guests.newPage();
  await arrive(invited, world);

  const adding = await openIn(bens, '/users');
  await button(adding, 'Add by email').click();
  await adding.getByLabel(/^Email/).fill(anotherTeam.ana.email);
  const engine = await openIn(bens, `${settings}/infrastructure`);
  await switchOf(engine, /^Use the default build engine/).click();
  await engine.getByLabel('Build engine URL').fill('https://engine.invalid');
  await button(engine, 'Set token').click();
  await engine.getByLabel('Access token').fill('a-secret-1a2b');
  const account = await openIn(bens, '/account');
  await expect(button(account, /^Export/)).toBeEnabled();
  const founding = await openIn(bens, '/invitations/organization/some-token');
  await founding.getByLabel(/^Name/).fill('Northshore');
  const newOne = await openIn(sues, '/admin/settings/organizations/new');
  const [audit, jobs] = [await openIn(sues, '/admin/audit'), await openIn(sues, '/admin/jobs')];
  await expect(button(audit, 'Save as CSV')).toBeEnabled();
  const runAgain = jobs
    .getByRole('row')
    .filter({ hasText: 'The mail server did not accept the email.' })
    .getByRole('button', { name: /^Run again/ });
  await expect(runAgain).toBeEnabled();
  const factor = await openIn(sues, `/users/${team.ana.id}/settings`);
  await button(factor, 'Switch it off…').click();
  const switchOff = factor.getByRole('dialog').getByRole('button', { name: 'Switch it off' });
  await expect(switchOff).toBeEnabled();
  const asking = await (await browser.newContext()).newPage();
  await asking.goto(`${world.url}/request-access-for-organization`);
  await asking.getByLabel('Organization name').fill('Northshore');

  world.proxy.setOpen(false);
  await invited.goto(invitation);
  await expect(invited.getByText('The server is not answering')).toBeVisible();
  for (const context of [asking.context(), guests]) await context.setOffline(true);
  for (const page of [adding, engine, account, newOne, audit, jobs, factor]) {
    await expectState(page, 'offline');
    await expect(page.getByText('Needs a connection').first()).toBeVisible();
  }
  for (const page of [founding, asking, invited])
    await expect(page.getByText('Needs a connection').first()).toBeVisible();
  await expect(adding.getByRole('dialog').getByRole('button', { name: 'Add' })).toBeDisabled();
  await expect(button(engine, 'Test connection')).toBeDisabled();
  for (const name of [/^Export/, /^Delete/, /^Change: Password/, /^View: Devices/])
    await expect(button(account, name)).toBeDisabled();
  await expect(button(founding, 'Add Organization')).toBeDisabled();
  await expect(button(newOne, 'Set token')).toBeDisabled();
  await expect(button(audit, 'Save as CSV')).toBeDisabled();
  for (const command of [button(asking, 'Submit'), runAgain, switchOff])
    await expect(command).toBeDisabled();

  // Who saves all the same is told, and has typed nothing in vain.
  await button(engine, 'Save').click();
  await expect(engine.getByText('The server did not answer').first()).toBeVisible();
  await expect(engine.getByLabel('Access token')).toHaveValue('a-secret-1a2b');
  await expect(adding.getByLabel(/^Email/)).toHaveValue(anotherTeam.ana.email);
  await expect(founding.getByLabel(/^Name/)).toHaveValue('Northshore');
  await expect(asking.getByLabel('Organization name')).toHaveValue('Northshore');

  world.proxy.reset();
  for (const context of [asking.context(), guests]) await context.setOffline(false);
  for (const page of [adding, engine, account, newOne, audit, jobs, factor])
    await expect(page.getByText('Needs a connection')).toHaveCount(0);
  await adding.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(adding.getByText('is asked whether they stay')).toBeVisible();
  await button(engine, 'Save').click();
  await expect(engine.getByText('Set, ends in 1a2b')).toBeVisible();
  const at = await team.api.first(`/api/organizations/${organization}`);
  expect(at.attributes?.['build-engine-api-access-token-hint']).toBe('1a2b');
  await switchOff.click();
  await expect(factor.getByText('Off: the password alone signs in.')).toBeVisible();
  await runAgain.click();
  await expect.poll(() => isFailed(world, failed)).toBe(false);
  await expect(title(invited)).toHaveText('Organization Membership has Changed');
  await asking.context().close();
});

/** Of a day's changes, which the server takes one after the other. */
async function untilAllSent(page: Page): Promise<void> {
  await expect(status(page)).toHaveAttribute('data-waiting', '0', { timeout: 90_000 });
  await untilSent(page);
}

async function waitingOn(page: Page): Promise<number> {
  await expectState(page, 'offline');
  return Number(await status(page).getAttribute('data-waiting'));
}

async function arrive(page: Page, { url }: World): Promise<void> {
  await page.goto(`${url}/tasks`);
  await untilLoaded(page);
  await untilInstalled(page);
}

async function aCrew(world: World, team: Team, browserOf: BrowserOf): Promise<Crew> {
  const [ben, sue] = [team.ben, await superAdmin(world, team)];
  const [aki, olga, pia, cleo] = [
    await team.join('Aki', ['Author']),
    await team.join('Olga', ['AppBuilder']),
    await team.join('Pia', ['AppBuilder']),
    await team.join('Cleo', []),
  ];
  const annex = await ofTeam(world, team, { aki, ben, cleo, pia });
  // What is made of the first letters of a name begins the same for each, and no two are the same.
  const digits = randomUUID().replaceAll('-', '').slice(0, 12);
  const mark = `m${digits.replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`;
  const ids = await ofNobody(world, sue, mark);
  const people = {
    Aki: aki.id,
    Ben: ben.id,
    Cleo: cleo.id,
    Olga: olga.id,
    Pia: pia.id,
    Sue: sue.id,
  };
  const { organization } = team;
  const pages = {
    Ben: await (await browserOf(ben)).newPage(),
    Cleo: await (await browserOf(cleo)).newPage(),
    Sue: await (await browserOf(sue)).newPage(),
  };
  for (const page of Object.values(pages)) await arrive(page, world);
  await lookAtOwn(pages.Sue, world, team);
  // Invitations come to a device when their page is opened.
  await pages.Ben.goto(`${world.url}/users`);
  await pages.Sue.goto(`${world.url}/admin`);
  for (const page of [pages.Ben, pages.Sue])
    await expect(page.getByText(/^Open invites/)).toBeVisible();
  await untilWhole(pages.Ben, ben);
  await untilWhole(pages.Cleo, cleo);
  await untilWhole(pages.Sue, sue, organization);
  return {
    team,
    ground: { url: world.url, organization, mark, people, ids },
    pages,
    roots: [organization, annex, team.ana.id, ...Object.values(people)],
  };
}

/** A super admin's device holds the records of the organization in view. */
async function lookAtOwn(page: Page, { url }: World, { organization }: Team): Promise<void> {
  await page.goto(`${url}/admin/settings/organizations/${organization}/stores`);
  const lookAt = button(page, /^Look at /);
  const stores = page.getByRole('switch');
  await lookAt.or(stores).first().waitFor();
  if (await lookAt.isVisible()) await lookAt.click();
  await expect(stores.first()).toBeVisible();
  await untilLoaded(page);
}

type Joined = Readonly<Record<'aki' | 'ben' | 'cleo' | 'pia', Person>>;

/** What hangs on the team. Returns the organization to which Cleo was added as well. */
async function ofTeam(world: World, team: Team, joined: Joined): Promise<string> {
  const { aki, ben, cleo, pia } = joined;
  const { db } = world.parts;
  const { organization, group } = team;
  await offer(world, team, HTML);
  await aGroup(db, { owner: organization, name: 'Choir', abbreviation: 'CH' });
  await aGroup(db, { owner: organization, name: 'Tenors', abbreviation: 'TE' });
  const readers = await aGroup(db, { owner: organization, name: 'Readers', abbreviation: 'RE' });
  await aRecord(db, 'groupMembership', { user: aki.id, group: readers.id });
  for (const name of ['Harvest', 'Psalms'])
    await aProject(db, { organization, group, owner: pia.id, name });
  for (const message of ['A first message', 'A second message'])
    await aRecord(db, 'notification', { user: ben.id, message });
  const invited: Partial<Of<'organizationMembershipInvite'>> = {
    organization,
    invitedBy: ben.id,
    expiresAt: new Date(world.parts.clock() + 3_600_000).toISOString(),
    redeemed: false,
    roleNames: ['Author'],
    groupIds: [group],
  };
  for (const email of ['again@example.org', 'withdrawn@example.org'])
    await aRecord(db, 'organizationMembershipInvite', { ...invited, email });

  const annex = await anOrganization(db, { owner: team.ana.id, name: 'Annex' });
  const added = { dateAccepted: null, addedBy: ben.id };
  await aRecord(db, 'organizationMembership', {
    ...added,
    user: cleo.id,
    organization: annex.id,
  });
  const [membership] = await db.read((tx) =>
    tx.all('organizationMembership', { user: cleo.id, organization }),
  );
  await db.write(aCause(), (w) => w.change('organizationMembership', membership?.id ?? '', added));
  return annex.id;
}

/** What belongs to nobody: of each kind one that is kept and one that goes. Returns their ids. */
async function ofNobody(
  { parts: { db, clock } }: World,
  sue: Person,
  mark: string,
): Promise<Ground['ids']> {
  const ids: Record<string, string> = {};
  const applicationType = await db.read(async (tx) => (await tx.all('applicationType', {}))[0]?.id);
  if (applicationType === undefined) throw new Error('There is no application type');
  // What goes is used by nothing.
  for (const which of ['Kept', 'Old']) {
    const name = (one: string) => `${which} ${one} ${mark}`;
    ids[`${which} type`] = (await aRecord(db, 'storeType', { name: name('type') })).id;
    const storeType = ids['Kept type'] ?? '';
    const lane = { name: name('lane'), type: 1, storeType } as const;
    ids[`${which} lane`] = (await aRecord(db, 'workflowDefinition', lane)).id;
    ids[`${which} shop`] = (await aRecord(db, 'store', { name: name('shop'), storeType })).id;
    const workflow = ids['Kept lane'] ?? '';
    const leaflet = { name: name('leaflet'), type: applicationType, workflow };
    ids[`${which} leaflet`] = (await aRecord(db, 'productDefinition', leaflet)).id;
    ids[`${which} hill`] = (await anOrganization(db, { owner: sue.id, name: name('hill') })).id;
  }
  for (const of of ['again', 'gone'])
    await aRecord(db, 'organizationInvite', {
      ownerEmail: `${of}-${mark}@example.org`,
      expiresAt: new Date(clock() + 3_600_000).toISOString(),
      redeemed: false,
    });
  return ids;
}
