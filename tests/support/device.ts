import { IDBFactory } from 'fake-indexeddb';
import { createData } from '#data/data.ts';
import type { Data } from '#data/data.ts';
import type { Channel, Environment, Locks, Timers } from '#data/environment.ts';

// Orbit looks once whether there is an IndexedDB at all; each device brings its own.
const globals = globalThis as { indexedDB?: unknown };
globals.indexedDB ??= new IDBFactory();

/** The part of a server that a device reaches. */
export interface Network {
  readonly fetch: Environment['fetch'];
  readonly hub: Environment['hub'];
}

/** A browser with storage of its own; its tabs share it, and its time stands still until told. */
export class Device {
  now = Date.parse('2026-01-31T12:00:00.000Z');
  isOnline = true;
  isVisible = true;
  token: string | null = 'token';
  readonly reports: string[] = [];
  readonly indexedDB = new IDBFactory();
  readonly #network: Network;
  readonly #timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  readonly #pageListeners = new Set<() => void>();
  readonly #tokenListeners = new Set<() => void>();
  readonly #channels = new Map<string, Set<Channel>>();
  readonly #locks = new Map<string, Promise<void>>();
  #lastTimer = 0;
  #chance = 1;

  constructor(network: Network) {
    this.#network = network;
  }

  /** Opens a tab. */
  open(account: string, changes: Partial<Environment> = {}): Data {
    return createData({ ...this.environment(), ...changes }, account);
  }

  environment(): Environment {
    return {
      clock: () => this.now,
      random: (bytes) => bytes.map(() => (this.#chance = (this.#chance * 48_271) % 2_147_483_647)),
      timers: this.timers,
      fetch: this.#network.fetch,
      hub: this.#network.hub,
      indexedDB: this.indexedDB,
      locks: this.locks,
      channel: (name) => this.#channel(name),
      accessToken: () => Promise.resolve(this.token),
      onToken: (listener) => listen(this.#tokenListeners, listener),
      page: {
        isOnline: () => this.isOnline,
        isVisible: () => this.isVisible,
        onChange: (listener) => listen(this.#pageListeners, listener),
      },
      persist: () => Promise.resolve(true),
      report: (what, cause) => this.reports.push(`${what}: ${String(cause)}`),
    };
  }

  readonly timers: Timers = {
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
    request: async (name, { signal }, whileHeld) => {
      const before = this.#locks.get(name) ?? Promise.resolve();
      let release = (): void => undefined;
      const mine = new Promise<void>((resolve) => (release = resolve));
      this.#locks.set(
        name,
        before.then(() => mine),
      );
      await before;
      try {
        if (signal?.aborted !== true) await whileHeld();
      } finally {
        release();
      }
    },
  };

  #channel(name: string): Channel {
    const all = this.#channels.get(name) ?? new Set();
    this.#channels.set(name, all);
    const channel: Channel = {
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

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lets what is ready to run do so, `count` times over. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Resolves as soon as `holds`; what never holds fails with `what`. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 2_000; i += 1) {
    if (holds()) return;
    await turns(1);
  }
  throw new Error(`Never came: ${what}`);
}
