import { ProblemError } from '#protocol/problem.ts';
import type { ChangeContext } from '../../domain/writes/change-context.ts';
import type { ApiRequest } from './api-request.ts';
import { performCall } from '../../domain/writes/perform-change.ts';
import { changeIdIn, narrowingIn } from './headers.ts';

/**
 * Handles a call that changes something, at most once for its `Idempotency-Key`. The result of
 * `work` is recorded, so it must be JSON and hold neither secrets nor records, which are shown as
 * they are later.
 *
 * @throws ProblemError its refusal, also a recorded one
 */
export async function handleCall<T>(
  apiRequest: ApiRequest,
  work: (context: ChangeContext) => Promise<T>,
): Promise<T> {
  const { services, caller, request, reply } = apiRequest;
  await narrowingIn(services, caller, request);
  const id = changeIdIn(request);
  const content = [request.method, request.url, request.body ?? null];
  const { verdict, isReplayed } = await performCall(services, caller, id, content, work);
  if (isReplayed) void reply.header('Idempotency-Replayed', 'true');
  if (verdict.is === 'refused') throw new ProblemError(verdict.problems);
  return verdict.answer;
}
