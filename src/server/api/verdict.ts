import { createHash } from 'node:crypto';
import type { ProblemError } from '#protocol/problem.ts';
import { canonical } from '#rules/equal.ts';

/** SHA-256 of `content`, in whatever order its keys come. */
export function digestOf(content: unknown): string {
  return createHash('sha256').update(canonical(content)).digest('hex');
}

/** Whether a refusal is of the change itself, and so its verdict for ever (wire 7.3). */
export function isFinal(error: ProblemError): boolean {
  const { code } = error.problem;
  if (code === 'change-id-reused' || code === 'user-locked' || code === 'not-a-member')
    return false;
  return [403, 404, 409, 410, 422].includes(error.status);
}
