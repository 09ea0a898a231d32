import type { WriteContext } from '../../write-context.ts';
import type { JobAttempt } from '../../../db/jobs/jobs.ts';
import { pauseMs, UNABLE_AT_FAILURE } from '../../../db/jobs/pauses.ts';
import type { Services } from '../../services.ts';
import { EngineError } from '#protocol/engine.ts';

/** What a call to an engine came to. */
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
 * Tries again later (W60). With the tenth failure `unable` is done in the same transaction: it
 * tells people, and `true` says that nothing more is to be tried.
 */
export async function retryJob(
  parts: Services,
  attempt: JobAttempt,
  unable: (doing: WriteContext) => Promise<boolean>,
): Promise<void> {
  const failures = attempt.failures + 1;
  await runWrite(parts, async (doing) => {
    const isOver = failures === UNABLE_AT_FAILURE && (await unable(doing));
    if (isOver) await attempt.complete(doing.write);
    else await attempt.retry(doing.write, pauseMs(failures));
  });
}

/** Something that the server does by itself. */
export function runWrite<T>(
  parts: Services,
  work: (doing: WriteContext) => Promise<T>,
): Promise<T> {
  const cause = { at: parts.clock(), by: null, changes: [] };
  return parts.db.write(cause, (write) => work({ services: parts, write }));
}
