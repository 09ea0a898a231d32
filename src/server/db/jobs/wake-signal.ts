import type { Timers } from '#base/timers.ts';

/** Wakes who sleeps beside it; rung before, it lets nobody fall asleep. */
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

  /** From now on a ring is news. */
  reset(): void {
    this.#isSet = false;
  }

  /** Until it is rung after `listen`, and for `ms` at most. */
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
