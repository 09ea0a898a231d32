import { sql } from 'kysely';
import { JSON_API } from '#protocol/document.ts';
import { headOf } from '#server/feed/write-feed.ts';
import { prune } from '#server/db/prune.ts';
import type { Device, Person, Tab } from './browser.ts';
import type { Chance } from './chance.ts';
import { verdictsIn } from './check.ts';
import { FAULTS, FRAMES, REQUESTS, STORAGE } from './kinds.ts';
import type { Fault, FrameFault, OtherFault, RequestFault } from './kinds.ts';
import type { Ledger } from './ledger.ts';
import type { Fate, FrameFate } from './network.ts';
import type { Answered } from './routes.ts';
import type { StorageFault } from './storage.ts';
import type { World } from './world.ts';

const LEAST = 10;
const MOST_TABS = 3;
const DAY_MS = 86_400_000;

interface Trouble<K> {
  readonly kind: K;
  readonly device: Device;
  left: number;
}

interface Later {
  readonly at: number;
  readonly run: () => Promise<void> | void;
}

/** Everything that goes wrong in one world, as its seed decides. */
export class Faults {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #ledger: Ledger;
  /** How often each really happened. */
  readonly happened = new Map<string, number>();
  readonly wrong: string[] = [];
  readonly #requests: Trouble<RequestFault>[] = [];
  readonly #frames: Trouble<FrameFault>[] = [];
  readonly #storage: Trouble<StorageFault>[] = [];
  #later: Later[] = [];
  #begun = 0;
  #slowUntil = 0;
  #silentUntil = 0;
  #hints: { kind: 'hint-lost' | 'hint-late'; left: number } | null = null;
  readonly #kinds: readonly Fault[];

  constructor(world: World, ledger: Ledger, kinds: readonly Fault[] = FAULTS) {
    this.#world = world;
    this.#ledger = ledger;
    this.#kinds = kinds;
    this.#chance = world.chance.branch('faults');
    const { network } = world;
    const { chance } = network;
    network.weather = {
      latencyMs: () =>
        world.schedule.now < this.#slowUntil
          ? this.#noted('slow', chance.between(500, 4_000))
          : 5 + chance.wait(chance.is(0.1) ? 600 : 40),
      isUp: (device) => device.isOnline,
      fateOf: (tab) => this.#fateOf(tab),
      frameFate: (tab, frame) => this.#frameFate(tab, frame),
      refreshFate: () =>
        world.schedule.now < this.#silentUntil ? this.#noted('refresh-silent', 'silent') : 'well',
    };
    world.hintDelayMs = () => this.#hintDelay();
    for (const device of world.devices) this.#watch(device);
  }

