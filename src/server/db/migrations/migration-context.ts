import type { Clock, Random } from '#base/id.ts';

/** A migration takes its time and its randomness from here. */
export interface MigrationContext {
  readonly clock: Clock;
  readonly random: Random;
}
