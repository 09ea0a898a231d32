import type { Clock } from '#base/id.ts';
import type { NewsMessage } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { AnsweredCommits } from './answered.ts';
import type { Facts, News, NewsItem } from '../model/server-update.ts';
import { isLater, isSameDatabase } from './cursor.ts';
import type { Gate } from './gate.ts';
import { itemsFrom } from './merge.ts';
import type { Merge } from './merge.ts';
import { keyOf } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';
import { NoAnswer } from '../model/answer.ts';
import type { Remote } from './remote.ts';
import type { Answer } from '../model/answer.ts';
import type { Retry } from './retry.ts';

interface Parts {
  readonly remote: Remote;
  readonly answered: AnsweredCommits;
  readonly merge: Merge;
  readonly retry: Retry;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly report: (what: string, cause: unknown) => void;
  /** What was fetched on demand is asked for again. */
  readonly askAgain: () => void;
  /** Whether a screen asked for what the record is of, whose type the first load leaves out. */
  readonly wasAskedFor: (record: StoreRecord) => boolean;
}

type Where = Pick<Facts, 'cursor' | 'scope'>;

interface Page {
  readonly operations: readonly unknown[];
  readonly cursor: string;
  readonly more: boolean;
  readonly isSnapshot: boolean;
}

/**
 * First load and gaps: reads the feed until it is level with the server.
 *
 *   level ──gap, reconnect, "more"──> reading ──page, more──> reading ──page, no more──> level
 *   (no cursor) ──> snapshot page ──> … ──> first page of the feed: what was in no page is gone
 *
 * It owns the cursor: hub messages that fit it move it on, all others start a reading. After too
 * long away, with another database or when a person asks, everything is read afresh behind what is
 * shown; changes are untouched by all of it.
 */
