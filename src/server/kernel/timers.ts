import type { Timers } from '#base/timers.ts';

// Beyond this number setTimeout fires at once.
const LONGEST_MS = 2 ** 31 - 1;

/** The system's timers; none of them keeps the process alive. */
export const systemTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, Math.min(Math.max(ms, 0), LONGEST_MS));
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
