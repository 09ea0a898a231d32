import { IDBFactory } from 'fake-indexeddb';
import { createData } from '#data/data.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { BroadcastChannelLike, Environment } from '#data/model/environment.ts';
import * as jsonApi from '#data/sync/json-api.ts';
import type { Chance } from './chance.ts';
import { HubLine } from './hub-line.ts';
import { SimulatedLocks } from './locks.ts';
import type { Network } from './network.ts';
import type { Owner, Planned, Schedule } from './schedule.ts';
import { TabStorage } from './storage.ts';
import type { AskStorageFault } from './storage.ts';

/** A person who can sign in. */
export interface Person {
  readonly name: string;
  /** The id of their record. */
  readonly id: string;
  readonly sub: string;
  readonly email: string;
}

/** How long an access token lasts. */
const TOKEN_LASTS_MS = 300_000;

/** So many steps of the storage take no time. */
const TASKS_AT_ONCE = 2_000;

/** A browser with storage of its own, in which one person at a time is signed in. */
export class Device implements Owner {
  readonly name: string;
  readonly isFrozen = false;
  readonly isDead = false;
  readonly soon = (run: () => void): void => {
    const { now } = this.schedule;
    this.#tasks = now === this.#tasksAt ? this.#tasks + 1 : 0;
    this.#tasksAt = now;
    // A tab that waits for another one to close the storage tries again and again: time has to go
    // on.
    const afterMs = this.#tasks > TASKS_AT_ONCE ? 5 : 0;
    this.schedule.plan(this, 'storage', run, { afterMs });
  };
  #tasks = 0;
  #tasksAt = 0;
  readonly schedule: Schedule;
  readonly network: Network;
  readonly chance: Chance;
  readonly locks: SimulatedLocks;
  readonly factory = new IDBFactory();
  readonly tabs: Tab[] = [];
  /** The markers that an eviction of IndexedDB does not reach. */
  readonly copyMarkers = new Map<string, string>();
  isOnline = true;
  /** How far its clock is ahead. */
  skewMs = 0;
  /** The person who is signed in; null: nobody. */
  person: Person | null = null;
  storageFault: AskStorageFault = () => null;
  /** How long a message between tabs takes; null: it is lost. */
  channelDelayMs: () => number | null = () => 0;
  #token: { readonly text: string; readonly endsAt: number } | null = null;
  #refreshing: Promise<string | null> | null = null;
  /** The provider knows the refresh token no more: only signing in helps. */
  isSignInNeeded = false;
  #isNextExpired = false;
  #tabsOpened = 0;

  constructor(name: string, schedule: Schedule, network: Network, chance: Chance) {
    this.name = name;
    this.schedule = schedule;
    this.network = network;
    this.chance = chance;
    this.locks = new SimulatedLocks(schedule, () => (chance.is(0.8) ? 0 : chance.wait(30)));
  }

  get live(): readonly Tab[] {
    return this.tabs.filter(({ isDead }) => !isDead);
  }

  /** Opens a tab of `account`; its code begins to run at once. */
  open(account: Person): Tab {
    this.#tabsOpened += 1;
    const tab = new Tab(`${this.name}${this.#tabsOpened}`, this, account);
    this.tabs.push(tab);
    this.schedule.plan(tab, 'opens', () => {
      tab.begin();
    });
    return tab;
  }

  /** The person signs in, and every tab is notified. */
  signIn(person: Person): void {
    this.person = person;
    this.isSignInNeeded = false;
    this.#token = null;
    this.#refreshing = null;
    for (const tab of this.live) tab.tokenChanged();
  }

  /** There is no access token: the next request needs a new one. */
  loseToken(): void {
    this.#token = null;
  }

  /** The next access token has ended by the server's clock, and the browser does not know. */
  expireToken(): void {
    this.#token = null;
    this.#isNextExpired = true;
  }

  pageChanged(): void {
    for (const tab of this.live) tab.pageChanged();
  }

  async accessToken(tab: Tab, refused: string | undefined): Promise<string | null> {
    const { person } = this;
    if (person?.id !== tab.account.id || this.isSignInNeeded) return null;
    const known = this.#token;
    const isGood = known !== null && known.text !== refused && known.endsAt > this.schedule.now;
    if (isGood) return known.text;
    const lastsMs = this.#isNextExpired ? -TOKEN_LASTS_MS : TOKEN_LASTS_MS;
    this.#isNextExpired = false;
    if (this.#refreshing !== null) return this.#refreshing;
    // What it brings is stored only if nobody has signed in since, as in `session/token.ts`.
    const isLast = (): boolean => this.#refreshing === refreshing;
    const refreshing: Promise<string | null> = this.network
      .refresh(this, tab, person, lastsMs)
      .then(
        (text) => {
          if (!isLast()) return this.accessToken(tab, refused);
          this.#refreshing = null;
          if (text === null) {
            this.isSignInNeeded = true;
            return null;
          }
          this.#token = { text, endsAt: this.schedule.now + TOKEN_LASTS_MS };
          return text;
        },
        (error: unknown) => {
          if (isLast()) this.#refreshing = null;
          throw error;
        },
      );
    this.#refreshing = refreshing;
    return refreshing;
  }

  /** A refresh that a tab had begun died with it. */
  forgetRefresh(): void {
    this.#refreshing = null;
  }
}

/** One tab, with the product's own code in it. */
export class Tab implements Owner {
  readonly name: string;
  readonly device: Device;
  readonly account: Person;
  isFrozen = false;
  isDead = false;
  isVisible = true;
  readonly reports: string[] = [];
  readonly #storage: TabStorage;
  readonly #channels = new Set<TabChannel>();
  readonly #pageListeners = new Set<() => void>();
  readonly #tokenListeners = new Set<() => void>();
  #data: Data | null = null;
  isRestored = false;