  #watch(device: Device): void {
    device.storageFault = (at) => this.#storageFault(device, at);
  }

  #noted<T>(kind: Fault, value: T): T {
    this.happened.set(kind, (this.happened.get(kind) ?? 0) + 1);
    return value;
  }

  /** Before something is done: what is due comes, and perhaps something else goes wrong. */
  async perhaps(progress: number): Promise<void> {
    const { schedule, devices } = this.#world;
    for (const device of devices) this.#watch(device);
    const due = this.#later.filter(({ at }) => at <= schedule.now);
    this.#later = this.#later.filter(({ at }) => at > schedule.now);
    for (const { run } of due) await run();
    const isBehind = this.#begun < LEAST * progress * 1.2;
    if (!isBehind && !this.#chance.is(0.3)) return;
    this.#begun += 1;
    await this.#begin(this.#chance.any(this.#kinds));
  }

  /** What still goes wrong is put right. */
  async end(): Promise<void> {
    this.#requests.length = 0;
    this.#frames.length = 0;
    this.#storage.length = 0;
    this.#hints = null;
    this.#slowUntil = 0;
    this.#silentUntil = 0;
    const later = this.#later;
    this.#later = [];
    for (const { run } of later) await run();
    await this.#world.startServer();
    await this.#world.pass(100);
    // The server may have died before it took somebody's lock away.
    const unlock = this.#world.write(async (w) => {
      for (const { id } of await w.all('user', { isLocked: true }))
        await w.change('user', id, { isLocked: false });
    });
    let isUnlocked = false;
    void unlock.then(() => {
      isUnlocked = true;
    });
    await this.#world.until(() => isUnlocked);
  }

  #after(ms: number, run: Later['run']): void {
    this.#later.push({ at: this.#world.schedule.now + ms, run });
  }

  async #begin(kind: Fault): Promise<void> {
    const device = this.#chance.any(this.#world.devices);
    this.#world.schedule.trace(`fault ${kind} for ${device.name}`);
    const left = this.#chance.between(1, 4);
    if (isOneOf(REQUESTS, kind)) this.#requests.push({ kind, device, left });
    else if (isOneOf(FRAMES, kind)) this.#frames.push({ kind, device, left });
    else if (isOneOf(STORAGE, kind)) this.#storage.push({ kind, device, left: 1 });
    else await this.#others[kind](device);
  }

  readonly #others: Readonly<Record<OtherFault, (device: Device) => Promise<void> | void>> = {
    offline: (device) => {
      this.#goOffline(device);
    },
    slow: () => {
      this.#slowUntil = this.#world.schedule.now + this.#chance.between(1_000, 8_000);
    },
    'hint-lost': () => {
      this.#hints = { kind: 'hint-lost', left: this.#chance.between(1, 3) };
    },
    'hint-late': () => {
      this.#hints = { kind: 'hint-late', left: this.#chance.between(1, 3) };
    },
    'hub-cut': (device) => {
      const { network } = this.#world;
      for (const line of network.lines) {
        if (line.tab.device !== device) continue;
        network.cutLine(line);
        this.#noted('hub-cut', line);
      }
    },
    'tab-killed': (device) => {
      const tab = this.#aTab(device);
      if (tab !== null) this.#killTab(tab);
    },
    'tab-frozen': (device) => {
      const tab = this.#aTab(device);
      if (tab !== null) this.#freeze(tab);
    },
    'tab-hidden': (device) => {
      const tab = this.#aTab(device);
      if (tab !== null) this.#hide(tab);
    },
    'tab-opened': (device) => {
      if (device.person === null || device.live.length > MOST_TABS) return;
      this.#noted('tab-opened', device.open(device.person));
    },
    'channel-late': (device) => {
      device.channelDelayMs = () =>
        this.#noted('channel-late', Math.min(this.#chance.wait(1_500), 3_000));
      this.#after(this.#chance.between(2_000, 10_000), () => {
        device.channelDelayMs = () => 0;
      });
    },
    'token-expired': (device) => {
      device.expireToken();
      this.#noted('token-expired', device);
    },
    'refresh-silent': (device) => {
      this.#silentUntil = this.#world.schedule.now + this.#chance.between(1_000, 20_000);
      device.loseToken();
    },
    'sign-in-needed': (device) => {
      this.#signOut(device);
    },
    'clock-jump': (device) => {
      device.skewMs = this.#chance.any([-DAY_MS, DAY_MS, -3_600_000, 7_000]);
      this.#noted('clock-jump', device);
    },
    'other-user': (device) => {
      this.#switchUser(device);
    },
    'server-restart': () => {
      if (!this.#world.server.isUp) return;
      this.#world.stopServer();
      this.#noted('server-restart', null);
      this.#after(this.#chance.wait(2_000), () => this.#world.startServer());
    },
    'database-restored': () => {
      this.#world.place.keep();
      this.#after(this.#chance.between(500, 8_000), () => this.#restore());
    },
    'feed-pruned': () => {
      if (this.#world.server.isUp) this.#prune();
    },
    'user-locked': () => {
      if (this.#world.server.isUp) this.#lock(this.#chance.any(this.#world.people));
    },
    'access-revoked': () => {
      if (this.#world.server.isUp) this.#revoke(this.#chance.any(this.#world.people));
    },
    'parent-removed': () => {
      if (this.#world.server.isUp) this.#removeGroup();
    },
    'edited-elsewhere': () => {
      if (this.#world.server.isUp) this.#editElsewhere();
    },
  };

  /** Often the one that leads: it has most to lose. */
  #aTab(device: Device): Tab | null {
    const { live, person } = device;
    if (live.length === 0) return null;
    const leader = person && device.locks.ownerOf(`slipway-${person.id}`);
    const tab = live.find((one) => one === leader);
    return tab !== undefined && this.#chance.is(0.5) ? tab : this.#chance.any(live);
  }

  // on the way ------------------------------------------------------------------------------------

  #fateOf(tab: Tab): Fate {
    const trouble = this.#requests.find(({ device, left }) => left > 0 && device === tab.device);
    if (trouble === undefined || this.#chance.is(0.3)) return { is: 'well' };
    trouble.left -= 1;
    return fateOf(this.#noted(trouble.kind, trouble.kind), String(this.#chance.between(1, 8)));
  }

  #frameFate(tab: Tab, frame: string): FrameFate {
    const trouble = this.#frames.find(({ device, left }) => left > 0 && device === tab.device);
    if (trouble === undefined) return 'well';
    trouble.left -= 1;
    const { network, schedule } = this.#world;
    switch (this.#noted(trouble.kind, trouble.kind)) {
      case 'frame-lost': {
        // What is lost for good takes its connection along, sooner or later.
        const line = network.lines.find((one) => one.tab === tab);
        const cut = (): void => {
          if (line !== undefined) network.cutLine(line);
        };
        schedule.plan(network.owner, 'loses a connection', cut, {
          afterMs: this.#chance.wait(4_000),
        });
        return 'lost';
      }
      case 'frame-repeated':
        return 'repeated';
      case 'frame-later':
        return 'later';
      case 'frame-strange':
        return { instead: strangeFrame(this.#chance, frame) };
      case 'frame-garbled':
        return { instead: '{"type":1,"target":"RemoteDataHasUpdated","arguments":["{\\"oper"]}' };
    }
  }

  #hintDelay(): number | null {
    const hints = this.#hints;
    if (hints === null || hints.left === 0) return 0;
    hints.left -= 1;
    return this.#noted(hints.kind, hints.kind === 'hint-lost' ? null : this.#chance.wait(2_000));
  }

  #goOffline(device: Device): void {
    this.#noted('offline', null);
    const isTold = this.#chance.is(0.6);
    device.isOnline = false;
    if (this.#chance.is(0.5)) this.#world.network.cutAll(device);
    if (isTold) device.pageChanged();
    this.#after(this.#chance.between(500, 15_000), () => {
      device.isOnline = true;
      if (isTold) device.pageChanged();
    });
  }

  // on the device ---------------------------------------------------------------------------------

  #storageFault(device: Device, at: 'open' | 'write' | 'read'): StorageFault | null {
    const trouble = this.#storage.find((one) => one.left > 0 && one.device === device);
    if (trouble === undefined) return null;
    const isFor = {
      quota: 'write',
      abort: 'write',
      close: 'write',
      'refuse-open': 'open',
    } as const;
    if (isFor[trouble.kind] !== at) return null;
    trouble.left -= 1;
    return this.#noted(trouble.kind, trouble.kind);
  }

  #killTab(tab: Tab): void {
    const { device, account } = tab;
    if (this.#chance.is(0.5)) this.#dies(tab, this.#chance.wait(200));
    else this.#stalk(tab, this.#chance.is(0.5) ? 'rows' : null, 300);
    this.#after(this.#chance.between(300, 6_000), () => {
      if (device.person !== account) return;
      if (device.live.length === 0 || this.#chance.is(0.6)) device.open(account);
    });
  }

  #dies(tab: Tab, afterMs: number): void {
    const die = (): void => {
      if (tab.isDead) return;
      tab.kill();
      this.#noted('tab-killed', tab);
    };
    this.#world.schedule.plan(tab.device, `${tab.name} dies`, die, { afterMs });
  }

  /** Waits for the worst moment: while something is being written, or news is. */
  #stalk(tab: Tab, store: 'rows' | null, times: number): void {
    const attack = (): void => {
      if (tab.isDead) return;
      const isTime = store === null ? tab.isStoring : tab.isWriting(store);
      if (times === 0 || (isTime && this.#chance.is(0.3))) this.#dies(tab, 0);
      else this.#stalk(tab, store, times - 1);
    };
    this.#world.schedule.plan(tab.device, `${tab.name} is in danger`, attack, {
      afterMs: tab.isStoring ? 0 : this.#chance.between(1, 20),
    });
  }

  #freeze(tab: Tab): void {
    this.#world.schedule.plan(
      tab.device,
      `${tab.name} freezes`,
      () => {
        // A browser lets a page finish what it does with its storage.
        if (tab.isDead) return;
        if (tab.isStoring) {
          this.#freeze(tab);
          return;
        }
        this.#noted('tab-frozen', null);
        tab.isFrozen = true;
      },
      { afterMs: 3 },
    );
    this.#after(this.#chance.between(1_000, 20_000), () => {
      tab.isFrozen = false;
    });
  }

  #hide(tab: Tab): void {
    this.#noted('tab-hidden', null);
    tab.isVisible = false;
    tab.pageChanged();
    this.#after(this.#chance.between(1_000, 15_000), () => {
      tab.isVisible = true;
      tab.pageChanged();
    });
  }

  #signOut(device: Device): void {
    const { person } = device;
    if (person === null) return;
    this.#noted('sign-in-needed', null);
    device.loseToken();
    device.isSignInNeeded = true;
    this.#after(this.#chance.between(500, 15_000), () => {
      if (device.person === person) device.signIn(person);
    });
  }

  #switchUser(device: Device): void {
    const { schedule, people } = this.#world;
    const { person } = device;
    const other = people.find((one) => one !== person);
    if (person === null || other === undefined) return;
    this.#noted('other-user', null);
    const become = (next: Person): void => {
      device.person = next;
      device.signIn(next);
      for (const tab of device.live)
        if (tab.account !== next)
          schedule.plan(device, `${tab.name} dies`, () => {
            tab.kill();
          });
      device.open(next);
    };
    become(other);
    if (this.#chance.is(0.8))
      this.#after(this.#chance.between(1_000, 15_000), () => {
        become(person);
      });
  }

  // on the server ---------------------------------------------------------------------------------

  async #restore(): Promise<void> {
    const world = this.#world;
    await world.startServer();
    // Between a commit and its news, or an answer and what it does, as well as when all is told.
    for (let steps = this.#chance.below(60); steps > 0; steps -= 1)
      await world.schedule.step(world.schedule.now + 1_000);
    this.#noted('database-restored', null);
    const { accepted } = await verdictsIn(world);
    for (const id of accepted.keys()) this.#ledger.acceptedBefore.add(id);
    world.stopServer();
    world.place.putBack();
    await world.startServer();
    const { n: head } = await world.server.parts.db.read(headOf);
    this.#ledger.elsewhere = this.#ledger.elsewhere.filter(({ n }) => n <= head);
    // How far it grows before a device comes back decides by what the device can know it.
    const grown = this.#chance.any([0, 0, 1, 3, 12]);
    for (let i = 0; i < grown; i += 1) this.#editElsewhere();
  }

  #prune(): void {
    const { schedule, server } = this.#world;
    const { db } = server.parts;
    schedule.plan(server.owner, 'prunes', () => {
      this.#noted('feed-pruned', null);
      void prune(db, schedule.now + 40 * DAY_MS);
    });
  }

  #lock({ id }: Person): void {
    const world = this.#world;
    void world
      .write((w) => w.change('user', id, { isLocked: true }))
      .then(() => {
        this.#noted('user-locked', null);
      });
    this.#after(this.#chance.between(500, 15_000), async () => {
      await world.startServer();
      void world.write((w) => w.change('user', id, { isLocked: false }));
      for (const device of world.devices)
        if (device.person?.id === id) device.signIn(device.person);
    });
  }

  #revoke(person: Person): void {
    const world = this.#world;
    const press = this.#chance.any(world.presses);
    void world
      .write(async (w) => {
        const [member] = await w.all('organizationMembership', {
          user: person.id,
          organization: press.organization,
        });
        if (member !== undefined) await w.remove('organizationMembership', member.id);
      })
      .then(() => {
        this.#noted('access-revoked', null);
      });
    if (this.#chance.is(0.2)) return;
    this.#after(this.#chance.between(500, 12_000), async () => {
      await world.startServer();
      void world.write(async (w) => {
        const known = await w.all('organizationMembership', {
          user: person.id,
          organization: press.organization,
        });
        if (known.length === 0) await world.join(w, person, press.organization, press.groups);
      });
    });
  }

  /** A group that no project is in: on devices one may be on its way there. */
  #removeGroup(): void {
    const world = this.#world;
    const { organization } = this.#chance.any(world.presses);
    void world.write(async (w) => {
      const unused = await w.query(
        sql<{ readonly id: string }>`select id from groups where owner_id = ${organization}
          and id not in (select group_id from projects where group_id is not null) order by id`,
      );
      if (unused.length === 0) return;
      await w.remove('group', this.#chance.any(unused).id);
      this.#noted('parent-removed', null);
    });
  }

  #editElsewhere(): void {
    const world = this.#world;
    void world.write(async (w) => {
      const all = await w.query(sql<{ readonly id: string }>`select id from projects order by id`);
      if (all.length === 0) return;
      const { id } = this.#chance.any(all.slice(0, 2));
      const name = `Elsewhere ${world.schedule.steps}.${this.#ledger.elsewhere.length}`;
      const attributes = this.#chance.is(0.5) ? { name } : { description: name };
      await w.change('project', id, attributes);
      this.#ledger.elsewhere.push({ n: w.n, id, attributes });
      this.#noted('edited-elsewhere', null);
    });
  }
}

