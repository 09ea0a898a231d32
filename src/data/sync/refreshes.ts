import type { TimerFunctions } from '../model/environment.ts';
import type { Watched } from '../model/views.ts';

const SLOW_AFTER_MS = 500;

/** Says whether what is shown is being refreshed for so long that a person should know (screens 1.1). */
export class Refreshes implements Watched<boolean> {
  readonly #timers: TimerFunctions;
  readonly #listeners = new Set<() => void>();
  #running = 0;
  #timer: unknown;
  #isSlow = false;

  constructor(timers: TimerFunctions) {
    this.#timers = timers;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): boolean => this.#isSlow;

  /** Does `refresh`, and says so if it takes long. */
  async run<T>(refresh: () => Promise<T>): Promise<T> {
    this.#running += 1;
    if (this.#running === 1)
      this.#timer = this.#timers.set(() => {
        this.set(true);
      }, SLOW_AFTER_MS);
    try {
      return await refresh();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) {
        this.#timers.clear(this.#timer);
        this.set(false);
      }
    }
  }

  /** Takes over what the leader says of its own. */
  readonly set = (isSlow: boolean): void => {
    if (isSlow === this.#isSlow) return;
    this.#isSlow = isSlow;
    for (const listener of this.#listeners) listener();
  };
}
