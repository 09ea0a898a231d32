import type { Bus } from './bus.ts';

/** The bus of a process that has its database to itself. */
export function localBus(): Bus {
  const listeners = new Set<(n: number) => void>();
  return {
    publish(n) {
      for (const listener of [...listeners]) listener(n);
    },
    subscribe(listener) {
      // The listener is wrapped, so that one function may subscribe twice and stop once.
      const own = (n: number) => {
        listener(n);
      };
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    close() {
      listeners.clear();
      return Promise.resolve();
    },
  };
}