function isOneOf<K extends string>(kinds: readonly K[], kind: string): kind is K {
  return (kinds as readonly string[]).includes(kind);
}

/** What a request meets; `seconds` is how long a server asks it to wait. */
function fateOf(kind: RequestFault, seconds: string): Fate {
  if (kind === 'error-500') return { is: 'instead', answer: problem(500, 'internal') };
  if (kind === 'busy-429')
    return { is: 'instead', answer: problem(429, 'too-many-requests', seconds) };
  if (kind === 'busy-503') return { is: 'instead', answer: problem(503, 'unavailable', seconds) };
  if (kind !== 'proxy-502') return { is: kind };
  const headers = { 'content-type': 'text/html' };
  return { is: 'instead', answer: { status: 502, headers, body: '<h1>502</h1>' } };
}

function problem(status: number, code: string, retryAfter?: string): Answered {
  return {
    status,
    headers: {
      'content-type': JSON_API,
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    },
    body: JSON.stringify({ errors: [{ status: String(status), code }] }),
  };
}

/** The frame with something in it that nobody knows: an operation, a type, a field's value. */
function strangeFrame(chance: Chance, frame: string): string {
  const call = JSON.parse(frame) as { arguments: [string] };
  const update = JSON.parse(call.arguments[0]) as { operations: Record<string, unknown>[] };
  const [first] = update.operations;
  const strange = chance.any([
    { op: 'replace', ref: { type: 'projects', id: 'x' } },
    { op: 'update', data: { type: 'gadgets', id: 'x', attributes: {} } },
    // Every type has that field: of another one nothing would be strange, only missing.
    {
      op: 'update',
      data: { ...(first?.data as object | undefined), attributes: { 'date-created': 7 } },
    },
  ]);
  const operations = chance.is(0.5)
    ? [strange, ...update.operations.slice(1)]
    : [...update.operations, strange];
  return JSON.stringify({ ...call, arguments: [JSON.stringify({ ...update, operations })] });
}
