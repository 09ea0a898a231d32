import type { Clock } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { overloaded } from '../connections/database-errors.ts';

/**
 * More than these could not be answered within the time that clients wait: all together, and of one
 * person.
 */
const MOST_WAITING = 2_000;
const MOST_OF_ONE = 200;

/** A request that waits for its turn to write. */
export interface WaitingWrite {
  /**
   * The user who requests it; null for the server itself, and for a client that is not signed in.
   */
  readonly by: string | null;
  /** The time at which it came, in ms, from the clock. */
  readonly since: number;
  readonly reject: (error: unknown) => void;
}

/**
 * The requests that wait to write. People take turns, so that a person who sends a thousand keeps
 * another waiting for one of them; of one person, the first to come is the first to go. A request
 * that waits longer than clients do is answered 503, because nobody would learn of its end.
 */
export class WriterQueue<R extends WaitingWrite> {
  readonly #clock: Clock;
  /** The requests by person, in the order of their turns; everybody in it has at least one. */
  readonly #ofEach = new Map<string | null, R[]>();
  /** Requests that failed beside others, perhaps because of them. */
  readonly #alone: R[] = [];
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#waiting === 0 && !this.hasAlone;
  }

  get hasAlone(): boolean {
    return this.#alone.length > 0;
  }

  /** Adds `request`, or answers it with 503 at once when too many wait already. */
  add(request: R): void {
    const others = this.#ofEach.get(request.by) ?? [];
    const isOneTooMany = request.by !== null && others.length >= MOST_OF_ONE;
    if (isOneTooMany || this.#waiting >= MOST_WAITING) {
      request.reject(overloaded());
      return;
    }
    others.push(request);
    this.#ofEach.set(request.by, others);
    this.#waiting += 1;
  }

  /**
   * These requests have waited already and go before all others, each in a transaction of its own.
   */
  tryAlone(requests: readonly R[]): void {
    this.#alone.unshift(...requests);
  }

  /** Returns the next request that must have a transaction of its own; null: there is none. */
  takeAlone(): R | null {
    return this.#alone.shift() ?? null;
  }

  /** Returns the next request in turn that somebody still waits for; null: there is none. */
  take(): R | null {
    for (;;) {
      const request = this.#takeNext();
      if (request === null) return null;
      if (this.#clock() - request.since < limits.requestTimeoutMs) return request;
      request.reject(overloaded());
    }
  }

  refuseAll(error: unknown): void {
    const all = [...this.#alone.splice(0), ...[...this.#ofEach.values()].flat()];
    this.#ofEach.clear();
    this.#waiting = 0;
    for (const { reject } of all) reject(error);
  }

  #takeNext(): R | null {
    for (const [by, requests] of this.#ofEach) {
      const request = requests.shift();
      this.#ofEach.delete(by);
      if (requests.length > 0) this.#ofEach.set(by, requests);
      if (request === undefined) continue;
      this.#waiting -= 1;
      return request;
    }
    return null;
  }
}
