import type { Failure } from '../model/answer.ts';
import type { Random } from '#base/id.ts';
import type { PageState, TimerFunctions } from '../model/environment.ts';

const SOON_MS = [1_000, 2_000];
const EVERY_MS = 3_000;
const HIDDEN_EVERY_MS = 30_000;
const BACKOFF_MOST_MS = 60_000;

/**
 * The one clock by which sender, hub and feed reader retry. The first success of any, or the
 * browser's `online`, wakes the others at once; a wait that the server asked for is kept. Only an
 * answer to a request ends a failure: the hub may be there while all else is broken.
 */
export class Retry {
  readonly #timers: TimerFunctions;
  readonly #page: PageState;
  readonly #random: Random;
  readonly #waiting = new Set<() => void>();
  readonly #listeners = new Set<() => void>();
  #failures = 0;
  #last: Failure | null = null;

  constructor(timers: TimerFunctions, page: PageState, random: Random) {
    this.#timers = timers;
    this.#page = page;
    this.#random = random;
  }

  /** The last failure to reach the server; null: it answered, or nothing was requested yet. */
  get last(): Failure | null {
    return this.#last;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The server answered one of them. */
  succeeded(): void {
    const wasFailing = this.#failures > 0;
    this.#failures = 0;
    this.#setLast(null);
    if (wasFailing) this.wake();
  }

  failed(failure: Failure): void {
    this.#failures += 1;
    this.#setLast(failure);
  }

  /** Takes over the state of the leader. */
  mirrorLeader(last: Failure | null): void {
    this.#setLast(last);
  }

  #setLast(last: Failure | null): void {
    if (kindOf(this.#last) === kindOf(last)) return;
    this.#last = last;
    for (const listener of this.#listeners) listener();
  }

  /** Ends every wait that the server did not ask for. */
  wake(): void {
    for (const go of [...this.#waiting]) go();
  }

  /** Resolves when it is time to try again after `failure`. */
  wait(failure: Failure): Promise<void> {
    const isAskedFor = failure.is === 'busy' && failure.afterMs !== null;
    return new Promise((resolve) => {
      const go = (): void => {
        this.#timers.clear(timer);
        this.#waiting.delete(go);
        resolve();
      };
      const timer = this.#timers.set(go, this.#delayMs(failure));
      // fault 26
      if (!isAskedFor) this.#waiting.add(go);
    });
  }

  #delayMs(failure: Failure): number {
    if (failure.is === 'silent') {
      if (!this.#page.isVisible()) return HIDDEN_EVERY_MS;
      return SOON_MS[this.#failures - 1] ?? EVERY_MS * (0.8 + 0.4 * this.#chance());
    }
    if (failure.afterMs !== null) return failure.afterMs;
    const most = Math.min(BACKOFF_MOST_MS, 1_000 * 2 ** Math.min(this.#failures - 1, 10));
    return most * (0.5 + 0.5 * this.#chance());
  }

  #chance(): number {
    return (this.#random(new Uint8Array(1))[0] ?? 0) / 256;
  }
}

/** What a failure is, without its wait, and without words, which may name each request anew. */
function kindOf(failure: Failure | null): string {
  const { status, code } = failure?.serverError ?? {};
  return JSON.stringify({ ...failure, afterMs: undefined, serverError: { status, code } });
}
