import { ProblemError } from '#protocol/problem.ts';
import type { Effects } from './effects.ts';

/** Checked in full, then refused: nothing works imports off yet (docs/decisions). */
export const projectImport: Effects = {
  ready: () => {
    const detail = 'Imports are not worked off here yet.';
    throw new ProblemError({ code: 'not-ready', detail });
  },
};
