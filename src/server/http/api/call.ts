import { ProblemError } from '#protocol/problem.ts';
import type { Act } from '../../domain/writes/act.ts';
import type { Asked } from './asked.ts';
import { settleOnce } from '../../domain/writes/change.ts';
import { changeIdIn, narrowingIn } from './headers.ts';

/**
 * Carries out a call that changes something, at most once for its `Idempotency-Key`. What `work`
 * returns is recorded, so it must be JSON and hold neither secrets nor records, which are shown
 * as they are later.
 *
 * @throws ProblemError its refusal, also a recorded one
 */
export async function carryOutCall<T>(asked: Asked, work: (act: Act) => Promise<T>): Promise<T> {
  const { parts, caller, request, reply } = asked;
  await narrowingIn(parts, caller, request);
  const id = changeIdIn(request);
  const content = [request.method, request.url, request.body ?? null];
  const { verdict, isReplayed } = await settleOnce(parts, caller, id, content, work);
  if (isReplayed) void reply.header('Idempotency-Replayed', 'true');
  if (verdict.is === 'refused') throw new ProblemError(verdict.problems);
  return verdict.answer;
}
