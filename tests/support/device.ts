import { IDBFactory } from 'fake-indexeddb';
import { createData } from '#data/data.ts';
import type { Data } from '../../src/data/model/data.ts';
import type {
  BroadcastChannelLike,
  Environment,
  Locks,
  StorageGrant,
  TimerFunctions,
} from '#data/model/environment.ts';
import * as jsonApi from '#data/sync/json-api.ts';

// Orbit looks once whether there is an IndexedDB at all; each device brings its own.
const globals = globalThis as { indexedDB?: unknown };
globals.indexedDB ??= new IDBFactory();

/** The number of things that have begun and take time: texts of answers, tasks of the storage. */
let underWay = 0;

// In a browser the storage of a device would go on with each of its tasks after some milliseconds.
const tasks = globalThis as { setImmediate?: (run: () => void) => unknown };
if (tasks.setImmediate === undefined) {
  const waiting: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    underWay -= 1;
    waiting.shift()?.();
  };
  tasks.setImmediate = (run) => {
    underWay += 1;
    waiting.push(run);
    port2.postMessage(null);
  };
}

/** The same answer; `pass` waits for its text. */
function counted(answer: Response): Response {
  const read = answer.text.bind(answer);
  answer.text = async () => {
    underWay += 1;
    try {
      return await read();
    } finally {
      underWay -= 1;
    }
  };
  return answer;
}

/** The part of a server that a device reaches. */
export interface Network {
  readonly fetch: Environment['fetch'];
  readonly hub: Environment['hub'];
}

/** A browser with storage of its own; its tabs share it, and its time moves only with `pass`. */
export class Device {
  now = Date.parse('2026-01-31T12:00:00.000Z');
  /** By how much its clock is off; what waits for a time-out is not concerned. */
  clockOffMs = 0;
  isOnline = true;
  isVisible = true;
  token: string | null = 'token';
  readonly reports: string[] = [];
  indexedDB: IDBFactory = new IDBFactory();
  /** The markers that are left when the browser evicts IndexedDB. */
  readonly copyMarkers = new Map<string, string>();
  isPersistent = false;
  readonly storage: StorageGrant = {
    persist: () => Promise.resolve((this.isPersistent = true)),
    persisted: () => Promise.resolve(this.isPersistent),
    estimate: () => Promise.resolve({ usage: 1_000, quota: 1_000_000 }),
  };
  network: Network;
  /** The identity provider gives no answer when a token is to be refreshed. */
  tokenFails = false;
  readonly #timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  readonly #pageListeners = new Set<() => void>();
  readonly #tokenListeners = new Set<() => void>();
  readonly #channels = new Map<string, Set<BroadcastChannelLike>>();
  readonly #locks = new Map<string, Turn[]>();
  #lastTimer = 0;
  #chance = 1;

  constructor(network: Network) {
    this.network = network;
  }

  /** Opens a tab. */
  open(account: string, changes: Partial<Environment> = {}): Data {
    return createData({ ...this.environment(), ...changes }, account);
  }

