import { randomFillSync, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { test as base } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import type { RoleName } from '#schema/role.ts';
import type { Of } from '#schema/index.ts';
import { readConfig } from '#server/kernel/config.ts';
import { addAccount } from '#server/domain/accounts/accounts.ts';
import { hashPassword, PUBLISHED_COST } from '#server/domain/accounts/password.ts';
import { provision } from '#server/domain/accounts/person.ts';
import { start } from '#server/main.ts';
import type { RunningServer } from '#server/main.ts';
import type { Services } from '#server/domain/services.ts';
import { migratedPlace } from '../support/database.ts';
import { aGroup, aMember, anOrganization, aProject, aRole } from '../support/make.ts';
import { startProxy } from '../support/proxy.ts';
import type { Proxy } from '../support/proxy.ts';
import { freePort, spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { signInByForm } from '../support/sign-in.ts';
import { TEST_KEY } from '../support/test-key.ts';
import { apiWith } from './api.ts';
import type { Api } from './api.ts';
import { untilDemoRests } from './demo-at-rest.ts';
import { openProject, PASSWORD } from './people.ts';
import { storageStateOf } from './storage-state.ts';
import { openTabProcess } from './tab-process.ts';
import type { TabProcess } from './tab-process.ts';

/**
 * Our server, in this process so that a test can look into its database, behind a proxy. The
 * database is on the PostgreSQL of this run, where there is one (decision 69).
 */
export interface World {
  /** Where browsers go: through the proxy. */
  readonly url: string;
  /** Past the proxy. */
  readonly serverUrl: string;
  readonly proxy: Proxy;
  readonly parts: Services;
  /** How far the server's clock is ahead of the true one. */
  aheadMs: number;
  /** Stops the server, its connections too, and resolves once it is gone. */
  stop(): Promise<void>;
  startAgain(): Promise<void>;
}

/** Somebody with an account. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** An organization of this test's own: Ana builds apps, Ben administers, both in one group. */
export interface Team {
  readonly organization: string;
  readonly group: string;
  readonly ana: Person;
  readonly ben: Person;
  /** What Ben does meanwhile, past the proxy. */
  readonly api: Api;
  /** What `person` does meanwhile on another device. */
  readonly apiOf: (person: Person) => Promise<Api>;
  /** A project of Ana's. */
  project(name: string, fields?: Partial<Of<'project'>>): Promise<string>;
  join(name: string, roles: readonly Exclude<RoleName, 'SuperAdmin'>[]): Promise<Person>;
}

interface Fixtures {
  readonly team: Team;
  /** As `team`, with nobody in both. */
  readonly anotherTeam: Team;
  /** A browser of its own with `person` signed in; closed after the test. */
  readonly browserOf: (person: Person) => Promise<BrowserContext>;
  /** A browser of Ana's. */
  readonly context: BrowserContext;
  /** A page in it, with nothing opened yet. */
  readonly page: Page;
  /** A project of Ana's that `page` shows, loaded. */
  readonly harvest: string;
  /** Opens a project in a tab of `context` with a process of its own. */
  readonly openTab: (project: string) => Promise<TabProcess>;
}

interface WorkerFixtures {
  readonly world: World;
  /** A server with the demo, at rest, for tests that disturb none of the others at it. */
  readonly demo: SpawnedServer;
}

/**
 * The servers that a worker starts when a test asks for them. Playwright starts another worker for
 * tests with other fixtures of this scope, so tests that start servers of their own use this too.
 */
export const testWithServers = base.extend<object, WorkerFixtures>({
  world: [
    async ({}, give) => {
      const world = await openWorld();
      await give(world);
      await world.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  demo: [
    async ({}, give) => {
      const server = await spawnServer({ DEMO: '1' });
      await untilDemoRests(server.url);
      await give(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

export const test = testWithServers.extend<Fixtures>({
  team: async ({ world }, give) => {
    world.proxy.reset();
    world.aheadMs = 0;
    await give(await aTeam(world));
    world.aheadMs = 0;
  },
  anotherTeam: async ({ world }, give) => {
    await give(await aTeam(world));
  },
  browserOf: async ({ world, browser }, give) => {
    const open: BrowserContext[] = [];
    await give(async (person) => {
      const context = await browser.newContext({
        storageState: await storageStateOf(world, person.email),
      });
      open.push(context);
      return context;
    });
    world.proxy.reset();
    for (const context of open) await context.close();
  },
  context: async ({ team, browserOf }, give) => {
    await give(await browserOf(team.ana));
  },
  page: async ({ context }, give) => {
    await give(await context.newPage());
  },
  harvest: async ({ page, world, team }, give) => {
    const project = await team.project('Harvest');
    await openProject(page, world.url, project);
    await give(project);
  },
  openTab: async ({ world, browser, context }, give) => {
    await give((project) => openTabProcess(browser, context, `${world.url}/projects/${project}`));
  },
});

async function openWorld(): Promise<World & { close(): Promise<void> }> {
  const place = await migratedPlace();
  const port = await freePort();
  const proxy = await startProxy(port);
  const config = readConfig({
    DEMO: '0',
    SECRET_KEY: TEST_KEY,
    PORT: String(port),
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl ?? '',
    PUBLIC_URL: proxy.url,
  });
  const surroundings = {
    clock: () => Date.now() + world.aheadMs,
    random: (bytes: Uint8Array) => randomFillSync(bytes),
    appDir: resolve('dist'),
    // Everybody in all tests of a worker comes from one address.
    limits: { formsOfAddress: 100_000, requestsOfAddress: 100_000 },
  };
  let running: RunningServer | null = null;
  const world = {
    url: proxy.url,
    serverUrl: `http://127.0.0.1:${String(port)}`,
    proxy,
    aheadMs: 0,
    get parts() {
      if (running === null) throw new Error('The server is stopped');
      return running.services;
    },
    stop: async () => {
      await running?.stop();
      running = null;
    },
    startAgain: async () => {
      running ??= await start(config, surroundings);
    },
    close: async () => {
      await proxy.close();
      await world.stop();
      await place.remove();
    },
  };
  await world.startAgain();
  return world;
}

async function aPerson({ parts }: World, name: string): Promise<Person> {
  const { db, clock, random } = parts;
  const email = `${name.toLowerCase()}-${randomUUID()}@slipway.test`;
  const account = {
    email,
    name,
    passwordHash: await hashPassword(PASSWORD, random, PUBLISHED_COST),
    isVerified: true,
    locale: 'en-US',
  };
  const sub = await db.transact((tx) => addAccount(tx, account, clock, random));
  if (sub === null) throw new Error(`${email} has an account already`);
  const identity = { sub, email, name, givenName: name, familyName: null, locale: 'en-US' };
  const { user } = await provision(parts, identity);
  // The app would send the browser's zone by itself, between what a test does.
  await db.write({ at: clock(), by: null, changes: [] }, (write) =>
    write.change('user', user.id, { timezone: 'UTC' }),
  );
  return { id: user.id, email, name };
}

/** A super admin who belongs to the team too. */
export async function superAdmin({ parts }: World, team: Team): Promise<Person> {
  const sue = await team.join('Sue', []);
  await aRole(parts.db, sue.id, 'SuperAdmin', null);
  return sue;
}

async function aTeam(world: World): Promise<Team> {
  const { db } = world.parts;
  const organization = (await anOrganization(db)).id;
  const group = (await aGroup(db, { owner: organization })).id;
  const join: Team['join'] = async (name, roles) => {
    const person = await aPerson(world, name);
    await aMember(db, organization, { user: person.id, roles, groups: [group] });
    return person;
  };
  const apiOf: Team['apiOf'] = async (person) =>
    apiWith(
      world.serverUrl,
      (await signInByForm(world.serverUrl, person.email, PASSWORD)).access_token,
    );
  const ana = await join('Ana', ['AppBuilder']);
  const ben = await join('Ben', ['AppBuilder', 'OrganizationAdmin']);
  return {
    organization,
    group,
    ana,
    ben,
    join,
    api: await apiOf(ben),
    apiOf,
    project: async (name, fields = {}) =>
      (await aProject(db, { owner: ana.id, organization, group, name, ...fields })).id,
  };
}
