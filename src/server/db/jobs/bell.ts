import type { Timers } from '#base/timers.ts';

/** Wakes who sleeps beside it; rung before, it lets nobody fall asleep. */
export class Bell {
  readonly #timers: Timers;
  #isRung = false;
  #wake: () => void = () => undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** From now on a ring is news. */
  listen(): void {
    this.#isRung = false;
  }

  /** Until it is rung after `listen`, and for `ms` at most. */
  sleep(ms: number): Promise<void> {
    if (this.#isRung) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#timers.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
