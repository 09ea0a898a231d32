import { isObject } from '#base/is-object.ts';
import type { Problem } from '#protocol/problem.ts';

/** One of several that were requested together, and why it may not be. */
interface RefusedOne {
  readonly id: string;
  /** The action's reason, else the code of the refusal. */
  readonly why: string;
}

/** Each product that the refusal of a run names (wire 11.6). */
export function refusedIn(problem: Pick<Problem, 'meta'> | null): readonly RefusedOne[] {
  const { refused } = problem?.meta ?? {};
  return (Array.isArray(refused) ? refused : []).filter(isObject).flatMap((one) => {
    const why = one.reason ?? one.code;
    return typeof one.id === 'string' && typeof why === 'string' ? [{ id: one.id, why }] : [];
  });
}
