import type { UnconfirmedCommits } from '../sync/unconfirmed-commits.ts';
import type { OnlineRequests } from '../sync/online-requests.ts';
import type { Backup } from '../storage/backup.ts';
import type { CopyMetadata, ServerUpdate } from '../model/server-update.ts';
import type { FeedReader } from '../sync/feed-reader.ts';
import type { Change } from '../model/change.ts';
import { hasAllOf } from '../model/cursor.ts';
import type { SyncControl } from '../sync/sync-control.ts';
import type { MutableServerState } from '../sync/mutable-server-state.ts';
import type { CopyRestorer } from '../sync/copy-restorer.ts';
import type { Retry } from '../sync/retry.ts';
import type { Sender } from '../sync/sender.ts';
import type { ViewerStatusWatch } from '../sync/viewer-status.ts';
import type { BackupPosition } from './tab-message.ts';
import type { Tabs } from './tabs.ts';

interface FollowerDependencies {
  readonly backup: Backup;
  readonly copyRestorer: CopyRestorer;
  readonly serverState: MutableServerState;
  readonly feedReader: FeedReader;
  readonly onlineRequests: OnlineRequests;
  readonly unconfirmedCommits: UnconfirmedCommits;
  readonly syncControl: SyncControl;
  readonly retry: Retry;
  readonly sender: Sender;
  readonly viewerStatus: ViewerStatusWatch;
  readonly report: (what: string, cause: unknown) => void;
}

/**
 * Applies what the leader sends: its updates as they come, and from the backup what was missed. It
 * works in order: an update that comes while the backup is read is applied after it.
 */
export class Follower {
  readonly #dependencies: FollowerDependencies;
  #last: Promise<unknown>;

  constructor(dependencies: FollowerDependencies, restored: Promise<void>) {
    this.#dependencies = dependencies;
    this.#last = restored;
  }

  /** Runs `work` after all before it; a failure is reported, and everything is read again later. */
  #enqueue(tabs: Tabs, what: string, work: () => void | Promise<void>): void {
    const { syncControl, retry, report } = this.#dependencies;
    this.#last = this.#last.then(work).then(
      () => {
        syncControl.clearProblem('copy');
      },
      async (error: unknown) => {
        report(what, error);
        syncControl.reportProblem('copy', error);
        await retry.wait({ is: 'busy', afterMs: null });
        tabs.requestMissed();
      },
    );
  }

  applyLeaderUpdate(tabs: Tabs, update: ServerUpdate): void {
    this.#enqueue(tabs, 'What another tab merged could not be taken in', () => {
      const { serverState, feedReader, unconfirmedCommits } = this.#dependencies;
      if (update.isAfresh === true) {
        serverState.beginResync();
        unconfirmedCommits.clear();
      }
      serverState.apply({ ...update, isRelayed: true });
      const { cursor, scope = feedReader.scope, answered: commits = [] } = update.facts ?? {};
      if (cursor !== undefined) feedReader.restore({ cursor, scope });
      if (typeof cursor === 'string') unconfirmedCommits.confirmUpTo(cursor);
      unconfirmedCommits.add(commits);
    });
  }

  /** The backup has everything that the leader had when it was asked. */
  readIfBehind(tabs: Tabs, { cursor, wasWriting }: BackupPosition, isMissing: boolean): void {
    this.#enqueue(tabs, 'What another tab wrote could not be read', async () => {
      const hasAll = hasAllOf(this.#dependencies.feedReader.cursor, cursor);
      if (isMissing || wasWriting || !hasAll) await this.#read();
      this.#dependencies.viewerStatus.release();
    });
  }

  readOutbox(tabs: Tabs, seqs: readonly number[] | null): void {
    this.#enqueue(tabs, 'The outbox could not be read', async () => {
      await this.#dependencies.copyRestorer.readRows(seqs);
      this.#dependencies.sender.wake();
      tabs.check();
    });
  }

  async #read(): Promise<readonly Change[]> {
    const { copyRestorer, onlineRequests, unconfirmedCommits, feedReader } = this.#dependencies;
    const facts = await copyRestorer.readRecords(onlineRequests.unsavedAnswerKeys());
    feedReader.restore(facts);
    unconfirmedCommits.add(facts.answered);
    return copyRestorer.readRows();
  }

  /**
   * Takes over the backup from the tab that led. That may have sent more than it wrote: all of it
   * is here and is written again, the verdicts too.
   *
   * @returns the number of the lead, later than `lead`; null when the storage fails, which keeps
   *   nobody from reading
   */
  async takeOver(isMissing: boolean, lead: number): Promise<number | null> {
    const { backup, feedReader, unconfirmedCommits, copyRestorer, syncControl, report } =
      this.#dependencies;
    // fault 8
    await this.#last;
    try {
      // A copy that was never read may have records that neither it nor this tab has a cursor for.
      const isUnknown = !backup.wasRead && feedReader.cursor === null;
      // fault 8
      const holds = (cursor: string | null): boolean =>
        !isMissing && !isUnknown && hasAllOf(feedReader.cursor, cursor);
      // fault 8
      const isAhead = ({ cursor }: CopyMetadata): boolean =>
        holds(cursor) && feedReader.cursor !== cursor;
      const facts = await backup.claim(lead, isAhead);
      if (!backup.wasRead) await backup.restore();
      const wasAhead = isAhead(facts);
      const ahead = await (holds(facts.cursor) ? copyRestorer.readRows() : this.#read());
      if (ahead.length > 0) backup.enqueue({ changes: ahead });
      if (!wasAhead) feedReader.restore(facts);
      unconfirmedCommits.add(facts.answered);
      syncControl.clearProblem('copy');
      return facts.lead;
    } catch (error) {
      report('The local copy could not be taken over', error);
      syncControl.reportProblem('copy', error);
      // The tab that had it before may still write: what both wrote would not fit together.
      backup.stopWriting();
      return null;
    }
  }
}
