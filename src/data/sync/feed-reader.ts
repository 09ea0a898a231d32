import type { Clock } from '#base/id.ts';
import type { HubUpdateMessage } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { UnconfirmedCommits } from './unconfirmed-commits.ts';
import type { CopyMetadata, ServerUpdate, ServerUpdateItem } from '../model/server-update.ts';
import { isLater, isSameDatabase } from '../model/cursor.ts';
import type { SyncControl } from './sync-control.ts';
import { updateItemsFrom } from './mutable-server-state.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import { isInWorkingSet, keyOf } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';
import { busyError, NoResponseError } from '../model/answer.ts';
import { narrowedTo } from './remote.ts';
import type { Remote } from './remote.ts';
import type { ApiResponse } from '../model/answer.ts';
import type { Refreshes } from './refreshes.ts';
import type { Retry } from './retry.ts';

interface FeedReaderDependencies {
  readonly remote: Remote;
  readonly unconfirmedCommits: UnconfirmedCommits;
  readonly serverState: MutableServerState;
  readonly retry: Retry;
  readonly refreshes: Refreshes;
  readonly syncControl: SyncControl;
  readonly clock: Clock;
  readonly report: (what: string, cause: unknown) => void;
  /** Requests again what was fetched on demand. */
  readonly refetchLists: () => void;
  /**
   * Tells whether a screen fetched the list of the record, whose type the first load leaves out.
   */
  readonly wasFetched: (record: StoreRecord) => boolean;
}

type FeedPosition = Pick<CopyMetadata, 'cursor' | 'scope'>;

interface FeedPage {
  readonly operations: readonly unknown[];
  readonly cursor: string;
  readonly more: boolean;
  readonly isSnapshot: boolean;
}

/**
 * First load and gaps: reads the feed until it is in sync with the server.
 *
 *   in sync ──gap, reconnect, "more"──> reading ──page, more──> reading ──page, no more──> in sync
 *   (no cursor) ──> snapshot page ──> … ──> first page of the feed: what was in no page is gone
 *
 * It owns the cursor: hub messages that fit it move it on, all others start a reading. After too
 * long away, with another database or when a person wants it, it resyncs behind what is shown;
 * the person's changes are untouched by all of it.
 */
export class FeedReader {
  readonly #dependencies: FeedReaderDependencies;
  #position: FeedPosition = { cursor: null, scope: null };
  #isRunning = false;
  #isWanted = false;
  #isStopped = true;
  /**
   * Keys that came in since the snapshot began, and whether they came with it; null: none is being
   * read.
   */
  #seen: Map<string, boolean> | null = null;
  /** The cursor inside a snapshot. A restart forgets it, together with what was seen. */
  #snapshotCursor: string | null = null;
  /** Keys of records that were fetched on demand before a resync and have not come again. */
  #stale = new Set<string>();
  /** Grows when the cursor is set from outside: answers to earlier requests are dropped. */
  #positionCount = 0;
  /** True if, as far as is known, the cursor and the answers are from the present database. */
  #isConfirmed = false;
  /** The cursor from which something was left out that did not fit: it is requested once more. */
  #retriedSince: string | null = null;
  readonly #unlisten: () => void;

