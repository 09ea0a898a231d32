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

/** What the leading tab alone does: it sends, hears, reads the feed, and writes the server's news. */
export class Leader {
  readonly #parts: LeaderDependencies;
  /** Undefined until the copy is read, or somebody chose. */
  #organization: string | null | undefined = undefined;
  #isCompacting = false;

  constructor(parts: LeaderDependencies) {
    this.#parts = parts;
  }

  start(): void {
    const { backup, sender, feedReader, hubClient, onlineRequests } = this.#parts;
    onlineRequests.applyUnsavedAnswers();
    if (backup.mayWrite) sender.start();
    feedReader.start();
    hubClient.start();
  }

  /** It is worth asking the server again. */
  wake(): void {
    const { sender, feedReader: catchUp, hubClient: live } = this.#parts;
    sender.wake();
    catchUp.requestSync();
    live.start();
  }

  /** Another tab leads, or this one is closed: nothing is sent or asked from here any more. */
  stop(): void {
    const { sender, feedReader: catchUp, hubClient: live, syncControl } = this.#parts;
    sender.stop();
    live.stop();
    catchUp.stop();
    // What they stumbled over ends with them: how it stands, the tab that leads says.
    // fault 42
    for (const piece of ['sender', 'live', 'catch-up'] as const) syncControl.clearProblem(piece);
  }

  handleRequest(wish: LeaderRequest): void {
    const { feedReader: catchUp, sender, retry, syncControl: gate } = this.#parts;
    if (wish === 'resync') catchUp.resync();
    else {
      // Who was kept out may be let in again: an answer tells.
      gate.resume();
      retry.wake();
      sender.wake();
    }
  }

  /** Which organization a super admin looked at last; what they chose meanwhile stays. */
  restoreOrganization(organization: string | null): void {
    if (this.#organization === undefined) this.#organization = organization;
  }

  /** Which organization a super admin looks at. */
  selectOrganization(organization: string | null): void {
    this.#organization = organization;
  }

  /** Whether the feed of `organization` is what is to be here: of others than super admins any is. */
  isSelected(organization: string | null): boolean {
    if (this.#organization === undefined || this.#organization === organization) return true;
    const { store, account } = this.#parts;
    return !store.find
      .all('userRole', { user: account })
      .some(({ roleName }) => roleName === 'SuperAdmin');
  }

  /** A super admin's feed is that of the organization they look at. */
  syncFeedScope(): void {
    const { feedReader: catchUp, hubClient: live } = this.#parts;
    if (this.#organization === undefined || this.isSelected(catchUp.scope)) return;
    catchUp.changeScope(this.#organization);
    live.restart();
  }

  /** Folds the copy once there is nothing better to do. */
  compact(): void {
    const {
      backup,
      serverState,
      feedReader: catchUp,
      unconfirmedCommits,
      idle,
      report,
    } = this.#parts;
    const isNow = backup.needsCompactionNow;
    if (!backup.needsCompaction || (this.#isCompacting && !isNow)) return;
    const look = (): CompactionInput => ({
      records: serverState.allServerRecords(),
      facts: { cursor: catchUp.cursor, scope: catchUp.scope, answered: unconfirmedCommits.commits },
    });
    this.#isCompacting = true;
    const fold = (): void => {
      this.#isCompacting = false;
      if (!backup.needsCompaction) return;
      backup.compact(look).then(
        () => {
          // What is to be removed from the disk may have come meanwhile.
          if (backup.needsCompactionNow) this.compact();
        },
        (error: unknown) => {
          report('The local copy could not be folded', error);
        },
      );
    };
    if (isNow) fold();
    else idle(fold);
  }
}
