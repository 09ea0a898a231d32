import type { Clock } from '#base/id.ts';
import { ProblemError } from '#protocol/problem.ts';

/** Counts one more of `what`; throws 429 with `Retry-After` when it is one too many. */
export type Count = (what: string, most: number, withinMs: number) => void;

const FORGET_AT = 10_000;

/**
 * Limits of this process. Windows are fixed: each begins with the first of its kind. The one place
 * to change when several processes have to count together.
 */
export function countInMemory(clock: Clock): Count {
  const windows = new Map<string, { readonly endsAt: number; count: number }>();

  const forgetOld = (now: number) => {
    for (const [what, { endsAt }] of windows) if (endsAt <= now) windows.delete(what);
  };

  return (what, most, withinMs) => {
    const now = clock();
    if (windows.size > FORGET_AT) forgetOld(now);

    let window = windows.get(what);
    if (window === undefined || window.endsAt <= now) {
      window = { endsAt: now + withinMs, count: 0 };
      windows.set(what, window);
    }
    window.count += 1;
    if (window.count <= most) return;

    const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
    throw new ProblemError({ code: 'too-many-requests' }, { 'Retry-After': String(seconds) });
  };
}
