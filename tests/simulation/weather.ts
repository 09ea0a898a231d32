import type { Chance } from './chance.ts';
import type { Weather } from './network.ts';

/** Everything arrives, soon and in order. */
export function calm(chance: Chance): Weather {
  return {
    latencyMs: () => 5 + chance.below(60),
    isUp: ({ isOnline }) => isOnline,
    fateOf: () => ({ is: 'well' }),
    frameFate: () => 'well',
    refreshFate: () => 'well',
  };
}
