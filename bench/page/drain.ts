import { createData } from '#data/data.ts';
import type { Data } from '../../src/data/model/data.ts';
import { environment, VIEWER } from './copy.ts';

/** A device that was offline with many edits, before a real server at the other end of the line. */
let data: Data;
let isOnline = true;
const listeners = new Set<() => void>();

/** Resolves when the changes are as `is` says. */
function until(is: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!is()) return;
      end();
      resolve();
    };
    const end = data.changes.subscribe(look);
    look();
  });
}

const steps = {
  async open(token: string, count: number): Promise<void> {
    data = createData(
      {
        ...environment,
        fetch: (address, request) =>
          isOnline ? fetch(address, request) : Promise.reject(new TypeError('offline')),
        accessToken: () => Promise.resolve(token),
        hub: () => ({
          start: () => new Promise(() => undefined),
          stop: () => Promise.resolve(),
          on: () => undefined,
          onclose: () => undefined,
          invoke: () => Promise.resolve({}),
        }),
        page: {
          isOnline: () => isOnline,
          isVisible: () => true,
          onChange: (listener) => {
            listeners.add(listener);
            return () => listeners.delete(listener);
          },
        },
        report: () => undefined,
      },
      VIEWER,
    );
    const list = data.lists.open('project', {});
    list.subscribe(() => undefined);
    while (list.view().total < count) await new Promise((resolve) => setTimeout(resolve, 20));
  },

  /** Renames every project while offline. */
  async edit(round: number): Promise<number> {
    isOnline = false;
    for (const listener of listeners) listener();
    const { rows } = data.lists.open('project', {}).view();
    await Promise.all(
      rows.map(({ id }, n) => {
        const name = `Round ${round}, project ${n}`;
        return data.edit('project', id, { name }, ['changes.rename', { name }]);
      }),
    );
    return data.changes.view().waiting;
  },

  /** From coming online until the last change has its verdict, ms. */
  async drain(): Promise<readonly [ms: number, attention: number]> {
    const from = performance.now();
    isOnline = true;
    for (const listener of listeners) listener();
    data.changes.sendNow();
    await until(() => data.changes.view().waiting === 0);
    return [performance.now() - from, data.changes.view().attention];
  },
};

Object.assign(globalThis, { steps });
