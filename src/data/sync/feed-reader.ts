import type { Clock } from '#base/id.ts';
import type { HubUpdateMessage } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { UnconfirmedCommits } from './unconfirmed-commits.ts';
import type { CopyMetadata, ServerUpdate, ServerUpdateItem } from '../model/server-update.ts';
import { isLater, isSameDatabase } from './cursor.ts';
import type { SyncControl } from './sync-control.ts';
import { updateItemsFrom } from './mutable-server-state.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import { keyOf } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';
import { NoResponseError } from '../model/answer.ts';
import type { Remote } from './remote.ts';
import type { ApiResponse } from '../model/answer.ts';
import type { Retry } from './retry.ts';

interface FeedReaderDependencies {
  readonly remote: Remote;
  readonly unconfirmedCommits: UnconfirmedCommits;
  readonly serverState: MutableServerState;
  readonly retry: Retry;
  readonly syncControl: SyncControl;
  readonly clock: Clock;
  readonly report: (what: string, cause: unknown) => void;
  /** What was fetched on demand is asked for again. */
  readonly refetchLists: () => void;
  /** Whether a screen asked for what the record is of, whose type the first load leaves out. */
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
 * First load and gaps: reads the feed until it is level with the server.
 *
 *   level ──gap, reconnect, "more"──> reading ──page, more──> reading ──page, no more──> level
 *   (no cursor) ──> snapshot page ──> … ──> first page of the feed: what was in no page is gone
 *
 * It owns the cursor: hub messages that fit it move it on, all others start a reading. After too
 * long away, with another database or when a person asks, everything is read afresh behind what is
 * shown; changes are untouched by all of it.
 */
export class FeedReader {
  readonly #parts: FeedReaderDependencies;
  #position: FeedPosition = { cursor: null, scope: null };
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
  #positionCount = 0;
  /** Whether the database is the one that the cursor and the answers are of, as far as is known. */
  #isConfirmed = false;
  /** From where something was left out that did not fit: it is asked for once more. */
  #retriedSince: string | null = null;
  readonly #unlisten: () => void;

