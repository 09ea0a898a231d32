import type { UnconfirmedCommits } from '../sync/unconfirmed-commits.ts';
import type { OnlineRequests } from '../sync/online-requests.ts';
import type { Backup } from '../storage/backup.ts';
import type { CopyMetadata, ServerUpdate } from '../model/server-update.ts';
import type { FeedReader } from '../sync/feed-reader.ts';
import type { Change } from '../model/change.ts';
import { hasAllOf } from '../sync/cursor.ts';
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
 * What a tab takes from the one that leads: what that merged, as it is told, and what was missed,
 * as it was written. One after the other: what is told while the backup is read comes after it.
 */
export class Follower {
  readonly #parts: FollowerDependencies;
  #last: Promise<unknown>;

  constructor(parts: FollowerDependencies, restored: Promise<void>) {
    this.#parts = parts;
    this.#last = restored;
  }

  /** Runs `work` after all before it; a failure is told, and everything is read again later. */
  #enqueue(tabs: Tabs, what: string, work: () => void | Promise<void>): void {
    const { syncControl, retry, report } = this.#parts;
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

  applyLeaderUpdate(tabs: Tabs, news: ServerUpdate): void {
    this.#enqueue(tabs, 'What another tab merged could not be taken in', () => {
      const { serverState, feedReader, unconfirmedCommits } = this.#parts;
      if (news.isAfresh === true) {
        serverState.beginResync();
        unconfirmedCommits.clear();
      }
      serverState.apply({ ...news, isRelayed: true });
      const { cursor, scope = feedReader.scope, answered: commits = [] } = news.facts ?? {};
      if (cursor !== undefined) feedReader.restore({ cursor, scope });
      if (typeof cursor === 'string') unconfirmedCommits.confirmUpTo(cursor);
      unconfirmedCommits.add(commits);
    });
  }

  /** The backup has all that the leading tab had when it was asked. */
  readIfBehind(tabs: Tabs, { cursor, wasWriting }: BackupPosition, isMissing: boolean): void {
    this.#enqueue(tabs, 'What another tab wrote could not be read', async () => {
      const hasAll = hasAllOf(this.#parts.feedReader.cursor, cursor);
      if (isMissing || wasWriting || !hasAll) await this.#read();
      this.#parts.viewerStatus.release();
    });
  }

  readOutbox(tabs: Tabs, seqs: readonly number[] | null): void {
    this.#enqueue(tabs, 'The outbox could not be read', async () => {
      await this.#parts.copyRestorer.readRows(seqs);
      this.#parts.sender.wake();
      tabs.check();
    });
  }

  async #read(): Promise<readonly Change[]> {
    const {
      copyRestorer,
      onlineRequests,
      unconfirmedCommits: answered,
      feedReader: catchUp,
    } = this.#parts;
    const facts = await copyRestorer.readRecords(onlineRequests.unsavedAnswerKeys());
    catchUp.restore(facts);
    answered.add(facts.answered);
    return copyRestorer.readRows();
  }

  /**
   * Takes the backup over from the tab that led. It may have told more than it wrote: all of that is
   * here, and written anew; verdicts it told are written.
   * Gives which lead it is, later than `lead`; null when the storage fails, which keeps nobody from
   * reading.
   */
  async takeOver(isMissing: boolean, lead: number): Promise<number | null> {
    const {
      backup,
      feedReader: catchUp,
      unconfirmedCommits: answered,
      copyRestorer: restoring,
      syncControl: gate,
      report,
    } = this.#parts;
    // fault 8
    await this.#last;
    try {
      // fault 8
      const holds = (cursor: string | null): boolean =>
        !isMissing && hasAllOf(catchUp.cursor, cursor);
      // fault 8
      const isAhead = ({ cursor }: CopyMetadata): boolean =>
        holds(cursor) && catchUp.cursor !== cursor;
      const facts = await backup.claim(lead, isAhead);
      if (!backup.wasRead) await backup.restore();
      const wasAhead = isAhead(facts);
      const ahead = await (holds(facts.cursor) ? restoring.readRows() : this.#read());
      if (ahead.length > 0) backup.enqueue({ changes: ahead });
      if (!wasAhead) catchUp.restore(facts);
      answered.add(facts.answered);
      gate.clearProblem('copy');
      return facts.lead;
    } catch (error) {
      report('The local copy could not be taken over', error);
      gate.reportProblem('copy', error);
      // Whoever had it before may still write: what both wrote would not fit together.
      backup.stopWriting();
      return null;
    }
  }
}
