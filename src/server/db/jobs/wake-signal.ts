import type { Timers } from '#base/timers.ts';

/** Wakes a waiting worker; if `wakeUp` came before, `wait` returns at once. */
export class WakeSignal {
  readonly #timers: Timers;
  #isSet = false;
  #wake: () => void = () => undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  wakeUp(): void {
    this.#isSet = true;
    this.#wake();
  }

  /** From now on only a new `wakeUp` counts. */
  reset(): void {
    this.#isSet = false;
  }

  /** Resolves when `wakeUp` is called after `reset`, and after `ms` at the latest. */
  wait(ms: number): Promise<void> {
    if (this.#isSet) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#timers.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
