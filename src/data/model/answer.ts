import type { ErrorObject } from '#protocol/problem.ts';
import { serverErrorOf } from '#protocol/server-error.ts';
import type { ServerError } from '#protocol/server-error.ts';

/** How an attempt to reach the server ended. */
export type Failure = { readonly serverError?: ServerError | undefined } & (
  | /** No answer, or one that is not the server's: a captive portal's, half a document. */
    { readonly is: 'silent'; readonly garbled: boolean }
    /** The server asked for patience, or broke; `afterMs` when it said how long. */
  | { readonly is: 'busy'; readonly afterMs: number | null }
);

/** A document from the server, of whatever status. */
export interface ApiResponse {
  readonly status: number;
  readonly document: Readonly<Record<string, unknown>>;
  readonly errors: readonly ErrorObject[];
  readonly afterMs: number | null;
  /** The newest commit that it may show. */
  readonly commit: string | null;
}

/** The error that `answer` is where it decides nothing: the server asks for patience, or broke. */
export function busyError(answer: ApiResponse): NoResponseError {
  const { afterMs } = answer;
  return new NoResponseError({ is: 'busy', afterMs, serverError: serverErrorOf(answer) });
}

/** The error of a request to which there was no answer at all. */
export function silence(cause?: unknown): NoResponseError {
  return new NoResponseError({ is: 'silent', garbled: false }, cause);
}

/** Nothing was decided: no answer, or one that is not JSON:API. */
export class NoResponseError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, cause?: unknown) {
    super('No answer from the server', { cause });
    this.name = 'NoAnswer';
    this.failure = failure;
  }
}