export class CatchUp {
  readonly #parts: Parts;
  #where: Where = { cursor: null, scope: null };
  #isRunning = false;
  #isWanted = false;
  #isStopped = true;
  /** Keys that came in since the snapshot began, and whether with it; null: none is being read. */
  #seen: Map<string, boolean> | null = null;
  /** The cursor inside a snapshot, which a restart forgets: what it had seen is forgotten too. */
  #snapshotCursor: string | null = null;
  /** Keys of what was fetched on demand before all was read afresh, and has not come again. */
  #stale = new Set<string>();
  /** Grows when the cursor was set from outside: an answer to what was asked before is dropped. */
  #turn = 0;
  /** Whether the database is the one that the cursor and the answers are of, as far as is known. */
  #isProven = false;
  /** From where something was left out that did not fit: it is asked for once more. */
  #askedAgain: string | null = null;
  readonly #unlisten: () => void;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.answered.onLate = () => {
      this.#doubt();
    };
    this.#unlisten = parts.merge.onMerged(({ items, isAfresh = false }) => {
      for (const { record } of items) {
        const key = keyOf(record);
        this.#seen?.set(key, isAfresh || this.#seen.get(key) === true);
        this.#stale.delete(key);
      }
    });
  }

  /** Where the copy in the backup stands. */
  restore({ cursor, scope }: Where): void {
    this.#goTo({ cursor, scope });
  }

  #goTo(where: Where): void {
    this.#turn += 1;
    this.#where = where;
    this.#snapshotCursor = null;
    this.#seen = null;
  }

  get cursor(): string | null {
    return this.#where.cursor;
  }

  get scope(): string | null {
    return this.#where.scope;
  }

  /** Goes over to the feed of `scope`, which begins with a first load of it. */
  moveTo(scope: string | null): void {
    if (scope === this.#where.scope) return;
    this.#goTo({ cursor: null, scope });
    this.soon();
  }

  /** Reads everything again, behind what is shown. */
  resync(): void {
    this.#startAfresh(this.#where.scope);
    this.soon();
  }

  #startAfresh(scope: string | null): void {
    this.#goTo({ cursor: null, scope });
    this.#parts.answered.forgetAll();
    const fetched = this.#parts.merge.allTruth().filter((record) => !isFirst(record.type));
    this.#stale = new Set(fetched.map(keyOf));
    this.#parts.askAgain();
  }

  start(): void {
    this.#isStopped = false;
    this.soon();
  }

  stop(): void {
    this.#isStopped = true;
  }

  close(): void {
    this.stop();
    this.#unlisten();
  }

  /** Something may have been missed. */
  soon(): void {
    this.#isWanted = true;
    if (this.#isRunning || this.#isStopped || !this.#parts.gate.isOpen) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** The database may have been restored behind the cursor: until the feed says, no message counts. */
  #doubt(): void {
    this.#isProven = false;
    this.soon();
  }

  async #run(): Promise<void> {
    const { gate, retry, report } = this.#parts;
    while (this.#isWanted && !this.#isStopped && gate.isOpen) {
      this.#isWanted = false;
      try {
        while (!this.#hasEnded() && (await this.#readPage()));
        gate.wentWell('catch-up');
      } catch (error) {
        // How the server is, the tab that leads by now says.
        if (this.#hasEnded() || gate.closesFor(error)) break;
        const isSilence = error instanceof NoAnswer;
        const failure = isSilence ? error.failure : ({ is: 'busy', afterMs: null } as const);
        if (!isSilence) {
          report('Catching up failed and starts again', error);
          gate.hadProblem('catch-up', error);
        }
        retry.failed(failure);
        await retry.wait(failure);
        this.#isWanted = true;
      }
    }
    this.#isRunning = false;
  }

  #hasEnded(): boolean {
    return this.#isStopped;
  }

  /** Reads one page. Gives whether there is more. */
  async #readPage(): Promise<boolean> {
    const { remote, merge, retry, gate, answered } = this.#parts;
    const { cursor, scope } = this.#where;
    const asked = merge.now;
    const turn = this.#turn;
    const since = cursor ?? this.#snapshotCursor;
    // What is here may be of another database: its versions say nothing.
    if (since === null) merge.startAfresh();
    const { commits } = answered;
    const answer = await remote.ask(
      since === null ? paths.changes : `${paths.changes}?${questionOf(since, commits)}`,
      scope === null ? {} : { headers: { Organization: scope } },
    );
    if (this.#isStopped || this.#hasTurned(turn)) return true;
    if (answer.status !== 200) return this.#refused(answer, gate);
    retry.succeeded();
    const page = pageFrom(answer);
    if (page === null) throw new NoAnswer({ is: 'silent', garbled: true });
    if (since !== null) answered.forget(commits);
    this.#isProven = !this.#isWanted;
    return this.#takePage(page, asked, since) || page.more;
  }

  #hasTurned(turn: number): boolean {
    return turn !== this.#turn;
  }

  /** Gives whether to ask for the same once more. */
  #takePage(page: Page, asked: number, since: string | null): boolean {
    const { merge, clock, answered } = this.#parts;
    const { items, leftOut } = this.#itemsOf(page.operations);
    if (leftOut && this.#askedAgain !== (since ?? '')) {
      // What fits shows now; what does not may have been garbled on its way.
      this.#askedAgain = since ?? '';
      if (since !== null) answered.showedPart(page.cursor);
      merge.merge({ items, facts: { answered: answered.commits } }, asked);
      return true;
    }
    if (page.isSnapshot) {
      this.#seen ??= new Map();
      this.#snapshotCursor = page.cursor;
      merge.merge({ items, isAfresh: true }, asked);
      return false;
    }
    // A message that came meanwhile may have told more than this page.
    if (isLater(this.#where.cursor, page.cursor)) return false;
    const facts: Partial<Facts> = {
      cursor: page.cursor,
      scope: this.#where.scope,
      answered: answered.commits,
      ...(page.more ? {} : { asOf: new Date(clock()).toISOString() }),
    };
    this.#moveOn(page.cursor, { items: [...this.#noLongerVisible(items), ...items], facts });
    this.#seen = null;
    this.#stale.clear();
    this.#snapshotCursor = null;
    return false;
  }

  /** The cursor goes on with its news or not at all. */
  #moveOn(cursor: string, news: News): void {
    const before = this.#where;
    const turn = this.#turn;
    this.#where = { ...before, cursor };
    try {
      this.#parts.merge.merge(news);
    } catch (error) {
      if (!this.#hasTurned(turn)) this.#where = before;
      throw error;
    }
  }

  /**
   * After a snapshot: what was in none of its pages, and has not been answered or fetched since it
   * began; nor does an answer count of which nobody would tell what becomes of it.
   */
  #noLongerVisible(along: readonly NewsItem[]): NewsItem[] {
    const { merge } = this.#parts;
    const seen = this.#seen;
    if (seen === null) return [];
    return merge.allTruth().flatMap((record): NewsItem[] => {
      const key = keyOf(record);
      const came = seen.get(key);
      const isMissing = isFirst(record.type)
        ? came === undefined || !(came || merge.isKeptUp(record, along))
        : this.#stale.has(key);
      return isMissing ? [{ is: 'remove', record: { type: record.type, id: record.id } }] : [];
    });
  }

  #itemsOf(operations: readonly unknown[]): { items: NewsItem[]; leftOut: boolean } {
    const { merge, report, wasAskedFor } = this.#parts;
    let leftOut = false;
    const items = itemsFrom(operations, (why) => {
      report('Something that came in does not fit', why);
      leftOut = true;
    });
    // Types on demand are kept up only where a screen has asked for them.
    const wanted = items.filter(
      ({ is, record }) =>
        is === 'remove' ||
        isFirst(record.type) ||
        merge.truth(record) !== null ||
        wasAskedFor(record),
    );
    return { items: wanted, leftOut };
  }

  /** Gives whether to ask again at once. */
  #refused(answer: Answer, gate: Gate): boolean {
    if (gate.closesOn(answer)) return false;
    const isOver = answer.status === 410 || answer.status === 400;
    if (isOver && (this.#where.cursor ?? this.#snapshotCursor) !== null) {
      // Another database, or too long away: everything afresh, and the outbox stays.
      this.#parts.report('The feed starts again', answer.errors[0]);
      this.#startAfresh(this.#where.scope);
      return true;
    }
    if (answer.errors[0]?.code === 'not-a-member') {
      this.#startAfresh(null);
      return true;
    }
    throw new NoAnswer({ is: 'busy', afterMs: answer.afterMs });
  }

  /** Takes in a hub message (wire 10.3). */
  heard(text: string): void {
    const { report, clock } = this.#parts;
    const message = messageFrom(text);
    if (message === null) {
      report('A hub message is malformed', `${text.length} characters`);
      this.soon();
      return;
    }
    const { cursor, previous, changes, more } = message.meta;
    const own = this.#where.cursor;
    if (own === null) {
      // The last page of a first load may have been made before this: the feed brings it.
      this.soon();
      return;
    }
    if (isSameDatabase(own, cursor) && !isLater(cursor, own)) {
      if (changes.length > 0) this.#parts.merge.merge({ items: [], changes });
      return;
    }
    const fits = isSameDatabase(own, cursor) && !isLater(previous, own);
    if (more || !fits || !this.#isProven) {
      this.soon();
      return;
    }
    const { items, leftOut } = this.#itemsOf(message.operations);
    const asOf = new Date(clock()).toISOString();
    const { answered } = this.#parts;
    if (leftOut) {
      // What fits shows; the cursor stays, so that the feed brings the rest.
      answered.showedPart(cursor);
      this.#parts.merge.merge({ items, changes, facts: { answered: answered.commits } });
      this.soon();
      return;
    }
    answered.passed(cursor);
    const facts = { cursor, asOf, answered: answered.commits };
    this.#moveOn(cursor, { items, changes, facts });
  }

  /** What a subscription answered: from that cursor on nothing is missed. */
  subscribedAt(cursor: string): void {
    const { answered } = this.#parts;
    answered.connected();
    // Also where it seems to be ahead.
    this.#isProven = this.#where.cursor === cursor && answered.commits.length === 0;
    if (!this.#isProven) this.#doubt();
  }
}

const isFirst = (type: TypeName): boolean => resourceOf(type).load === 'first';

function questionOf(since: string, answered: readonly string[]): string {
  const all = answered.length > 0 ? { since, answered: answered.join() } : { since };
  return new URLSearchParams(all).toString();
}

function pageFrom({ document }: Answer): Page | null {
  const { operations, meta } = document;
  if (!Array.isArray(operations) || typeof meta !== 'object' || meta === null) return null;
  const { cursor, more, phase } = meta as Partial<Record<string, unknown>>;
  if (typeof cursor !== 'string') return null;
  return { operations, cursor, more: more === true, isSnapshot: phase === 'snapshot' };
}

function messageFrom(text: string): NewsMessage | null {
  try {
    const message = JSON.parse(text) as Partial<NewsMessage> | null;
    const meta = message?.meta as Partial<NewsMessage['meta']> | undefined;
    if (!Array.isArray(message?.operations) || !Array.isArray(meta?.changes)) return null;
    if (typeof meta.cursor !== 'string' || typeof meta.previous !== 'string') return null;
    return message as NewsMessage;
  } catch {
    return null;
  }
}
