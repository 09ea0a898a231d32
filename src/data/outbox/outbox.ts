import type { Backup, CopyWrite } from '../storage/backup.ts';
import { isUnderWay, needsPerson } from '../model/change.ts';
import type { Change } from '../model/change.ts';
import { chooseBatch, isEarly } from './choose-batch.ts';
import type { FitsInBatch } from './choose-batch.ts';
import { makes, planNewRow, planMerge } from './coalesce.ts';
import type { NewChange, Plan } from './coalesce.ts';
import { limits } from '#protocol/limits.ts';
import { SerialQueue } from '#base/serial-queue.ts';
import { isSame, isTyped, keyOf } from '../model/record.ts';
import type { StoreIdentity, StoreOperation } from '../model/record.ts';
import { Rows } from './rows.ts';

/**
 * The one way out: every change not yet answered and the newest done ones, each durable before it
 * is here. It adds, takes and replaces rows one at a time, so that none works on what another
 * replaces.
 */
export class Outbox {
  readonly #backup: Backup;
  readonly #rows = new Rows();
  readonly #queue = new SerialQueue();
  readonly #listeners = new Set<(changed: readonly Change[]) => void>();
  /** How many drafts are being written. */
  #beingWritten = 0;
  /** `seq` of rows written here that were not announced to other tabs yet. */
  readonly #unannounced = new Set<number>();
  /**
   * Every row up to this one was read, wherever it was written; `#beyond` has those after a gap.
   */
  #read = 0;
  readonly #beyond = new Set<number>();

  constructor(backup: Backup) {
    this.#backup = backup;
  }