  constructor(parts: FeedReaderDependencies) {
    this.#parts = parts;
    parts.unconfirmedCommits.onUnconfirmed = () => {
      this.#requireConfirmation();
    };
    this.#unlisten = parts.serverState.onApplied(({ items, isAfresh = false }) => {
      for (const { record } of items) {
        const key = keyOf(record);
        this.#seen?.set(key, isAfresh || this.#seen.get(key) === true);
        this.#stale.delete(key);
      }
    });
  }

  /** Where the copy in the backup stands. */
  restore({ cursor, scope }: FeedPosition): void {
    this.#setPosition({ cursor, scope });
  }

  #setPosition(where: FeedPosition): void {
    this.#positionCount += 1;
    this.#position = where;
    this.#snapshotCursor = null;
    this.#seen = null;
  }

  get cursor(): string | null {
    return this.#position.cursor;
  }

  get scope(): string | null {
    return this.#position.scope;
  }

  /** Goes over to the feed of `scope`, which begins with a first load of it. */
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
    this.#parts.unconfirmedCommits.clear();
    const fetched = this.#parts.serverState
      .allServerRecords()
      .filter((record) => !isFirst(record.type));
    this.#stale = new Set(fetched.map(keyOf));
    this.#parts.refetchLists();
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
    if (this.#isRunning || this.#isStopped || !this.#parts.syncControl.isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** The database may have been restored behind the cursor: until the feed says, no message counts. */
  #requireConfirmation(): void {
    this.#isConfirmed = false;
    this.requestSync();
  }

  async #run(): Promise<void> {
    const { syncControl, retry, report } = this.#parts;
    while (this.#isWanted && !this.#isStopped && syncControl.isRunning) {
      this.#isWanted = false;
      try {
        while (!this.#hasEnded() && (await this.#readPage()));
        syncControl.clearProblem('catch-up');
      } catch (error) {
        // How the server is, the tab that leads by now says.
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

  /** Reads one page. Gives whether there is more. */
  async #readPage(): Promise<boolean> {
    const { remote, serverState, retry, syncControl: gate, unconfirmedCommits } = this.#parts;
    const { cursor, scope } = this.#position;
    const asked = serverState.now;
    const turn = this.#positionCount;
    const since = cursor ?? this.#snapshotCursor;
    // What is here may be of another database: its versions say nothing.
    if (since === null) serverState.beginResync();
    const { commits } = unconfirmedCommits;
    const answer = await remote.request(
      since === null ? paths.changes : `${paths.changes}?${feedQueryOf(since, commits)}`,
      scope === null ? {} : { headers: { Organization: scope } },
    );
    if (this.#isStopped || this.#hasPositionChanged(turn)) return true;
    if (answer.status !== 200) return this.#handleRefusal(answer, gate);
    retry.succeeded();
    const page = pageFrom(answer);
    if (page === null) throw new NoResponseError({ is: 'silent', garbled: true });
    if (since !== null) unconfirmedCommits.confirm(commits);
    this.#isConfirmed = !this.#isWanted;
    return this.#applyPage(page, asked, since) || page.more;
  }

  #hasPositionChanged(turn: number): boolean {
    return turn !== this.#positionCount;
  }

  /** Gives whether to ask for the same once more. */
  #applyPage(page: FeedPage, asked: number, since: string | null): boolean {
    const { serverState: merge, clock, unconfirmedCommits: answered } = this.#parts;
    const { items, leftOut } = this.#itemsOf(page.operations);
    if (leftOut && this.#retriedSince !== (since ?? '')) {
      // What fits shows now; what does not may have been garbled on its way.
      this.#retriedSince = since ?? '';
      if (since !== null) answered.addPartlyShown(page.cursor);
      merge.apply({ items, facts: { answered: answered.commits } }, asked);
      return true;
    }
    if (page.isSnapshot) {
      this.#seen ??= new Map();
      this.#snapshotCursor = page.cursor;
      merge.apply({ items, isAfresh: true }, asked);
      return false;
    }
    // A message that came meanwhile may have told more than this page.
    if (isLater(this.#position.cursor, page.cursor)) return false;
    const facts: Partial<CopyMetadata> = {
      cursor: page.cursor,
      scope: this.#position.scope,
      answered: answered.commits,
      ...(page.more ? {} : { asOf: new Date(clock()).toISOString() }),
    };
    this.#advance(page.cursor, { items: [...this.#noLongerVisible(items), ...items], facts });
    this.#seen = null;
    this.#stale.clear();
    this.#snapshotCursor = null;
    return false;
  }

  /** The cursor goes on with its news or not at all. */
  #advance(cursor: string, news: ServerUpdate): void {
    const before = this.#position;
    const turn = this.#positionCount;
    this.#position = { ...before, cursor };
    try {
      this.#parts.serverState.apply(news);
    } catch (error) {
      if (!this.#hasPositionChanged(turn)) this.#position = before;
      throw error;
    }
  }

  /**
   * After a snapshot: what was in none of its pages, and has not been answered or fetched since it
   * began; nor does an answer count of which nobody would tell what becomes of it.
   */
  #noLongerVisible(along: readonly ServerUpdateItem[]): ServerUpdateItem[] {
    const { serverState: merge } = this.#parts;
    const seen = this.#seen;
    if (seen === null) return [];
    return merge.allServerRecords().flatMap((record): ServerUpdateItem[] => {
      const key = keyOf(record);
      const came = seen.get(key);
      const isMissing = isFirst(record.type)
        ? came === undefined || !(came || merge.isTrackedByFeed(record, along))
        : this.#stale.has(key);
      return isMissing ? [{ is: 'remove', record: { type: record.type, id: record.id } }] : [];
    });
  }

  #itemsOf(operations: readonly unknown[]): { items: ServerUpdateItem[]; leftOut: boolean } {
    const { serverState: merge, report, wasFetched } = this.#parts;
    let leftOut = false;
    const items = updateItemsFrom(operations, (why) => {
      report('Something that came in does not fit', why);
      leftOut = true;
    });
    // Types on demand are kept up only where a screen has asked for them.
    const wanted = items.filter(
      ({ is, record }) =>
        is === 'remove' ||
        isFirst(record.type) ||
        merge.serverRecord(record) !== null ||
        wasFetched(record),
    );
    return { items: wanted, leftOut };
  }

  /** Gives whether to ask again at once. */
  #handleRefusal(answer: ApiResponse, gate: SyncControl): boolean {
    if (gate.pauseIfRefused(answer)) return false;
    // fault 31
    const isOver = answer.status === 410 || answer.status === 400;
    if (isOver && (this.#position.cursor ?? this.#snapshotCursor) !== null) {
      // Another database, or too long away: everything afresh, and the outbox stays.
      this.#parts.report('The feed starts again', answer.errors[0]);
      this.#beginResync(this.#position.scope);
      return true;
    }
    if (answer.errors[0]?.code === 'not-a-member') {
      this.#beginResync(null);
      return true;
    }
    throw new NoResponseError({ is: 'busy', afterMs: answer.afterMs });
  }

  /** Takes in a hub message (wire 10.3). */
  receiveMessage(text: string): void {
    const { report, clock } = this.#parts;
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
      if (changes.length > 0) this.#parts.serverState.apply({ items: [], changes });
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
    const { unconfirmedCommits: answered } = this.#parts;
    if (leftOut) {
      // What fits shows; the cursor stays, so that the feed brings the rest.
      answered.addPartlyShown(cursor);
      this.#parts.serverState.apply({ items, changes, facts: { answered: answered.commits } });
      this.requestSync();
      return;
    }
    answered.confirmUpTo(cursor);
    const facts = { cursor, asOf, answered: answered.commits };
    this.#advance(cursor, { items, changes, facts });
  }

  /** What a subscription answered: from that cursor on nothing is missed. */
  onSubscribed(cursor: string): void {
    const { unconfirmedCommits: answered } = this.#parts;
    answered.connected();
    // Also where it seems to be ahead.
    this.#isConfirmed = this.#position.cursor === cursor && answered.commits.length === 0;
    if (!this.#isConfirmed) this.#requireConfirmation();
  }
}

const isFirst = (type: TypeName): boolean => resourceOf(type).load === 'first';

function feedQueryOf(since: string, answered: readonly string[]): string {
  const all = answered.length > 0 ? { since, answered: answered.join() } : { since };
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
