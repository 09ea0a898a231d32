import type { ErrorObject } from '#protocol/problem.ts';

/** How an attempt to reach the server ended. */
export type Failure =
  /** No answer, or one that is not the server's: a captive portal's, half a document. */
  | { readonly is: 'silent'; readonly garbled: boolean }
  /** The server asked for patience, or broke; `afterMs` when it said how long. */
  | { readonly is: 'busy'; readonly afterMs: number | null };

/** A document from the server, of whatever status. */
export interface ApiResponse {
  readonly status: number;
  readonly document: Readonly<Record<string, unknown>>;
  readonly errors: readonly ErrorObject[];
  readonly afterMs: number | null;
  /** The newest commit that it may show. */
  readonly commit: string | null;
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
