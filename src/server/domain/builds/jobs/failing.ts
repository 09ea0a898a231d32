import type { Doing } from '../../doing.ts';
import type { Attempt } from '../../../db/jobs/jobs.ts';
import { pauseMs, UNABLE_AT_FAILURE } from '../../../db/jobs/pauses.ts';
import type { Parts } from '../../parts.ts';
import { EngineError } from '#protocol/engine.ts';

/** What a call to an engine came to. */
export type Called<T> =
  | { readonly is: 'answered'; readonly answer: T }
  | { readonly is: 'failed'; readonly error: EngineError };

export async function called<T>(call: () => Promise<T>): Promise<Called<T>> {
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
export async function tryAgain(
  parts: Parts,
  attempt: Attempt,
  unable: (doing: Doing) => Promise<boolean>,
): Promise<void> {
  const failures = attempt.failures + 1;
  await writing(parts, async (doing) => {
    const isOver = failures === UNABLE_AT_FAILURE && (await unable(doing));
    if (isOver) await attempt.done(doing.write);
    else await attempt.again(doing.write, pauseMs(failures));
  });
}

/** Something that the server does by itself. */
export function writing<T>(parts: Parts, work: (doing: Doing) => Promise<T>): Promise<T> {
  const cause = { at: parts.clock(), by: null, changes: [] };
  return parts.db.write(cause, (write) => work({ parts, write }));
}
