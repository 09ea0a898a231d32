import type { AnsweredCommits } from '../sync/answered.ts';
import type { Asking } from '../sync/asking.ts';
import type { Backup } from '../storage/backup.ts';
import type { Facts, News } from '../model/server-update.ts';
import type { CatchUp } from '../sync/catch-up.ts';
import type { Change } from '../model/change.ts';
import { hasAllOf } from '../sync/cursor.ts';
import type { Gate } from '../sync/gate.ts';
import type { Merge } from '../sync/merge.ts';
import type { Restoring } from '../sync/restoring.ts';
import type { Retry } from '../sync/retry.ts';
import type { Sender } from '../sync/sender.ts';
import type { StandingWatch } from '../sync/standing.ts';
import type { Level } from './tab-message.ts';
import type { Tabs } from './tabs.ts';

interface Parts {
  readonly backup: Backup;
  readonly restoring: Restoring;
  readonly merge: Merge;
  readonly catchUp: CatchUp;
  readonly asking: Asking;
  readonly answered: AnsweredCommits;
  readonly gate: Gate;
  readonly retry: Retry;
  readonly sender: Sender;
  readonly standing: StandingWatch;
  readonly report: (what: string, cause: unknown) => void;
}

/**
 * What a tab takes from the one that leads: what that merged, as it is told, and what was missed,
 * as it was written. One after the other: what is told while the backup is read comes after it.
 */
export class Following {
  readonly #parts: Parts;
  #last: Promise<unknown>;

  constructor(parts: Parts, restored: Promise<void>) {
    this.#parts = parts;
    this.#last = restored;
  }

  /** Runs `work` after all before it; a failure is told, and everything is read again later. */
  #then(tabs: Tabs, what: string, work: () => void | Promise<void>): void {
    const { gate, retry, report } = this.#parts;
    this.#last = this.#last.then(work).then(
      () => {
        gate.wentWell('copy');
      },
      async (error: unknown) => {
        report(what, error);
        gate.hadProblem('copy', error);
        await retry.wait({ is: 'busy', afterMs: null });
        tabs.miss();
      },
    );
  }

  merged(tabs: Tabs, news: News): void {
    this.#then(tabs, 'What another tab merged could not be taken in', () => {
      const { merge, catchUp, answered } = this.#parts;
      if (news.isAfresh === true) {
        merge.startAfresh();
        answered.forgetAll();
      }
      merge.merge({ ...news, isRelayed: true });
      const { cursor, scope = catchUp.scope, answered: commits = [] } = news.facts ?? {};
      if (cursor !== undefined) catchUp.restore({ cursor, scope });
      if (typeof cursor === 'string') answered.passed(cursor);
      answered.note(commits);
    });
  }

  /** The backup has all that the leading tab had when it was asked. */
  level(tabs: Tabs, { cursor, wasWriting }: Level, isMissing: boolean): void {
    this.#then(tabs, 'What another tab wrote could not be read', async () => {
      const hasAll = hasAllOf(this.#parts.catchUp.cursor, cursor);
      if (isMissing || wasWriting || !hasAll) await this.#read();
      this.#parts.standing.release();
    });
  }

  rows(tabs: Tabs, seqs: readonly number[] | null): void {
    this.#then(tabs, 'The outbox could not be read', async () => {
      await this.#parts.restoring.readRows(seqs);
      this.#parts.sender.wake();
      tabs.check();
    });
  }

  async #read(): Promise<readonly Change[]> {
    const { restoring, asking, answered, catchUp } = this.#parts;
    const facts = await restoring.readRecords(asking.unkeptKeys());
    catchUp.restore(facts);
    answered.note(facts.answered);
    return restoring.readRows();
  }

  /**
   * Takes the backup over from the tab that led. It may have told more than it wrote: all of that is
   * here, and written anew; verdicts it told are written.
   * Gives which lead it is, later than `lead`; null when the storage fails, which keeps nobody from
   * reading.
   */
  async takeOver(isMissing: boolean, lead: number): Promise<number | null> {
    const { backup, catchUp, answered, restoring, gate, report } = this.#parts;
    await this.#last;
    try {
      const holds = (cursor: string | null): boolean =>
        !isMissing && hasAllOf(catchUp.cursor, cursor);
      const isAhead = ({ cursor }: Facts): boolean => holds(cursor) && catchUp.cursor !== cursor;
      const facts = await backup.claim(lead, isAhead);
      if (!backup.wasRead) await backup.restore();
      const wasAhead = isAhead(facts);
      const ahead = await (holds(facts.cursor) ? restoring.readRows() : this.#read());
      if (ahead.length > 0) backup.later({ changes: ahead });
      if (!wasAhead) catchUp.restore(facts);
      answered.note(facts.answered);
      gate.wentWell('copy');
      return facts.lead;
    } catch (error) {
      report('The local copy could not be taken over', error);
      gate.hadProblem('copy', error);
      // Whoever had it before may still write: what both wrote would not fit together.
      backup.follow();
      return null;
    }
  }
}
