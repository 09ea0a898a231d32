import { invalid, ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import type { StepRefusal } from './step.ts';

/** Returns the Problem for a refusal of a workflow (wire 11.6, 11.7). */
export function problemOf(refused: StepRefusal): Problem {
  switch (refused.because) {
    case 'action-not-allowed':
      return { code: 'action-not-allowed', meta: { allowed: refused.allowed } };
    case 'archived':
    case 'startup-cannot-be-cancelled':
      return { code: 'action-not-allowed', meta: { reason: refused.because, allowed: [] } };
    case 'comment-required':
      return invalid('/data/attributes/comment', 'required');
    case 'reason-required':
      return invalid('/comment', 'required');
    case 'choice':
      return invalid('/state', 'choice');
    case 'late':
      return { code: 'workflow-state-changed' };
  }
}

/** The client saw another state than the product is in; null: no workflow runs any more. */
export function movedOn(state: string | null, commands: readonly string[] = []): ProblemError {
  const current = { 'workflow-state': state, commands };
  return new ProblemError({ code: 'workflow-state-changed', meta: { current } });
}
