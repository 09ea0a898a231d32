import type { Planned, Schedule } from './schedule.ts';
import type { Owner } from './schedule.ts';

/** The options of `navigator.locks.request`. */
interface Options {
  readonly signal?: AbortSignal;
  readonly steal?: boolean;
  readonly ifAvailable?: boolean;
}

interface Request {
  readonly owner: Owner;
  readonly name: string;
  readonly grant: () => void;
  readonly robbed: () => void;
  planned: Planned | null;
}

/** The locks of one browser: exclusive, first come first served; they die with their tab. */
export class SimulatedLocks {
  readonly #schedule: Schedule;
  readonly #delayMs: () => number;
  readonly #held = new Map<string, Request>();
  /** Tabs that were notified that they lost the lock. */
  readonly #robbed = new Set<Owner>();
  #waiting: Request[] = [];

  constructor(schedule: Schedule, delayMs: () => number) {
    this.#schedule = schedule;
    this.#delayMs = delayMs;
  }

  /** The part of `navigator.locks` that belongs to one tab. */
  of(owner: Owner) {
    return {
      request: (name: string, options: Options, whileHeld: (lock: object | null) => unknown) =>
        this.#request(owner, name, options, whileHeld),
    };
  }

  ownerOf(name: string): Owner | null {
    return this.#held.get(name)?.owner ?? null;
  }

  /** Tells whether `owner` knows that a lock was taken from it and has none since. */
  isRobbed(owner: Owner): boolean {
    return this.#robbed.has(owner);
  }

  /** The tab is gone: what it holds is free. */
  release(owner: Owner): void {
    this.#waiting = this.#waiting.filter((request) => request.owner !== owner);
    for (const [name, request] of [...this.#held]) if (request.owner === owner) this.#free(name);
  }

  #request(
    owner: Owner,
    name: string,
    { signal, steal = false, ifAvailable = false }: Options,
    whileHeld: (lock: object | null) => unknown,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (owner.isDead) return;
      if (signal?.aborted === true) {
        reject(aborted());
        return;
      }
      if (ifAvailable && (this.#held.has(name) || this.#isAwaited(name))) {
        this.#schedule.plan(owner, `no lock ${name}`, () => {
          Promise.resolve(whileHeld(null)).then(resolve, reject);
        });
        return;
      }
      const request: Request = {
        owner,
        name,
        planned: null,
        robbed: () => {
          reject(aborted());
        },
        grant: () => {
          Promise.resolve(whileHeld({ name })).then(
            (result) => {
              if (this.#held.get(name) === request) this.#free(name);
              resolve(result);
            },
            (error: unknown) => {
              if (this.#held.get(name) === request) this.#free(name);
              reject(error instanceof Error ? error : new Error(String(error)));
            },
          );
        },
      };
      signal?.addEventListener('abort', () => {
        if (!this.#waiting.includes(request)) return;
        this.#waiting = this.#waiting.filter((other) => other !== request);
        reject(aborted());
      });
      if (steal) this.#steal(request);
      else {
        this.#waiting.push(request);
        this.#next(name);
      }
    });
  }

  #isAwaited(name: string): boolean {
    return this.#waiting.some((request) => request.name === name);
  }

  #steal(request: Request): void {
    const { name } = request;
    const holder = this.#held.get(name);
    this.#hold(request);
    if (holder === undefined) return;
    this.#schedule.trace(`${request.owner.name} steals from ${holder.owner.name}`);
    const robbed = (): void => {
      this.#robbed.add(holder.owner);
      holder.robbed();
    };
    this.#schedule.plan(holder.owner, `robbed of ${name}`, robbed, { lane: laneOf(holder.owner) });
  }

  #hold(request: Request): void {
    this.#held.set(request.name, request);
    const granted = (): void => {
      this.#robbed.delete(request.owner);
      request.grant();
    };
    request.planned = this.#schedule.plan(request.owner, `lock ${request.name}`, granted, {
      afterMs: this.#delayMs(),
      lane: laneOf(request.owner),
    });
  }

  #free(name: string): void {
    this.#held.delete(name);
    this.#next(name);
  }

  #next(name: string): void {
    if (this.#held.has(name)) return;
    const next = this.#waiting.find((request) => request.name === name);
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((other) => other !== next);
    this.#hold(next);
  }
}

/** A browser notifies a tab that it lost a lock before it grants it again. */
const laneOf = (owner: Owner): string => `locks of ${owner.name}`;

function aborted(): Error {
  return new DOMException('The lock is not had', 'AbortError');
}