  constructor(dependencies: FeedReaderDependencies) {
    this.#dependencies = dependencies;
    dependencies.unconfirmedCommits.onUnconfirmed = () => {
      this.#requireConfirmation();
    };
    this.#unlisten = dependencies.serverState.onApplied(({ items, isAfresh = false }) => {
      for (const { record } of items) {
        const key = keyOf(record);
        this.#seen?.set(key, isAfresh || this.#seen.get(key) === true);
        this.#stale.delete(key);
      }
    });
  }

  /** Starts at the position of the copy in the backup. */
  restore({ cursor, scope }: FeedPosition): void {
    this.#setPosition({ cursor, scope });
  }

  #setPosition(position: FeedPosition): void {
    this.#positionCount += 1;
    this.#position = position;
    this.#snapshotCursor = null;
    this.#seen = null;
  }

  get cursor(): string | null {
    return this.#position.cursor;
  }

  get scope(): string | null {
    return this.#position.scope;
  }

  /** Changes to the feed of `scope`, which begins with a first load. */
  changeScope(scope: string | null): void {
    if (scope === this.#position.scope) return;
    this.#setPosition({ cursor: null, scope });
    this.requestSync();
  }

  /** Reads everything again, behind what is shown. */
  resync(): void {
    this.#beginResync(this.#position.scope);
    this.requestSync();
  }

  #beginResync(scope: string | null): void {
    this.#setPosition({ cursor: null, scope });
    this.#dependencies.unconfirmedCommits.clear();
    const fetched = this.#dependencies.serverState
      .allServerRecords()
      .filter((record) => !isFirst(record.type) && isInWorkingSet(record));
    this.#stale = new Set(fetched.map(keyOf));
    this.#dependencies.refetchLists();
  }

  start(): void {
    this.#isStopped = false;
    this.requestSync();
  }

  stop(): void {
    this.#isStopped = true;
  }

  close(): void {
    this.stop();
    this.#unlisten();
  }

  /** Something may have been missed. */
  requestSync(): void {
    this.#isWanted = true;
    if (this.#isRunning || this.#isStopped || !this.#dependencies.syncControl.isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /**
   * The database may have been restored behind the cursor: until the feed confirms it, no message
   * counts.
   */
  #requireConfirmation(): void {
    this.#isConfirmed = false;
    this.requestSync();
  }

  async #run(): Promise<void> {
    const { syncControl, refreshes, retry, report } = this.#dependencies;
    while (this.#isWanted && !this.#isStopped && syncControl.isRunning) {
      this.#isWanted = false;
      try {
        await refreshes.run(async () => {
          while (!this.#hasEnded() && (await this.#readPage()));
        });
        syncControl.clearProblem('catch-up');
      } catch (error) {
        // The tab that leads now reports the state of the server.
        if (this.#hasEnded() || syncControl.pauseIfSignInNeeded(error)) break;
        const isSilence = error instanceof NoResponseError;
        const failure = isSilence ? error.failure : ({ is: 'busy', afterMs: null } as const);
        if (!isSilence) {
          report('Catching up failed and starts again', error);
          syncControl.reportProblem('catch-up', error);
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

  /** Reads one page. Returns whether there is more. */
  async #readPage(): Promise<boolean> {
    const { remote, serverState, retry, syncControl, unconfirmedCommits } = this.#dependencies;
    const { cursor, scope } = this.#position;
    const requestedAt = serverState.now;
    const positionCount = this.#positionCount;
    const since = cursor ?? this.#snapshotCursor;
    // The records here may be from another database: their versions say nothing.
    if (since === null) serverState.beginResync();
    const { commits } = unconfirmedCommits;
    const answer = await remote.request(
      since === null ? paths.changes : `${paths.changes}?${feedQueryOf(since, commits)}`,
      narrowedTo(scope),
    );
    if (this.#isStopped || this.#hasPositionChanged(positionCount)) return true;
    if (answer.status !== 200) return this.#handleRefusal(answer, syncControl);
    retry.succeeded();
    const page = pageFrom(answer);
    if (page === null) throw new NoResponseError({ is: 'silent', garbled: true });
    if (since !== null) unconfirmedCommits.confirm(commits);
    this.#isConfirmed = !this.#isWanted;
    return this.#applyPage(page, requestedAt, since) || page.more;
  }

  #hasPositionChanged(positionCount: number): boolean {
    return positionCount !== this.#positionCount;
  }

  /** Returns whether to request the same page once more. */
  #applyPage(page: FeedPage, requestedAt: number, since: string | null): boolean {
    const { serverState, clock, unconfirmedCommits } = this.#dependencies;
    const { items, leftOut } = this.#itemsOf(page.operations);
    if (leftOut && this.#retriedSince !== (since ?? '')) {
      // The items that fit show now; the others may have been garbled on their way.
      this.#retriedSince = since ?? '';
      if (since !== null) unconfirmedCommits.addPartlyShown(page.cursor);
      serverState.apply({ items, facts: { answered: unconfirmedCommits.commits } }, requestedAt);
      return true;
    }
    if (page.isSnapshot) {
      this.#seen ??= new Map();
      this.#snapshotCursor = page.cursor;
      serverState.apply({ items, isAfresh: true }, requestedAt);
      return false;
    }
    // A message that came meanwhile may have brought more than this page.
    if (isLater(this.#position.cursor, page.cursor)) return false;
    const facts: Partial<CopyMetadata> = {
      cursor: page.cursor,
      scope: this.#position.scope,
      answered: unconfirmedCommits.commits,
      ...(page.more ? {} : { asOf: new Date(clock()).toISOString() }),
    };
    this.#advance(page.cursor, { items: [...this.#noLongerVisible(items), ...items], facts });
    this.#seen = null;
    this.#stale.clear();
    this.#snapshotCursor = null;
    return false;
  }

  /** The cursor moves on together with its update, or not at all. */
  #advance(cursor: string, update: ServerUpdate): void {
    const before = this.#position;
    const positionCount = this.#positionCount;
    this.#position = { ...before, cursor };
    try {
      this.#dependencies.serverState.apply(update);
    } catch (error) {
      if (!this.#hasPositionChanged(positionCount)) this.#position = before;
      throw error;
    }
  }

  /**
   * Removes, after a snapshot, the records that were in none of its pages and have not come in
   * since it began. A record that came otherwise counts only where the feed reports what becomes of
   * it.
   */
  #noLongerVisible(along: readonly ServerUpdateItem[]): ServerUpdateItem[] {
    const { serverState } = this.#dependencies;
    const seen = this.#seen;
    if (seen === null) return [];
    return serverState.allServerRecords().flatMap((record): ServerUpdateItem[] => {
      if (!isInWorkingSet(record)) return [];
      const key = keyOf(record);
      const came = seen.get(key);
      const isMissing = isFirst(record.type)
        ? came === undefined || !(came || serverState.isTrackedByFeed(record, along))
        : this.#stale.has(key);
      return isMissing ? [{ is: 'remove', record: { type: record.type, id: record.id } }] : [];
    });
  }

  #itemsOf(operations: readonly unknown[]): { items: ServerUpdateItem[]; leftOut: boolean } {
    const { serverState, report, wasFetched } = this.#dependencies;
    let leftOut = false;
    const items = updateItemsFrom(operations, (why) => {
      report('A record that came in does not fit', why);
      leftOut = true;
    });
    // Types on demand are kept up to date only where a screen has fetched them.
    const wanted = items.filter(
      ({ is, record }) =>
        is === 'remove' ||
        isFirst(record.type) ||
        serverState.serverRecord(record) !== null ||
        wasFetched(record),
    );
    return { items: wanted, leftOut };
  }

  /** Returns whether to request again at once. */
  #handleRefusal(answer: ApiResponse, syncControl: SyncControl): boolean {
    if (syncControl.pauseIfRefused(answer)) return false;
    // fault 31
    const isOver = answer.status === 410 || answer.status === 400;
    if (isOver && (this.#position.cursor ?? this.#snapshotCursor) !== null) {
      // It is another database, or the device was away too long: resync, and keep the outbox.
      this.#dependencies.report('The feed starts again', answer.errors[0]);
      this.#beginResync(this.#position.scope);
      return true;
    }
    if (answer.errors[0]?.code === 'not-a-member') {
      this.#beginResync(null);
      return true;
    }
    throw busyError(answer);
  }

  /** Applies a hub message (wire 10.3). */
  receiveMessage(text: string): void {
    const { report, clock } = this.#dependencies;
    const message = messageFrom(text);
    if (message === null) {
      report('A hub message is malformed', `${text.length} characters`);
      this.requestSync();
      return;
    }
    const { cursor, previous, changes, more } = message.meta;
    const own = this.#position.cursor;
    if (own === null) {
      // The last page of a first load may have been made before this: the feed brings it.
      this.requestSync();
      return;
    }
    if (isSameDatabase(own, cursor) && !isLater(cursor, own)) {
      if (changes.length > 0) this.#dependencies.serverState.apply({ items: [], changes });
      return;
    }
    const fits =
      isSameDatabase(own, cursor) &&
      // fault 28
      !isLater(previous, own);
    if (more || !fits || !this.#isConfirmed) {
      this.requestSync();
      return;
    }
    const { items, leftOut } = this.#itemsOf(message.operations);
    const asOf = new Date(clock()).toISOString();
    const { unconfirmedCommits } = this.#dependencies;
    if (leftOut) {
      // The items that fit show; the cursor stays, so that the feed brings the rest.
      unconfirmedCommits.addPartlyShown(cursor);
      this.#dependencies.serverState.apply({
        items,
        changes,
        facts: { answered: unconfirmedCommits.commits },
      });
      this.requestSync();
      return;
    }
    unconfirmedCommits.confirmUpTo(cursor);
    const facts = { cursor, asOf, answered: unconfirmedCommits.commits };
    this.#advance(cursor, { items, changes, facts });
  }

  /** Called with the answer to a subscription: from that cursor on nothing is missed. */
  onSubscribed(cursor: string): void {
    const { unconfirmedCommits } = this.#dependencies;
    unconfirmedCommits.connected();
    // A cursor that seems to be ahead has to be confirmed as well.
    this.#isConfirmed = this.#position.cursor === cursor && unconfirmedCommits.commits.length === 0;
    if (!this.#isConfirmed) this.#requireConfirmation();
  }
}

const isFirst = (type: TypeName): boolean => resourceOf(type).load === 'first';

function feedQueryOf(since: string, commits: readonly string[]): string {
  const all = commits.length > 0 ? { since, answered: commits.join() } : { since };
  return new URLSearchParams(all).toString();
}

function pageFrom({ document }: ApiResponse): FeedPage | null {
  const { operations, meta } = document;
  if (!Array.isArray(operations) || typeof meta !== 'object' || meta === null) return null;
  const { cursor, more, phase } = meta as Partial<Record<string, unknown>>;
  if (typeof cursor !== 'string') return null;
  return { operations, cursor, more: more === true, isSnapshot: phase === 'snapshot' };
}

function messageFrom(text: string): HubUpdateMessage | null {
  try {
    const message = JSON.parse(text) as Partial<HubUpdateMessage> | null;
    const meta = message?.meta as Partial<HubUpdateMessage['meta']> | undefined;
    if (!Array.isArray(message?.operations) || !Array.isArray(meta?.changes)) return null;
    if (typeof meta.cursor !== 'string' || typeof meta.previous !== 'string') return null;
    return message as HubUpdateMessage;
  } catch {
    return null;
  }
}
