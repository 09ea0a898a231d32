import { createHash } from 'node:crypto';
import type { Chance } from './chance.ts';

/** The owner of the code that an event runs: a tab, the server, a person. */
export interface Owner {
  readonly name: string;
  /** Its events wait. */
  isFrozen: boolean;
  /** Its events never come. */
  isDead: boolean;
  /** What `setImmediate` means to code of this owner; null: really the next turn. */
  readonly soon: ((run: () => void) => void) | null;
}

export interface Planned {
  readonly at: number;
  readonly owner: Owner;
  readonly what: string;
  /** Events of one lane come in the order in which they were planned. */
  readonly lane: string | null;
  readonly run: () => void;
}

export interface Planning {
  readonly afterMs?: number;
  readonly lane?: string;
}

/** Something that must not be waiting for what the clock of the world says. */
const turn = globalThis.setImmediate;

/** The schedule whose event is being run: code outside it is not its business. */
let running: Running | null = null;

interface Running {
  readonly schedule: Schedule;
  readonly owner: Owner;
  readonly what: string;
}
let open = 0;

/** The owner of the event that is being run; null outside of events. */
export const ownerNow = (): Owner | null => running?.owner ?? null;

/** True while the event that is being run is the end of a tab. */
export const isDying = (): boolean => running?.what.endsWith(DIES) ?? false;

/** How such events end. */
const DIES = ' dies';

/** Work of the machine (not of the world) that ends by itself: time stands still until then. */
function counted<T>(work: Promise<T>): Promise<T> {
  open += 1;
  return work.finally(() => {
    open -= 1;
  });
}

/** `fake-indexeddb` and Node's own pieces go on with `setImmediate`: the owner says what that is. */
function takeOverImmediate(): void {
  globalThis.setImmediate = ((run: (...values: unknown[]) => void, ...values: unknown[]) => {
    const soon = running?.owner.soon ?? null;
    if (soon !== null) {
      soon(() => {
        run(...values);
      });
      return undefined as unknown as NodeJS.Immediate;
    }
    if (running === null) return turn(run, ...values);
    open += 1;
    return turn(() => {
      open -= 1;
      run(...values);
    });
  }) as typeof globalThis.setImmediate;
}

/** Token checks are done by threads of the machine. */
function countCryptography(): void {
  const { subtle } = globalThis.crypto;
  for (const name of ['sign', 'importKey'] as const) {
    const work = subtle[name].bind(subtle) as (...values: unknown[]) => Promise<unknown>;
    Object.defineProperty(subtle, name, {
      configurable: true,
      value: (...values: unknown[]) =>
        running === null ? work(...values) : counted(work(...values)),
    });
  }
  rememberVerified(subtle);
}

const MOST_REMEMBERED = 1_000;

/** The same token comes with many requests; whether it is genuine does not change. */
function rememberVerified(subtle: SubtleCrypto): void {
  const verify = subtle.verify.bind(subtle);
  const known = new Map<string, boolean>();
  const check: typeof verify = async (way, key, signature, data) => {
    const what = Buffer.concat([bytesOf(signature), bytesOf(data)]).toString('latin1');
    const before = known.get(what);
    if (before !== undefined) return before;
    const isGenuine = await verify(way, key, signature, data);
    if (known.size > MOST_REMEMBERED) known.clear();
    known.set(what, isGenuine);
    return isGenuine;
  };
  Object.defineProperty(subtle, 'verify', {
    configurable: true,
    value: (...values: Parameters<typeof verify>) =>
      running === null ? check(...values) : counted(check(...values)),
  });
}

const bytesOf = (source: BufferSource): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);

/** So much happened that it can only be the same again and again. */
export class Spins extends Error {
  constructor(steps: number) {
    super(`spins: ${steps} steps`);
    this.name = 'Spins';
  }
}

let isTakenOver = false;

/**
 * Virtual time and what happens in it. One event at a time; the next one is taken when all that
 * the last one started has come to rest. Of those that are due the seed picks.
 */
export class Schedule {
  now: number;
  readonly #chance: Chance;
  readonly #hash = createHash('sha256');
  readonly #begin: number;
  #events: Planned[] = [];
  /** Beyond so many steps `step` gives up. */
  readonly #most: number;
  /** Lines of the trace, where they are wanted. */
  readonly lines: string[] | null;
  steps = 0;

  constructor(chance: Chance, begin: number, isTraced: boolean, most = Infinity) {
    this.#chance = chance;
    this.#most = most;
    this.#begin = begin;
    this.now = begin;
    this.lines = isTraced ? [] : null;
    if (isTakenOver) return;
    isTakenOver = true;
    takeOverImmediate();
    countCryptography();
  }

  plan(owner: Owner, what: string, run: () => void, { afterMs = 0, lane }: Planning = {}): Planned {
    const before = lane === undefined ? undefined : this.#events.findLast((e) => e.lane === lane);
    const at = Math.max(this.now + Math.max(0, afterMs), before?.at ?? 0);
    const event = { at, owner, what, run, lane: lane ?? null };
    this.#events.push(event);
    return event;
  }

  cancel(event: Planned): void {
    const at = this.#events.indexOf(event);
    if (at >= 0) this.#events.splice(at, 1);
  }

  /** Takes out what is planned for `owner`. */
  drop(owner: Owner): void {
    this.#events = this.#events.filter((event) => event.owner !== owner);
  }

  trace(line: string): void {
    const whole = `${this.now - this.#begin} ${line}`;
    this.#hash.update(`${whole}\n`);
    this.lines?.push(whole);
  }

  /** A digest of everything that was traced. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }

  /** When something is due next; null when nothing ever is. */
  next(): number | null {
    let next: number | null = null;
    for (const { at, owner } of this.#events)
      if (!owner.isFrozen && !owner.isDead && (next === null || at < next)) next = at;
    return next;
  }

  /**
   * Runs one event that is due up to `until`; false when there is none.
   *
   * @throws Spins after too many, which may all be of one moment: no time limit would end them
   */
  async step(until: number): Promise<boolean> {
    const next = this.next();
    if (next === null || next > until) return false;
    this.now = Math.max(this.now, next);
    const event = this.#pick();
    if (event === null) return false;
    if (this.steps >= this.#most) throw new Spins(this.steps);
    this.cancel(event);
    this.steps += 1;
    this.trace(`${event.owner.name} ${event.what}`);
    await this.#within(event);
    return true;
  }

  /** One of the events that are due, of each lane only the first. */
  #pick(): Planned | null {
    const due: Planned[] = [];
    const lanes = new Set<string>();
    for (const event of this.#events) {
      const { at, owner, lane } = event;
      const isFirst = lane === null || !lanes.has(lane);
      if (lane !== null) lanes.add(lane);
      if (isFirst && at <= this.now && !owner.isFrozen && !owner.isDead) due.push(event);
    }
    return due.length === 0 ? null : this.#chance.any(due);
  }

  /** Runs an event as code of its owner, and waits until everything has come to rest. */
  async #within({ owner, what, run }: Planned): Promise<void> {
    running = { schedule: this, owner, what };
    try {
      run();
      await rest();
    } finally {
      running = null;
    }
  }

  /** Runs what is due until `until`, and lets the time be that. */
  async runUntil(until: number, between: () => void = () => undefined): Promise<void> {
    while (await this.step(until)) between();
    this.now = Math.max(this.now, until);
  }
}

/** Lets what the machine still has to do outside of events come to its end. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await rest();
}

async function rest(): Promise<void> {
  do await new Promise<void>((done) => turn(done));
  while (open > 0);
}
