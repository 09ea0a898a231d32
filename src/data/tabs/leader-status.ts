import type { FeedReader } from '../sync/feed-reader.ts';
import type { SyncControl } from '../sync/sync-control.ts';
import type { PauseReason, HubStatus } from '../model/views.ts';
import type { HubClient } from '../sync/hub-client.ts';
import type { Retry } from '../sync/retry.ts';
import type { Failure } from '../model/answer.ts';

/** How the leading tab finds the server: the status of every tab says it. */
export interface LeaderStatus {
  readonly closed: PauseReason | null;
  readonly problem: string | null;
  readonly last: Failure | null;
  readonly connection: HubStatus;
  readonly cursor: string | null;
}

export interface LeaderStatusSources {
  readonly syncControl: SyncControl;
  readonly retry: Retry;
  readonly hubClient: HubClient;
  readonly feedReader: FeedReader;
}

export function leaderStatusOf({
  syncControl,
  retry,
  hubClient,
  feedReader,
}: LeaderStatusSources): LeaderStatus {
  const { pauseReason, problem } = syncControl;
  return {
    closed: pauseReason,
    problem: problem === null ? null : problem instanceof Error ? problem.name : 'Error',
    last: retry.last,
    connection: hubClient.connection,
    cursor: feedReader.cursor,
  };
}

/** What the leading tab told of itself is how it looks from here as well. */
export function mirrorLeaderStatus(
  { syncControl: gate, retry, hubClient: live }: LeaderStatusSources,
  outlook: LeaderStatus,
): void {
  gate.mirrorLeader(outlook.closed, outlook.problem);
  retry.mirrorLeader(outlook.last);
  live.mirrorLeader(outlook.connection);
}
