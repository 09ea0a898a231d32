import type { CatchUp } from '../sync/catch-up.ts';
import type { Gate } from '../sync/gate.ts';
import type { Closed, Connection } from '../model/views.ts';
import type { Live } from '../sync/live.ts';
import type { Retry } from '../sync/retry.ts';
import type { Failure } from '../model/answer.ts';

/** How the leading tab finds the server: the status of every tab says it. */
export interface Outlook {
  readonly closed: Closed | null;
  readonly problem: string | null;
  readonly last: Failure | null;
  readonly connection: Connection;
  readonly cursor: string | null;
}

export interface OutlookParts {
  readonly gate: Gate;
  readonly retry: Retry;
  readonly live: Live;
  readonly catchUp: CatchUp;
}

export function outlookOf({ gate, retry, live, catchUp }: OutlookParts): Outlook {
  const { closed, problem } = gate;
  return {
    closed,
    problem: problem === null ? null : problem instanceof Error ? problem.name : 'Error',
    last: retry.last,
    connection: live.connection,
    cursor: catchUp.cursor,
  };
}

/** What the leading tab told of itself is how it looks from here as well. */
export function follow({ gate, retry, live }: OutlookParts, outlook: Outlook): void {
  gate.follow(outlook.closed, outlook.problem);
  retry.follow(outlook.last);
  live.follow(outlook.connection);
}