  environment(): Environment {
    return {
      clock: () => this.now + this.clockOffMs,
      random: (bytes) => bytes.map(() => (this.#chance = (this.#chance * 48_271) % 2_147_483_647)),
      timers: this.timers,
      fetch: async (address, request) => counted(await this.network.fetch(address, request)),
      hub: (token) => this.network.hub(token),
      jsonApi: () => Promise.resolve(jsonApi),
      languageNames: () => Promise.resolve(new Map()),
      indexedDB: this.indexedDB,
      locks: this.locks,
      channel: (name) => this.#channel(name),
      accessToken: () =>
        this.tokenFails ? Promise.reject(new Error('No answer')) : Promise.resolve(this.token),
      onToken: (listener) => listen(this.#tokenListeners, listener),
      page: {
        isOnline: () => this.isOnline,
        isVisible: () => this.isVisible,
        onChange: (listener) => listen(this.#pageListeners, listener),
      },
      storage: this.storage,
      copyMarkers: {
        read: (account) => this.copyMarkers.get(account) ?? null,
        write: (account, words) => {
          if (words === null) this.copyMarkers.delete(account);
          else this.copyMarkers.set(account, words);
        },
      },
      idle: (run) => {
        this.timers.set(run, 0);
      },
      frame: (run) => {
        void Promise.resolve().then(run);
      },
      report: (what, cause) => this.reports.push(`${what}: ${String(cause)}`),
    };
  }

  readonly timers: TimerFunctions = {
    set: (run, afterMs) => {
      this.#lastTimer += 1;
      this.#timers.set(this.#lastTimer, { at: this.now + afterMs, run });
      return this.#lastTimer;
    },
    clear: (timer) => {
      this.#timers.delete(timer as number);
    },
  };

  /** Lets time pass, timer by timer. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await turns(3);
      const [next] = [...this.#timers].sort(([, a], [, b]) => a.at - b.at);
      if (next === undefined || next[1].at > end) break;
      this.#timers.delete(next[0]);
      this.now = Math.max(this.now, next[1].at);
      next[1].run();
    }
    this.now = end;
    await turns(3);
  }

  /** Tells the tabs that `isOnline` or `isVisible` changed. */
  pageChanged(): void {
    for (const listener of this.#pageListeners) listener();
  }

  signIn(token = 'token'): void {
    this.token = token;
    for (const listener of this.#tokenListeners) listener();
  }

  readonly locks: Locks = {
    request: (name, { signal, steal }, whileHeld) => {
      const line = this.#locks.get(name) ?? [];
      this.#locks.set(name, line);
      return new Promise((resolve, reject) => {
        const turn: Turn = {
          begin: () => {
            turn.isHeld = true;
            void whileHeld().then(() => {
              leave();
              resolve(undefined);
            });
          },
          rob: () => {
            leave();
            reject(new DOMException('Lock broken', 'AbortError'));
          },
          isHeld: false,
        };
        const leave = (): void => {
          const place = line.indexOf(turn);
          if (place >= 0) line.splice(place, 1);
          void Promise.resolve().then(() => {
            if (line[0]?.isHeld === false) line[0].begin();
          });
        };
        signal?.addEventListener('abort', () => {
          if (turn.isHeld) return;
          leave();
          reject(new DOMException('Aborted', 'AbortError'));
        });
        if (steal === true) {
          const held = line[0]?.isHeld === true ? line[0] : null;
          line.unshift(turn);
          turn.isHeld = true;
          held?.rob();
        } else line.push(turn);
        void Promise.resolve().then(() => {
          if (line[0] === turn && (steal === true || !turn.isHeld)) turn.begin();
        });
      });
    },
  };

  #channel(name: string): BroadcastChannelLike {
    const all = this.#channels.get(name) ?? new Set();
    this.#channels.set(name, all);
    const channel: BroadcastChannelLike = {
      onmessage: null,
      postMessage: (message) => {
        const data: unknown = structuredClone(message);
        for (const other of all)
          if (other !== channel) void Promise.resolve().then(() => other.onmessage?.({ data }));
      },
      close: () => {
        all.delete(channel);
      },
    };
    all.add(channel);
    return channel;
  }
}

/** A request in the queue for a lock; the first one holds it. */
interface Turn {
  readonly begin: () => void;
  readonly rob: () => void;
  isHeld: boolean;
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A storage that a test holds back may never come to rest. */
const TURNS_MOST = 200;

/**
 * The storage answers at least so many requests in a turn. Within the millisecond of a timer an idle
 * computer lets it answer dozens, a busy one a single one.
 */
const STORAGE_ANSWERS = 20;

async function letStorageAnswer(): Promise<void> {
  // Browsers have none: there the storage answers by timers, in order with the one of the turn.
  if (typeof setImmediate !== 'function') return;
  for (let i = 0; i < STORAGE_ANSWERS; i += 1)
    await new Promise((resolve) => setImmediate(resolve));
}

/** Runs everything that is ready, `count` times, and waits for what has begun. */
export async function turns(count: number): Promise<void> {
  let left = count;
  for (let i = 0; left > 0 && i < TURNS_MOST; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await letStorageAnswer();
    if (underWay === 0) left -= 1;
  }
}

/** Runs only microtasks, while the storage and the network stand still. */
export async function microtasks(): Promise<void> {
  for (let i = 0; i < 100; i += 1) await Promise.resolve();
}

/** Resolves as soon as `holds` returns true. @throws Error naming `what` when it never does */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 10_000; i += 1) {
    if (holds()) return;
    await turns(1);
  }
  throw new Error(`Never came: ${what}`);
}

/** As `until`; the device's time goes on, so that it asks or tries again what got no answer. */
export async function untilInTime(
  device: Pick<Device, 'pass'>,
  holds: () => boolean,
  what: string,
): Promise<void> {
  for (let n = 0; n < 500; n += 1) {
    if (holds()) return;
    await turns(20);
    await device.pass(500);
  }
  throw new Error(`Never came: ${what}`);
}
