import type { Clock } from '#base/id.ts';
import type { NewsMessage } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import { resourceOf } from '#schema/index.ts';
import type { Facts } from './backup.ts';
import type { Gate } from './gate.ts';
import { itemsFrom } from './merge.ts';
import type { Merge, NewsItem } from './merge.ts';
import { keyOf } from './record.ts';
import { NoAnswer } from './remote.ts';
import type { Answer, Remote } from './remote.ts';
import type { Retry } from './retry.ts';

interface Parts {
  readonly remote: Remote;
  readonly merge: Merge;
  readonly retry: Retry;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly report: (what: string, cause: unknown) => void;
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
 * It owns the cursor: hub messages that fit it move it on, all others start a reading.
 */
export class CatchUp {
  readonly #parts: Parts;
  #where: Where = { cursor: null, scope: null };
  #isRunning = false;
  #isWanted = false;
  #isStopped = true;
  /** Keys that came in since the snapshot began; null: none is being read. */
  #seen: Set<string> | null = null;
  /** The cursor inside a snapshot, which a restart forgets: what it had seen is forgotten too. */
  #snapshotCursor: string | null = null;
  readonly #unlisten: () => void;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#unlisten = parts.merge.onMerged(({ items }) => {
      for (const { record } of items) this.#seen?.add(keyOf(record));
    });
  }

  /** Where the copy in the backup stands. */
  restore({ cursor, scope }: Where): void {
    this.#where = { cursor, scope };
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
    this.#where = { cursor: null, scope };
    this.#snapshotCursor = null;
    this.#seen = null;
    this.soon();
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

  async #run(): Promise<void> {
    const { gate, retry, report } = this.#parts;
    while (this.#isWanted && !this.#isStopped && gate.isOpen) {
      this.#isWanted = false;
      try {
        while (!this.#hasEnded() && (await this.#readPage()));
        gate.wentWell();
      } catch (error) {
        if (gate.closesFor(error)) break;
        const isSilence = error instanceof NoAnswer;
        const failure = isSilence ? error.failure : ({ is: 'busy', afterMs: null } as const);
        if (!isSilence) {
          report('Catching up failed and starts again', error);
          gate.hadProblem(error);
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
    const { remote, merge, retry, gate } = this.#parts;
    const { cursor, scope } = this.#where;
    const asked = merge.now;
    const since = cursor ?? this.#snapshotCursor;
    const answer = await remote.ask(
      since === null ? paths.changes : `${paths.changes}?since=${encodeURIComponent(since)}`,
      scope === null ? {} : { headers: { Organization: scope } },
    );
    if (scope !== this.#where.scope) return true;
    if (answer.status !== 200) return this.#refused(answer, gate);
    retry.succeeded();
    const page = pageFrom(answer);
    if (page === null) throw new NoAnswer({ is: 'silent', garbled: true });
    this.#takePage(page, asked);
    return page.more;
  }

  #takePage(page: Page, asked: number): void {
    const { merge, clock } = this.#parts;
    if (page.isSnapshot) {
      this.#seen ??= new Set();
      this.#snapshotCursor = page.cursor;
      merge.merge({ items: this.#itemsOf(page.operations), asked });
      return;
    }
    // A message that came meanwhile may have told more than this page.
    if (isLater(this.#where.cursor, page.cursor)) return;
    const facts: Partial<Facts> = {
      cursor: page.cursor,
      scope: this.#where.scope,
      ...(page.more ? {} : { asOf: new Date(clock()).toISOString() }),
    };
    const items = [...this.#noLongerVisible(), ...this.#itemsOf(page.operations)];
    this.#where = { ...this.#where, cursor: page.cursor };
    this.#seen = null;
    this.#snapshotCursor = null;
    merge.merge({ items, facts });
  }

  /** After a snapshot: records of the working set that were in none of its pages. */
  #noLongerVisible(): NewsItem[] {
    const seen = this.#seen;
    if (seen === null) return [];
    return this.#parts.merge.allTruth().flatMap((record): NewsItem[] => {
      const isMissing = resourceOf(record.type).load === 'first' && !seen.has(keyOf(record));
      return isMissing ? [{ is: 'remove', record: { type: record.type, id: record.id } }] : [];
    });
  }

  #itemsOf(operations: readonly unknown[], leftOut = (): void => undefined): NewsItem[] {
    const { merge, report } = this.#parts;
    const items = itemsFrom(operations, (why) => {
      report('Something that came in does not fit', why);
      leftOut();
    });
    // Types on demand are kept up only where a screen has asked for them.
    return items.filter(
      (item) =>
        item.is === 'remove' ||
        resourceOf(item.record.type).load === 'first' ||
        merge.truth(item.record) !== null,
    );
  }

  /** Gives whether to ask again at once. */
  #refused(answer: Answer, gate: Gate): boolean {
    if (gate.closesOn(answer)) return false;
    const isOver = answer.status === 410 || answer.status === 400;
    if (isOver && (this.#where.cursor ?? this.#snapshotCursor) !== null) {
      // Another database, or too long away: everything afresh, and the outbox stays.
      this.#parts.report('The feed starts again', answer.errors[0]);
      this.#where = { ...this.#where, cursor: null };
      this.#snapshotCursor = null;
      this.#seen = null;
      return true;
    }
    if (answer.errors[0]?.code === 'not-a-member') {
      this.#where = { cursor: null, scope: null };
      return true;
    }
    throw new NoAnswer({ is: 'busy', afterMs: answer.afterMs });
  }

  /** Takes in a hub message (wire 10.3). */
  heard(text: string): void {
    const { report, clock } = this.#parts;
    const message = messageFrom(text);
    if (message === null) {
      report('A hub message is malformed', text.slice(0, 200));
      this.soon();
      return;
    }
    const { cursor, previous, changes, more } = message.meta;
    const own = this.#where.cursor;
    // Before the first load is complete the feed brings it all again.
    if (own === null) return;
    if (isSameDatabase(own, cursor) && !isLater(cursor, own)) return;
    if (more || !isSameDatabase(own, cursor) || isLater(previous, own)) {
      this.soon();
      return;
    }
    let leftOut = 0;
    const items = this.#itemsOf(message.operations, () => {
      leftOut += 1;
    });
    const asOf = new Date(clock()).toISOString();
    if (leftOut > 0) {
      // What fits shows; the cursor stays, so that the feed brings the rest.
      this.#parts.merge.merge({ items });
      this.soon();
      return;
    }
    this.#where = { ...this.#where, cursor };
    this.#parts.merge.merge({ items, changes, facts: { cursor, asOf } });
  }

  /** What a subscription answered: from that cursor on nothing is missed. */
  subscribedAt(cursor: string): void {
    const own = this.#where.cursor;
    if (own === null || !isSameDatabase(own, cursor) || isLater(cursor, own)) this.soon();
  }
}

const databaseOf = (cursor: string): string => cursor.slice(0, cursor.indexOf('.'));

const isSameDatabase = (a: string, b: string): boolean => databaseOf(a) === databaseOf(b);

/** Whether `a` is later than `b` in the same database (wire 9.3). */
function isLater(a: string | null, b: string): boolean {
  return a !== null && isSameDatabase(a, b) && a > b;
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
