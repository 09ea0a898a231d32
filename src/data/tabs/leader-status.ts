import type { FeedReader } from '../sync/feed-reader.ts';
import type { SyncControl } from '../sync/sync-control.ts';
import type { PauseReason, HubStatus } from '../model/views.ts';
import type { HubClient } from '../sync/hub-client.ts';
import type { Refreshes } from '../sync/refreshes.ts';
import type { Retry } from '../sync/retry.ts';
import type { Failure } from '../model/answer.ts';

/** The leader's connection to the server: the status of every tab shows it. */
export interface LeaderStatus {
  readonly closed: PauseReason | null;
  readonly problem: string | null;
  readonly last: Failure | null;
  readonly isRefreshing: boolean;
  readonly connection: HubStatus;
  readonly cursor: string | null;
}

export interface LeaderStatusSources {
  readonly syncControl: SyncControl;
  readonly retry: Retry;
  readonly refreshes: Refreshes;
  readonly hubClient: HubClient;
  readonly feedReader: FeedReader;
}

export function leaderStatusOf({
  syncControl,
  retry,
  refreshes,
  hubClient,
  feedReader,
}: LeaderStatusSources): LeaderStatus {
  const { pauseReason, problem } = syncControl;
  return {
    closed: pauseReason,
    problem: problem === null ? null : problem instanceof Error ? problem.name : 'Error',
    last: retry.last,
    isRefreshing: refreshes.view(),
    connection: hubClient.connection,
    cursor: feedReader.cursor,
  };
}

/** Takes over the status that the leader sent. */
export function mirrorLeaderStatus(
  { syncControl, retry, refreshes, hubClient }: LeaderStatusSources,
  status: LeaderStatus,
): void {
  syncControl.mirrorLeader(status.closed, status.problem);
  retry.mirrorLeader(status.last);
  refreshes.set(status.isRefreshing);
  hubClient.mirrorLeader(status.connection);
}
