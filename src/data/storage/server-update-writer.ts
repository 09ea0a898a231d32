import type { Change } from '../model/change.ts';
import type { StoreRecord } from '../model/record.ts';
import { WriteBatch, metadataFrom } from './write-batch.ts';
import type { CopyWrite, CompactionInput } from './write-batch.ts';
import type { CopyMetadata } from '../model/server-update.ts';
import type { LocalDatabase } from './database.ts';
import type { Environment } from '../model/environment.ts';
import { RECORD_SHAPE } from './stored-record.ts';
import { isOfOutside, numberIn, putChunks, readOne, typeIn } from './stored-records.ts';
import { STORES } from './tables.ts';
import type { StoreName, Tables } from './tables.ts';
import { resourceOf } from '#schema/index.ts';

/** So many records at once are cheaper as chunks than as rows. */
const RECORDS_FOR_CHUNKS = 100;
/** So many rows, or chunks beyond twice those of the last compaction, are worth a compaction. */
const ROWS_BEFORE_COMPACTION = 1_000;
const CHUNKS_BEFORE_COMPACTION = 100;
/** A write that failed is tried again after so long, twice as long each time. */
const WRITE_AGAIN_MS = 5_000;
const WRITE_AGAIN_MOST_MS = 600_000;

/** Another tab leads by now: nothing was written. */
class LeadLostError extends Error {
  constructor() {
    super('Another tab leads by now');
    this.name = 'Robbed';
  }
}

/**
 * Writes server updates behind what is shown, in order, each update whole and the cursor never
 * before its records. Only the leader writes.
 */
export class ServerUpdateWriter {
  readonly #database: LocalDatabase;
  readonly #environment: Pick<Environment, 'timers' | 'report'>;
  #waiting = new WriteBatch();
  #writing: Promise<void> | null = null;
  #setbacks = 0;
  #timer: unknown = null;
  #nextChunk = 0;
  #chunkCount = 0;
  #rowCount = 0;
  #compactedChunks = 0;
  /** The cursor of the copy on disk, as far as this tab knows. */
  #cursor: string | null = null;
  /**
   * The disk lacks what is in memory: its cursor stays where it is until everything is compacted.
   */
  #isBehind = false;
  #isCompacting = false;
  /**
   * An organization was removed: records that the person may not see any more must leave the disk.
   */
  #mustCompactNow = false;
  #writtenListeners: (() => void)[] = [];
  /** How often something was written, or could not be; `#afterRound` waits for the next time. */
  #rounds = 0;
  #afterRound: (() => void)[] = [];
  /** The lead of this tab: `none` while another tab leads, `any` where nobody claims it. */
  #lead: number | 'any' | 'none' = 'any';
  /** Called with the `seq` of changes once their state is durable. */
  onWritten: (seqs: readonly number[]) => void = () => undefined;
  /** Called when a write found that another tab leads by now. */
  onLeadLost: () => void = () => undefined;

  constructor(database: LocalDatabase, environment: Pick<Environment, 'timers' | 'report'>) {
    this.#database = database;
    this.#environment = environment;
    database.onChange(() => {
      if (database.storageState === 'kept') this.#writeAgain();
    });
  }

  /** Sets what was found on the disk. */
  protected setDiskState(
    { cursor, folded: batch }: CopyMetadata,
    chunkKeys: readonly string[],
    rowCount: number,
  ): void {
    this.#cursor = cursor;
    this.#compactedChunks = batch;
    this.#chunkCount = chunkKeys.length;
    this.#nextChunk = chunkKeys.reduce((next, key) => Math.max(next, numberIn(key) + 1), 0);
    this.#rowCount = rowCount;
  }

