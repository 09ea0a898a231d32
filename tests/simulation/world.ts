import { newId } from '#base/id.ts';
import { paths } from '#protocol/paths.ts';
import type { TypeName } from '#schema/index.ts';
import type { RoleName } from '#schema/role.ts';
import type { WriteCause, Database, WriteTransaction } from '#server/db/database.ts';
import { headOf } from '#server/feed/write-feed.ts';
import { Device } from './browser.ts';
import type { Person } from './browser.ts';
import { Chance } from './chance.ts';
import { Network } from './network.ts';
import { BEGIN } from './place.ts';
import type { Place } from './place.ts';
import { quiet, Schedule } from './schedule.ts';
import type { Owner } from './schedule.ts';
import { SimulatedServer } from './server.ts';
import { calm } from './weather.ts';

/** An organization of the world, with what a new project in it needs. */
export interface Press {
  readonly organization: string;
  readonly groups: readonly string[];
  readonly type: string;
}

export interface WorldOptions {
  readonly seed: number;
  readonly people?: number;
  readonly presses?: number;
  readonly projects?: number;
  readonly isTraced?: boolean;
  /** Beyond so many steps the world gives up. */
  readonly steps?: number;
}

/** How many groups an organization has, and in how many of them there are projects from the start. */
const GROUPS = 4;
const GROUPS_USED = 2;

/** A server, devices with tabs, and the network between them; everything that happens is its schedule's. */
export class World {
  readonly schedule: Schedule;
  readonly chance: Chance;
  readonly place: Place;
  readonly server: SimulatedServer;
  readonly network: Network;
  readonly people: Person[] = [];
  readonly presses: Press[] = [];
  readonly devices: Device[] = [];
  /** The events that happen by themselves, and acts of people who are not simulated. */
  readonly owner: Owner = { name: 'world', isFrozen: false, isDead: false, soon: null };
  /** How long a hint that there are commits takes; null: it is lost. */
  hintDelayMs: () => number | null = () => 0;
  readonly #ids: () => string;
  /** The records that people saw when they looked last, and the commit. */
  readonly #seen = new Map<Person, Seen>();

  private constructor(place: Place, { seed, isTraced = false, steps }: WorldOptions) {
    this.place = place;
    this.chance = new Chance(seed);
    this.schedule = new Schedule(this.chance.branch('schedule'), BEGIN, isTraced, steps);
    const ids = this.chance.branch('ids');
    this.#ids = () => newId(() => this.schedule.now, ids.bytes);
    this.server = new SimulatedServer(this.schedule, this.chance.branch('server'), place, {
      delayMs: () => this.hintDelayMs(),
    });
    const chance = this.chance.branch('network');
    this.network = new Network(this.schedule, this.server, chance, calm(chance));
  }

  static async make(place: Place, options: WorldOptions): Promise<World> {
    place.beginAnew();
    const world = new World(place, options);
    await world.server.start();
    await world.#settle(options);
    await quiet();
    return world;
  }

  newId(): string {
    return this.#ids();
  }

  cause(by: string | null = null): WriteCause {
    return { at: this.schedule.now, by, changes: [] };
  }