  /**
   * How many changes are pending. A change that is being written counts as well: as one where there
   * is no other, for it may be merged into a row that waits already.
   */
  get waiting(): number {
    return Math.max(this.#rows.counts.waiting, Math.min(this.#beingWritten, 1));
  }

  /** All rows, indexed and read-only. */
  get rows(): Omit<Rows, 'put' | 'remove'> {
    return this.#rows;
  }

  /** The rows that are not done and touch the record, oldest first. */
  of(identity: StoreIdentity): readonly Change[] {
    return this.#rows.of(identity);
  }

  find(id: string): Change | null {
    return this.#rows.find(id);
  }

  /**
   * Calls `listener` with the rows that changed, as they were and as they are; with none when only
   * `waiting` did.
   */
  onChange(listener: (changed: readonly Change[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(changed: readonly Change[]): void {
    if (changed.length > 0) for (const listener of this.#listeners) listener(changed);
  }

  /** One draft more is being written, or one less: listeners are called where `waiting` changes. */
  #countWrite(more: 1 | -1): void {
    const before = this.waiting;
    this.#beingWritten += more;
    if (this.waiting !== before) for (const listener of this.#listeners) listener([]);
  }

  /** Takes in the changes as they were on disk at the start; delayed ones may go at once. */
  restore(rows: readonly Change[]): void {
    this.#hasReadAll(rows);
    for (const row of rows)
      this.#rows.put(row.notBefore === null ? row : { ...row, notBefore: null });
    this.#notify(rows);
  }

  /** Replaces rows by `seq` and removes those of `drop`. Returns the rows that changed. */
  #replaceInMemory(changed: readonly Change[], drop: readonly number[] = []): Change[] {
    const touched: Change[] = [];
    for (const seq of drop) touched.push(...listed(this.#rows.remove(seq)));
    for (const row of changed) touched.push(...listed(this.#rows.put(row)), row);
    this.#notify(touched);
    return touched;
  }

  /**
   * Tells whether the device shows what `row` did: while it is pending, and what was typed into a
   * creation that was not accepted, until that is corrected or discarded.
   */
  isShown(row: Change): boolean {
    return isUnderWay(row) || (needsPerson(row) && row.operations.every((o) => this.#isOfNew(o)));
  }

  #isOfNew({ op, record }: StoreOperation): boolean {
    if (op === 'removeRecord' || !isTyped(record.type)) return false;
    return op === 'addRecord' || this.of(record).some((row) => makes(row, keyOf(record)));
  }

  /**
   * Saves `draft`: merged into an earlier row, cancelled against some, or as a row of its own.
   * Returns the rows that changed, and the refused creation that it corrects, which is to be tried
   * again.
   */
  add(
    draft: NewChange,
  ): Promise<{ readonly changed: readonly Change[]; readonly mended: Change | null }> {
    this.#countWrite(1);
    const stored = this.#queue.run(async () => {
      const plan = planMerge(this.#rows, draft);
      const changed =
        (plan && (await this.#write(plan))) ?? (await this.#write(planNewRow(this.#rows, draft)));
      return { changed: changed ?? [], mended: plan?.mended ?? null };
    });
    return stored.finally(() => {
      this.#countWrite(-1);
    });
  }

  /** Null, with nothing written, when a row that must be unsent was taken to be sent. */
  async #write({ put, drop, unsent, mended }: Plan): Promise<Change[] | null> {
    // A verdict on rows that are dropped or corrected must be written before this.
    if (drop.length > 0 || mended !== null) await this.#backup.flush();
    const seqs = drop.map((row) => row.seq);
    const stored = await this.#backup.addChanges(
      put,
      seqs,
      unsent.map((row) => row.seq),
    );
    if (stored === null) return null;
    this.#hasRead(stored.map(({ seq }) => seq));
    const changed = this.#replaceInMemory(stored, seqs);
    for (const { seq } of changed) this.#unannounced.add(seq);
    return changed;
  }

  /** Numbers are given out one by one: a gap is a row of another tab that was not read yet. */
  #hasRead(seqs: readonly number[]): void {
    for (const seq of seqs) if (seq > this.#read) this.#beyond.add(seq);
    while (this.#beyond.delete(this.#read + 1)) this.#read += 1;
  }

  #hasReadAll(rows: readonly Change[]): void {
    for (const { seq } of rows) this.#read = Math.max(this.#read, seq);
    for (const seq of this.#beyond) this.#read = Math.max(this.#read, seq);
    this.#beyond.clear();
  }

  /** Every row that depends on `row`, at any depth, oldest first. */
  dependants(row: Change): readonly Change[] {
    return this.#rows.dependants(row);
  }

  /**
   * Takes the rows that may be sent now, whole and in order, as many as fit. `others` are rows that
   * show differently now: another tab changed them, or the person is asked about them.
   */
  takeBatch(
    now: number,
    fits: FitsInBatch,
  ): Promise<{ readonly rows: readonly Change[]; readonly others: readonly Change[] }> {
    return this.#queue.run(async () => {
      // Changes that another tab made before go first.
      const read = () => this.#backup.changes();
      const reloaded = this.#beyond.size === 0 ? [] : (await this.#reload(read)).changed;
      const { taken, asking } = chooseBatch(this.#rows, now, fits);
      if (asking.length > 0) {
        await this.#backup.commit({ changes: asking });
        this.#replaceInMemory(asking);
      }
      if (taken.length === 0) return { rows: [], others: [...reloaded, ...asking] };
      const rows = await this.#backup.markSending(taken);
      const there = new Map(rows.map((row) => [row.seq, row]));
      const others = taken.filter(
        (row) => !isSame(there.get(row.seq)?.operations ?? null, row.operations),
      );
      const gone = taken.filter(({ seq }) => !there.has(seq));
      this.#replaceInMemory(
        rows,
        gone.map(({ seq }) => seq),
      );
      return { rows, others: [...reloaded, ...asking, ...others] };
    });
  }

  /** When the first delayed row may go; null: none is delayed. */
  due(now: number): number | null {
    let first: number | null = null;
    for (const row of this.#rows.timed())
      if (isEarly(row, now)) first = Math.min(first ?? Infinity, row.notBefore ?? now);
    return first;
  }

  /** Rows that were taken and got no verdict wait again; nothing is written for that. */
  returnToQueue(ids: readonly string[]): void {
    this.#replaceInMemory(
      ids
        .flatMap((id) => listed(this.find(id)))
        .filter((row) => row.state === 'sending')
        .map((row) => ({ ...row, state: 'waiting' })),
    );
  }

  /**
   * Replaces changed rows, removes others, and returns what is to be written with the records that
   * came along: done rows beyond the newest are removed, too.
   */
  applyResults(changed: readonly Change[], out: readonly Change[] = []): CopyWrite {
    if (changed.length + out.length === 0) return {};
    this.#replaceInMemory(
      changed,
      out.map((row) => row.seq),
    );
    const drop = new Set(out.map((row) => row.seq));
    let beyond = this.#rows.counts.done - limits.changesListed;
    for (const row of beyond > 0 ? this.#rows.done() : []) {
      if (beyond <= 0) break;
      drop.add(row.seq);
      beyond -= 1;
    }
    this.#replaceInMemory([], [...drop]);
    return { changes: changed.filter((row) => !drop.has(row.seq)), drop: [...drop] };
  }

  /** Takes the `seq` of the rows written here since the last call, for other tabs to read. */
  takeUnannounced(): readonly number[] {
    const seqs = [...this.#unannounced];
    this.#unannounced.clear();
    return seqs;
  }

  /**
   * Reads what another tab wrote: all rows, or those of `seqs`. If a row differs here and on disk,
   * the one that is further on stays: the disk may not have a verdict yet, nor may this tab. A row
   * that is not on disk any more was discarded. Returns the rows that changed here, and those that
   * are `ahead` of the disk.
   */
  reload(read: () => Promise<readonly Change[]>, seqs: readonly number[] | null = null) {
    return this.#queue.run(() => this.#reload(read, seqs));
  }

  async #reload(
    read: () => Promise<readonly Change[]>,
    seqs: readonly number[] | null = null,
  ): Promise<{ readonly changed: readonly Change[]; readonly ahead: readonly Change[] }> {
    const onDisk = await read();
    if (seqs === null) this.#hasReadAll(onDisk);
    else this.#hasRead(seqs);
    const there = new Set(onDisk.map(({ seq }) => seq));
    const expected = seqs ?? Array.from(this.#rows.all(), ({ seq }) => seq);
    const changed = expected
      .filter((seq) => !there.has(seq))
      .flatMap((seq) => listed(this.#rows.remove(seq)));
    const ahead: Change[] = [];
    for (const found of onDisk) {
      const known = this.#rows.at(found.seq);
      // A row that is not delayed here any more is not delayed again.
      const row = known?.notBefore === null ? { ...found, notBefore: null } : found;
      if (known !== null && progressOf(known) > progressOf(row)) ahead.push(known);
      else if (!isSame(known, row)) changed.push(...listed(this.#rows.put(row)), row);
    }
    this.#notify(changed);
    return { changed, ahead };
  }

  /**
   * Removes rows, or puts new ones in their place, durably. Returns the rows that changed, and
   * whether it was done: it is not when one of `take` is not as it was; then what another tab wrote
   * is read.
   */
  replaceRows(
    take: readonly Change[],
    put: readonly Change[],
  ): Promise<{ readonly changed: readonly Change[]; readonly isDone: boolean }> {
    return this.#queue.run(async () => {
      if (take.some((row) => this.#rows.at(row.seq) !== row)) return { changed: [], isDone: false };
      const unsent = take.filter(isUnderWay);
      const changed = await this.#write({ put, drop: take, unsent, mended: null });
      if (changed !== null) return { changed, isDone: true };
      const seqs = take.map(({ seq }) => seq);
      const reloaded = await this.#reload(() => this.#backup.changes(seqs), seqs);
      return { changed: reloaded.changed, isDone: false };
    });
  }
}

const listed = <T>(value: T | null): T[] => (value === null ? [] : [value]);

/** The progress of a row: not sent, taken to be sent, answered. */
function progressOf({ state }: Change): number {
  if (state === 'waiting' || state === 'held') return 0;
  return state === 'sending' ? 1 : 2;
}