  constructor(name: string, device: Device, account: Person) {
    this.name = name;
    this.device = device;
    this.account = account;
    this.#storage = new TabStorage(device.schedule, this, device.factory, (...at) =>
      device.storageFault(...at),
    );
  }

  readonly soon = (run: () => void): void => {
    this.device.soon(run);
  };

  /** The local copy, once the tab has begun. */
  get data(): Data | null {
    return this.#data;
  }

  begin(): void {
    this.#data = createData(this.#environment(), this.account.id);
    this.#data.restored.then(
      () => {
        this.isRestored = true;
      },
      (error: unknown) => {
        this.reports.push(`It does not start: ${String(error)}`);
      },
    );
  }

  /** The tab's code never runs again; what it had committed stays. */
  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.device.schedule.drop(this);
    this.#storage.kill();
    this.device.locks.release(this);
    this.device.network.left(this);
    this.device.forgetRefresh();
    for (const channel of this.#channels) channel.close();
  }

  pageChanged(): void {
    this.device.schedule.plan(this, 'page changed', () => {
      for (const listener of [...this.#pageListeners]) listener();
    });
  }

  tokenChanged(): void {
    this.device.schedule.plan(this, 'token changed', () => {
      for (const listener of [...this.#tokenListeners]) listener();
    });
  }

  /** True while a transaction of its own is not over. */
  get isStoring(): boolean {
    return this.#storage.isBusy;
  }

  isWriting(store: string): boolean {
    return this.#storage.isWriting(store);
  }

  get channels(): ReadonlySet<TabChannel> {
    return this.#channels;
  }

  leave(channel: TabChannel): void {
    this.#channels.delete(channel);
  }

  #environment(): Environment {
    const { device } = this;
    const { schedule, network } = device;
    return {
      clock: () => schedule.now + device.skewMs,
      random: device.chance.branch(this.name).bytes,
      timers: {
        set: (run, afterMs) =>
          this.isDead ? null : schedule.plan(this, 'timer', run, { afterMs }),
        clear: (timer) => {
          if (timer !== null && timer !== undefined) schedule.cancel(timer as Planned);
        },
      },
      fetch: (address, request) => network.fetch(this, address, request),
      indexedDB: this.#storage.indexedDB,
      locks: device.locks.of(this),
      channel: (name) => {
        const channel = new TabChannel(this, name);
        this.#channels.add(channel);
        return channel;
      },
      hub: (accessToken) => new HubLine(this, network, accessToken),
      jsonApi: () => Promise.resolve(jsonApi),
      languageNames: () => Promise.resolve(new Map()),
      accessToken: ({ refused } = {}) => device.accessToken(this, refused),
      onToken: (listener) => listen(this.#tokenListeners, listener),
      page: {
        isOnline: () => device.isOnline,
        isVisible: () => this.isVisible,
        onChange: (listener) => listen(this.#pageListeners, listener),
      },
      storage: {
        persist: () => Promise.resolve(true),
        persisted: () => Promise.resolve(true),
        estimate: () => Promise.resolve({ usage: 1_000_000, quota: 1_000_000_000 }),
      },
      copyMarkers: {
        read: (account) => device.copyMarkers.get(account) ?? null,
        write: (account, words) => {
          if (words === null) device.copyMarkers.delete(account);
          else device.copyMarkers.set(account, words);
        },
      },
      idle: (run) => {
        if (!this.isDead) schedule.plan(this, 'idle', run);
      },
      frame: (run) => {
        void Promise.resolve().then(run);
      },
      report: (what, cause) => {
        this.reports.push(`${what}: ${String(cause)}`);
        schedule.trace(`${this.name} reports ${what}: ${String(cause)}`);
      },
    };
  }
}

/** A `BroadcastChannel`: the other tabs of the device receive what one posts, in order. */
class TabChannel implements BroadcastChannelLike {
  readonly name: string;
  readonly #tab: Tab;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;

  constructor(tab: Tab, name: string) {
    this.#tab = tab;
    this.name = name;
  }

  readonly postMessage = (message: unknown): void => {
    const { device } = this.#tab;
    if (this.#tab.isDead) return;
    for (const other of device.live) {
      for (const channel of other.channels) {
        if (channel === this || channel.name !== this.name) continue;
        const delay = device.channelDelayMs();
        if (delay === null) continue;
        const data: unknown = structuredClone(message);
        const queue = `${this.#tab.name}>${other.name}`;
        device.schedule.plan(
          other,
          `hears ${this.#tab.name}`,
          () => {
            channel.onmessage?.({ data });
          },
          { afterMs: delay, lane: queue },
        );
      }
    }
  };

  readonly close = (): void => {
    this.onmessage = null;
    this.#tab.leave(this);
  };
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
