import type { UnconfirmedCommits } from '../sync/unconfirmed-commits.ts';
import type { OnlineRequests } from '../sync/online-requests.ts';
import type { Backup } from '../storage/backup.ts';
import type { FeedReader } from '../sync/feed-reader.ts';
import type { CompactionInput } from '../storage/write-batch.ts';
import type { SyncControl } from '../sync/sync-control.ts';
import type { HubClient } from '../sync/hub-client.ts';
import type { MutableServerState } from '../sync/mutable-server-state.ts';
import type { Retry } from '../sync/retry.ts';
import type { Sender } from '../sync/sender.ts';
import type { RecordStore } from '../store/store.ts';
import type { LeaderRequest } from './tab-message.ts';

interface LeaderDependencies {
  readonly account: string;
  readonly store: RecordStore;
  readonly backup: Backup;
  readonly serverState: MutableServerState;
  readonly onlineRequests: OnlineRequests;
  readonly unconfirmedCommits: UnconfirmedCommits;
  readonly feedReader: FeedReader;
  readonly sender: Sender;
  readonly hubClient: HubClient;
  readonly retry: Retry;
  readonly syncControl: SyncControl;
  readonly idle: (run: () => void) => void;
  readonly report: (what: string, cause: unknown) => void;
}

/** The work of the leader alone: it sends, listens, reads the feed, and writes server updates. */
export class Leader {
  readonly #dependencies: LeaderDependencies;
  /** Undefined until the copy is read, or somebody chose one. */
  #organization: string | null | undefined = undefined;
  #isCompacting = false;

  constructor(dependencies: LeaderDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { backup, sender, feedReader, hubClient, onlineRequests } = this.#dependencies;
    onlineRequests.applyUnsavedAnswers();
    if (backup.mayWrite) sender.start();
    feedReader.start();
    hubClient.start();
  }

  /** It is worth trying the server again. */
  wake(): void {
    const { sender, feedReader, hubClient } = this.#dependencies;
    sender.wake();
    feedReader.requestSync();
    hubClient.start();
  }

  /** Another tab leads, or this one is closed: this tab sends and requests nothing any more. */
  stop(): void {
    const { sender, feedReader, hubClient, syncControl } = this.#dependencies;
    sender.stop();
    hubClient.stop();
    feedReader.stop();
    // Their problems end with them: the tab that leads reports the status.
    // fault 42
    for (const component of ['sender', 'live', 'catch-up'] as const)
      syncControl.clearProblem(component);
  }

  handleRequest(request: LeaderRequest): void {
    const { feedReader, sender, retry, syncControl } = this.#dependencies;
    if (request === 'resync') feedReader.resync();
    else {
      // A person who was locked out may be let in again: an answer tells.
      syncControl.resume();
      retry.wake();
      sender.wake();
    }
  }

  /**
   * Restores the organization that a super admin looked at last, unless they chose one meanwhile.
   */
  restoreOrganization(organization: string | null): void {
    if (this.#organization === undefined) this.#organization = organization;
  }

  /** Sets the organization that a super admin looks at. */
  selectOrganization(organization: string | null): void {
    this.#organization = organization;
  }

  /**
   * Tells whether the feed of `organization` is the wanted one; it always is for others than super
   * admins.
   */
  isSelected(organization: string | null): boolean {
    if (this.#organization === undefined || this.#organization === organization) return true;
    const { store, account } = this.#dependencies;
    return !store.find
      .all('userRole', { user: account })
      .some(({ roleName }) => roleName === 'SuperAdmin');
  }

  /** Changes a super admin's feed to that of the organization they look at. */
  syncFeedScope(): void {
    const { feedReader, hubClient } = this.#dependencies;
    if (this.#organization === undefined || this.isSelected(feedReader.scope)) return;
    feedReader.changeScope(this.#organization);
    hubClient.restart();
  }

  /** Compacts the copy once there is nothing better to do. */
  compact(): void {
    const { backup, serverState, feedReader, unconfirmedCommits, idle, report } =
      this.#dependencies;
    const isNow = backup.needsCompactionNow;
    if (!backup.needsCompaction || (this.#isCompacting && !isNow)) return;
    const readInput = (): CompactionInput => ({
      records: serverState.allServerRecords(),
      facts: {
        cursor: feedReader.cursor,
        scope: feedReader.scope,
        answered: unconfirmedCommits.commits,
      },
    });
    this.#isCompacting = true;
    const run = (): void => {
      this.#isCompacting = false;
      if (!backup.needsCompaction) return;
      backup.compact(readInput).then(
        () => {
          // Something more to remove from the disk may have come meanwhile.
          if (backup.needsCompactionNow) this.compact();
        },
        (error: unknown) => {
          report('The local copy could not be folded', error);
        },
      );
    };
    if (isNow) run();
    else idle(run);
  }
}
