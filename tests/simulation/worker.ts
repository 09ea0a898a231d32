import { Place } from './place.ts';
import { manyChanges } from './many-changes.ts';
import { DAY, runSeed, USUAL } from './run.ts';

/** What a process that runs seeds is told: one at a time. */
export interface Order {
  readonly seed: number;
  readonly isTraced: boolean;
  /** A day instead of a minute. */
  readonly isSoak?: boolean;
  /** So many changes of one person, and nothing else. */
  readonly changes?: number;
}

const place = await Place.open();
process.on('message', (order: Order) => {
  const { seed, isTraced, isSoak = false, changes } = order;
  const run =
    changes === undefined
      ? runSeed(place, seed, isTraced, isSoak ? DAY : USUAL)
      : manyChanges(place, seed, changes);
  void run.then((outcome) => process.send?.(outcome));
});
// Nobody is left to run seeds for.
process.once('disconnect', () => {
  process.exit();
});
process.send?.('ready');
