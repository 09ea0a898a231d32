import type { WriteContext } from '../../write-context.ts';
import type { JobAttempt } from '../../../db/jobs/jobs.ts';
import { troubleOf } from '../../../db/jobs/job-trouble.ts';
import { pauseMs, UNABLE_AT_FAILURE } from '../../../db/jobs/pauses.ts';
import type { Services } from '../../services.ts';
import { EngineError } from '#protocol/engine.ts';

/** The result of a call to an engine. */
export type CallResult<T> =
  | { readonly is: 'answered'; readonly answer: T }
  | { readonly is: 'failed'; readonly error: EngineError };

export async function tryCall<T>(call: () => Promise<T>): Promise<CallResult<T>> {
  try {
    return { is: 'answered', answer: await call() };
  } catch (error) {
    if (error instanceof EngineError) return { is: 'failed', error };
    throw error;
  }
}

/**
 * Retries later (W60). With the tenth failure `unable` runs in the same transaction: it notifies
 * people, and returns `true` when there are to be no more attempts.
 */
export async function retryJob(
  services: Services,
  attempt: JobAttempt,
  error: EngineError,
  unable: (context: WriteContext) => Promise<boolean>,
): Promise<void> {
  const failures = attempt.failures + 1;
  await runWrite(services, async (context) => {
    const isOver = failures === UNABLE_AT_FAILURE && (await unable(context));
    if (isOver) await attempt.complete(context.write);
    else await attempt.retry(context.write, pauseMs(failures), troubleOf(error));
  });
}

/** Runs a write that the server does by itself. */
export function runWrite<T>(
  services: Services,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> {
  const cause = { at: services.clock(), by: null, changes: [] };
  return services.db.write(cause, (write) => work({ services, write }));
}