  async #settle({ people = 2, presses = 1, projects = 5 }: WorldOptions): Promise<void> {
    const { db } = this.server.parts;
    const [kind] = await db.read((tx) => tx.all('applicationType', {}));
    if (kind === undefined) throw new Error('There is no type of app');
    await db.write(this.cause(), async (w) => {
      for (let i = 0; i < people; i += 1) await this.#addPerson(w, NAMES[i] ?? `Person${i}`);
      for (let i = 0; i < presses; i += 1) await this.#addPress(w, `Press ${i + 1}`, kind.id);
      for (let i = 0; i < projects; i += 1) await this.#addProject(w, `Project ${i + 1}`, i);
    });
  }

  async #addPerson(w: WriteTransaction, name: string): Promise<void> {
    const id = this.newId();
    const sub = `sim|${name.toLowerCase()}`;
    const email = `${name.toLowerCase()}@example.org`;
    await w.insert('user', { id, name, email, authId: sub, locale: 'en-US' });
    this.people.push({ name, id, sub, email });
  }

  async #addPress(w: WriteTransaction, name: string, type: string): Promise<void> {
    const organization = this.newId();
    const owner = this.people[0]?.id ?? '';
    await w.insert('organization', { id: organization, name, owner });
    const groups = Array.from({ length: GROUPS }, () => this.newId());
    for (const [i, id] of groups.entries())
      await w.insert('group', {
        id,
        name: `Group ${i + 1}`,
        abbreviation: `G${i + 1}`,
        owner: organization,
      });
    this.presses.push({ organization, groups, type });
    for (const person of this.people) await this.join(w, person, organization, groups);
  }

  /** Makes `person` a member with all it takes to work on projects. */
  async join(
    w: WriteTransaction,
    { id: user }: Person,
    organization: string,
    groups: readonly string[],
  ): Promise<void> {
    const dateAccepted = new Date(0).toISOString();
    await w.insert('organizationMembership', {
      id: this.newId(),
      user,
      organization,
      dateAccepted,
    });
    const roles = await w.all('role', {});
    for (const roleName of ['AppBuilder', 'OrganizationAdmin'] as const) {
      const role = roles.find((one) => one.roleName === (roleName as RoleName))?.id ?? '';
      await w.insert('userRole', { id: this.newId(), user, role, roleName, organization });
    }
    for (const group of groups)
      if ((await w.one('group', group)) !== null)
        await w.insert('groupMembership', { id: this.newId(), user, group });
  }

  async #addProject(w: WriteTransaction, name: string, i: number): Promise<void> {
    const press = this.presses[i % this.presses.length];
    const owner = this.people[i % this.people.length];
    if (press === undefined || owner === undefined) return;
    await w.insert('project', {
      id: this.newId(),
      name,
      language: 'en-US',
      organization: press.organization,
      group: press.groups[i % GROUPS_USED] ?? '',
      owner: owner.id,
      type: press.type,
    });
  }

  /** A browser; `person` is signed in there. */
  addDevice(name: string, person: Person): Device {
    const device = new Device(
      name,
      this.schedule,
      this.network,
      this.chance.branch(`device ${name}`),
    );
    device.person = person;
    this.devices.push(device);
    return device;
  }

  get tabs() {
    return this.devices.flatMap((device) => device.live);
  }

  /** Lets time pass. */
  async pass(ms: number, between?: () => void): Promise<void> {
    await this.schedule.runUntil(this.schedule.now + ms, between);
  }

  /** Lets time pass until `holds`, at most `ms`; says whether it came to that. */
  async until(holds: () => boolean, ms = 60_000): Promise<boolean> {
    const end = this.schedule.now + ms;
    while (!holds()) if (!(await this.schedule.step(end))) return holds();
    return true;
  }

  /** Something that the world does to the database, as soon as it is its turn. */
  write(work: (w: WriteTransaction) => Promise<void>, by: string | null = null): Promise<void> {
    const { db } = this.server.parts;
    return new Promise((resolve, reject) => {
      this.schedule.plan(this.server.owner, 'someone else writes', () => {
        db.write(this.cause(by), work).then(resolve, reject);
      });
    });
  }

  /** The server's process ends and another begins. */
  async restartServer(downMs: number): Promise<void> {
    this.stopServer();
    await this.pass(downMs);
    await this.startServer();
  }

  stopServer(): void {
    if (!this.server.isUp) return;
    const { owner } = this.server;
    this.server.kill();
    this.network.serverDied(owner);
  }

  async startServer(): Promise<void> {
    if (!this.server.isUp) await this.server.start();
  }

  /** Tells whether `person` may read a record (`type:id`) although it is not in their feed. */
  async mayRead(person: Person, key: string): Promise<boolean> {
    const [type, id = ''] = key.split(':');
    const token = await this.server.tokenFor(person.sub, person.email, 600_000);
    const headers = { Authorization: `Bearer ${token}`, Accept: 'application/vnd.api+json' };
    const address = paths.record(type as TypeName, id);
    const { status } = await this.server.ask({ method: 'GET', address, headers, body: null });
    await quiet();
    return status === 200;
  }

  /** The records that `person` would see after a new first load, by type and id. */
  async seenBy(person: Person): Promise<ReadonlyMap<string, WireRecord>> {
    const { db } = this.server.parts;
    const { n: at } = await db.read(headOf);
    const known = this.#seen.get(person);
    if (known?.at === at && known.db === db) return known.seen;
    const seen = await this.#load(person);
    this.#seen.set(person, { db, at, seen });
    return seen;
  }

  async #load(person: Person): Promise<Map<string, WireRecord>> {
    const token = await this.server.tokenFor(person.sub, person.email, 600_000);
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: 'application/vnd.api+json',
    };
    const seen = new Map<string, WireRecord>();
    let since = '';
    for (;;) {
      const address = `/api/changes${since === '' ? '' : `?since=${encodeURIComponent(since)}`}`;
      const answer = await this.server.ask({ method: 'GET', address, headers, body: null });
      if (answer.status !== 200) throw new Error(`${person.name} is refused: ${answer.body}`);
      const page = JSON.parse(answer.body) as FeedPage;
      for (const { op, data, ref } of page.operations) {
        if (op === 'remove') seen.delete(`${ref?.type ?? ''}/${ref?.id ?? ''}`);
        else if (data !== undefined) seen.set(`${data.type}/${data.id}`, data);
      }
      since = page.meta.cursor;
      if (page.meta.more) continue;
      await quiet();
      return seen;
    }
  }
}

export interface WireRecord {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, { readonly data: unknown }>>;
  readonly meta: { readonly version: number };
}

interface Seen {
  readonly db: Database;
  readonly at: number;
  readonly seen: ReadonlyMap<string, WireRecord>;
}

interface FeedPage {
  readonly operations: readonly {
    readonly op: string;
    readonly data?: WireRecord;
    readonly ref?: { readonly type: string; readonly id: string };
  }[];
  readonly meta: { readonly cursor: string; readonly more: boolean };
}

const NAMES = ['Ana', 'Ben', 'Cleo', 'Dino'];
