import { Place } from './place.ts';
import { manyChanges } from './many-changes.ts';
import { DAY, RESTORES, runSeed, USUAL } from './run.ts';

const HISTORIES = { usual: USUAL, day: DAY, restores: RESTORES } as const;

export type History = keyof typeof HISTORIES;

/** The messages to a process that runs seeds: one seed at a time. */
export interface Order {
  readonly seed: number;
  readonly isTraced: boolean;
  /** A usual minute, a day, or a history in which the database is restored. */
  readonly history?: History;
  /** So many changes of one person, and nothing else. */
  readonly changes?: number;
}

const place = await Place.open();
process.on('message', (order: Order) => {
  const { seed, isTraced, history = 'usual', changes } = order;
  const run =
    changes === undefined
      ? runSeed(place, seed, isTraced, HISTORIES[history])
      : manyChanges(place, seed, changes);
  void run.then((outcome) => process.send?.(outcome));
});
// Nobody is left to run seeds for.
process.once('disconnect', () => {
  process.exit();
});
process.send?.('ready');