  /**
   * From now on only this tab writes server updates and the cursor: one that led before and was
   * frozen finds out at its next write, which then writes nothing. Returns the metadata of the
   * copy; its lead is later than `lead`. Where this tab `isAhead` of it, everything is compacted
   * before the cursor moves on.
   */
  async claim(
    lead = 0,
    isAhead: (copy: CopyMetadata) => boolean = () => false,
  ): Promise<CopyMetadata> {
    await this.flush();
    const names = ['facts', 'chunks', 'rows'] as const;
    const facts = await this.#database.transact(names, 'readwrite', async (tables) => {
      const known = await metadataIn(tables);
      const next = { ...known, lead: Math.max(known.lead, lead) + 1 };
      this.setDiskState(next, await tables('chunks').keys(), await tables('rows').count());
      void tables('facts').put(next, 'facts');
      return next;
    });
    this.#lead = facts.lead;
    this.#isBehind ||= isAhead(facts);
    this.#notifyWritten();
    return facts;
  }

  /** Another tab leads and writes: updates that are applied here are not written here. */
  stopWriting(): void {
    this.#lead = 'none';
    this.#waiting = new WriteBatch();
    this.#writtenListeners = [];
  }

  async #checkLead(tables: Tables): Promise<CopyMetadata> {
    const known = await metadataIn(tables);
    const hasLostLead = typeof this.#lead === 'number' && known.lead !== this.#lead;
    if (hasLostLead) {
      this.stopWriting();
      this.onLeadLost();
    }
    // A follower knows that already, or this tab leads while the storage fails.
    if (this.#lead === 'none') throw new LeadLostError();
    return known;
  }

  /** Drops waiting writes of these changes: newer ones were written just now. */
  protected supersede(seqs: readonly number[]): void {
    for (const seq of seqs) this.#waiting.changes.delete(seq);
  }

  /**
   * Writes `commit` behind what is shown: soon, in order, together with everything else that waits.
   */
  enqueue(commit: CopyWrite): void {
    if (this.#lead === 'none') return;
    for (const [key, record] of commit.records ?? [])
      if (record === null && typeIn(key) === 'organization') this.#mustCompactNow = true;
    this.#waiting.add(commit);
    if (this.#timer === null) this.#writing ??= this.#write();
  }

  /** Resolves once the disk has all that was applied, however long that takes; null: it has it. */
  whenWritten(): Promise<void> | null {
    if (this.#isWritten) return null;
    return new Promise((resolve) => this.#writtenListeners.push(resolve));
  }

  get #isWritten(): boolean {
    const isLed = this.#lead !== 'none';
    return isLed && this.#writing === null && this.#waiting.isEmpty && !this.#isBehind;
  }

  #notifyWritten(): void {
    if (this.#isWritten) for (const resolve of this.#writtenListeners.splice(0)) resolve();
  }

  /**
   * Resolves once all that was passed to `enqueue` so far is durable, or has to wait for the
   * storage. Later writes are not waited for: they may never end.
   */
  async flush(): Promise<void> {
    // One round for what is being written now, and one for all that waits behind it.
    const last = this.#rounds + 2;
    while (this.#writing !== null && this.#rounds < last)
      await new Promise<void>((resolve) => this.#afterRound.push(resolve));
  }

  #endRound(): void {
    this.#rounds += 1;
    for (const resolve of this.#afterRound.splice(0)) resolve();
  }

  async #write(): Promise<void> {
    await Promise.resolve();
    while (!this.#waiting.isEmpty && this.#timer === null) {
      const batch = new WriteBatch();
      try {
        // The batch is filled once its turn has come: records that were compacted meanwhile must
        // not
        // be written again, because they would overwrite newer ones.
        await this.#put(batch, STORES, () => {
          batch.join(this.#waiting);
          this.#waiting = new WriteBatch();
        });
        this.#setbacks = 0;
      } catch (error) {
        this.#notWritten(batch, error);
      }
      this.#endRound();
    }
    this.#writing = null;
    this.#endRound();
    this.#notifyWritten();
  }

  /** The cursor was not moved either: the batch is tried again with what came meanwhile. */
  #notWritten(batch: WriteBatch, error: unknown): void {
    if (error instanceof LeadLostError) return;
    const { storageState } = this.#database;
    if (storageState === 'newer' || storageState === 'blocked') {
      this.#isBehind = true;
      this.#waiting = new WriteBatch();
      return;
    }
    batch.join(this.#waiting);
    this.#waiting = batch;
    const afterMs = Math.min(WRITE_AGAIN_MOST_MS, WRITE_AGAIN_MS * 2 ** this.#setbacks);
    if (this.#setbacks === 0)
      this.#environment.report('The local copy could not be written', error);
    this.#setbacks += 1;
    this.#timer = this.#environment.timers.set(() => {
      this.#writeAgain();
    }, afterMs);
  }

  #writeAgain(): void {
    this.#environment.timers.clear(this.#timer);
    this.#timer = null;
    if (!this.#waiting.isEmpty) this.#writing ??= this.#write();
  }

  /** Writes `commit` at once; no older state of its changes is written after that. */
  async commit(commit: CopyWrite): Promise<void> {
    const batch = new WriteBatch();
    batch.add(commit);
    await this.#put(batch, batch.hasServerData ? STORES : ['outbox', 'facts']);
    this.supersede([...batch.changes.keys()]);
  }

  /** @param take called once nothing else is being written, to put more into `batch` */
  async #put(
    batch: WriteBatch,
    names: readonly StoreName[],
    take: () => void = () => undefined,
  ): Promise<void> {
    const { changes, records } = batch;
    const cursor = await this.#database.transact(names, 'readwrite', async (tables) => {
      const known = await this.#checkLead(tables);
      take();
      const { facts } = batch;
      // Another tab found damage and set the cursor back.
      if (known.cursor === null && this.#cursor !== null) this.#isBehind = true;
      if (records.size > 0) await this.#putRecords(tables, records);
      await this.#putChangeStates(tables('outbox'), changes);
      if (facts === null) return known.cursor;
      const { cursor = known.cursor } = this.#isBehind ? {} : facts;
      void tables('facts').put({ ...known, ...facts, cursor, shape: RECORD_SHAPE }, 'facts');
      return cursor;
    });
    this.#cursor = cursor;
    if (changes.size > 0) this.onWritten([...changes.keys()]);
  }

  /**
   * Writes the states of changes; their content stays as it is on disk, and missing ones stay away.
   */
  async #putChangeStates(
    outbox: ReturnType<Tables>,
    changes: ReadonlyMap<number, Change | null>,
  ): Promise<void> {
    const put = async ([seq, change]: [number, Change | null]): Promise<void> => {
      if (change === null) {
        outbox.delete(seq);
        return;
      }
      const there = mergeStatus(await outbox.get<Change>(seq), change);
      if (there !== null) void outbox.put(there);
    };
    await Promise.all(Array.from(changes, put));
  }

  /**
   * Marks `rows` as taken to be sent. Returns them as they are on disk: another tab may have merged
   * something into one, or removed one.
   */
  async markSending(rows: readonly Change[]): Promise<readonly Change[]> {
    const names = ['outbox', 'facts'] as const;
    const taken = await this.#database.transact(names, 'readwrite', async (tables) => {
      await this.#checkLead(tables);
      const outbox = tables('outbox');
      const there = await Promise.all(rows.map((row) => outbox.get<Change>(row.seq)));
      return rows.flatMap((row, i) => {
        const marked: Change = { ...row, state: 'sending', attempts: row.attempts + 1 };
        const next = mergeStatus(there[i], marked);
        if (next === null) return [];
        void outbox.put(next);
        return [next];
      });
    });
    this.supersede(taken.map(({ seq }) => seq));
    return taken;
  }

  /** Rows win over chunks: a record that goes into a chunk must not be in a row. */
  async #putRecords(
    tables: Tables,
    records: ReadonlyMap<string, StoreRecord | null>,
  ): Promise<void> {
    const there = [...records.values()].filter((record) => record !== null);
    const inChunks = there.length >= RECORDS_FOR_CHUNKS;
    if (inChunks) {
      const made = await putChunks(tables('chunks'), there, this.#nextChunk);
      this.#nextChunk += made;
      this.#chunkCount += made;
      const rows = this.#rowCount === 0 ? [] : await tables('rows').keys<string>();
      for (const key of rows) if (records.get(key)) tables('rows').delete(key);
    }
    for (const [key, record] of records) {
      if (inChunks && record !== null) continue;
      void tables('rows').put(record, key);
      this.#rowCount += 1;
    }
  }

  get needsCompaction(): boolean {
    const isHere = this.#database.storageState === 'kept';
    if (!isHere || this.#isCompacting || this.#timer !== null) return false;
    const isManyChunks = this.#chunkCount > CHUNKS_BEFORE_COMPACTION + 2 * this.#compactedChunks;
    const isWorthIt = this.#rowCount > ROWS_BEFORE_COMPACTION || isManyChunks;
    return this.#mustCompactNow || this.#isBehind || isWorthIt;
  }

  /** True if compaction cannot wait until there is nothing better to do. */
  get needsCompactionNow(): boolean {
    return this.#mustCompactNow && this.needsCompaction;
  }

  /**
   * Rewrites the server's records as chunks, in one transaction. `readInput` is called once that
   * has begun: updates that are applied later are also written later.
   */
  async compact(readInput: () => CompactionInput): Promise<void> {
    this.#isCompacting = true;
    try {
      await this.#compact(readInput);
    } finally {
      this.#isCompacting = false;
    }
  }

  async #compact(readInput: () => CompactionInput): Promise<void> {
    const batch = new WriteBatch();
    try {
      const names = ['chunks', 'rows', 'facts'] as const;
      const next = await this.#database.transact(names, 'readwrite', async (tables) => {
        const known = await this.#checkLead(tables);
        this.#mustCompactNow = false;
        const { records, facts } = readInput();
        for (const [key, record] of this.#waiting.records) batch.records.set(key, record);
        batch.facts = this.#waiting.facts;
        this.#waiting.records.clear();
        this.#waiting.facts = null;
        tables('chunks').clear();
        tables('rows').clear();
        const made = await putChunks(tables('chunks'), records, this.#nextChunk);
        const next = { ...known, ...facts, shape: RECORD_SHAPE, folded: made };
        void tables('facts').put(next, 'facts');
        return next;
      });
      this.#cursor = next.cursor;
      this.#nextChunk += next.folded;
      this.#chunkCount = this.#compactedChunks = next.folded;
      this.#rowCount = 0;
      this.#isBehind = false;
      this.#notifyWritten();
    } catch (error) {
      if (error instanceof LeadLostError) {
        // The tab that leads now does the compaction.
        this.#mustCompactNow = false;
        return;
      }
      this.#isBehind = true;
      this.#notWritten(batch, error);
      throw error;
    }
  }

  /**
   * Drops cached records: those outside the working set first, then those that screens fetch on
   * demand, and if there are none, all. The records in memory stay; they are written again when
   * there is room, or the next start fetches them.
   */
  async freeSpace(): Promise<void> {
    const names = ['chunks', 'rows', 'facts'] as const;
    const isEmptied = await this.#database.transact(names, 'readwrite', async (tables) => {
      const isFreed = async (isDropped: (key: string, row: () => Promise<unknown>) => unknown) => {
        let isAny = false;
        for (const name of ['chunks', 'rows'] as const)
          for (const key of await tables(name).keys<string>()) {
            const isOut = await isDropped(key, () => readOne(tables(name), key));
            if (isOut !== true) continue;
            // A chunk may have an older copy, which must not come back.
            if (name === 'rows') void tables(name).put(null, key);
            else tables(name).delete(key);
            isAny = true;
          }
        return isAny;
      };
      if (await isFreed(isOfOutside)) return false;
      if (await isFreed((key) => resourceOf(typeIn(key)).load !== 'first')) return false;
      tables('chunks').clear();
      tables('rows').clear();
      void tables('facts').put({ ...(await metadataIn(tables)), cursor: null }, 'facts');
      return true;
    });
    if (!isEmptied) return;
    this.#cursor = null;
    this.#isBehind = true;
    this.#chunkCount = this.#rowCount = 0;
    this.#waiting.records.clear();
  }

  /** The metadata of a new database: this tab continues to lead. */
  protected get newMetadata(): CopyMetadata {
    return metadataFrom({ lead: this.#lead });
  }

  /** Another database was found in place of the previous one: it lacks everything. */
  protected resetDiskState(): void {
    this.#cursor = null;
    this.#isBehind = true;
    this.#chunkCount = this.#rowCount = 0;
  }
}

/** The metadata on the disk. */
export async function metadataIn(tables: Tables): Promise<CopyMetadata> {
  return metadataFrom(await readOne(tables('facts'), 'facts'));
}

/** The change `there` on disk, with the state of `change`; null when it is not there any more. */
function mergeStatus(there: Change | undefined, change: Change): Change | null {
  if (there?.id !== change.id) return null;
  const { state, problem, theirs, base, attempts, notBefore } = change;
  return { ...there, state, problem, theirs, base, attempts, notBefore };
}
