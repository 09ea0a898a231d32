import type { Backup, Commit } from './backup.ts';
import { isUnderWay, needsPerson } from './change.ts';
import type { Change } from './change.ts';
import { fieldsOf, isTyped, keyOf, merged, operate } from './record.ts';
import type { StoreIdentity, StoreOperation, StorePatch, StoreRecord } from './record.ts';

/** A change before it has its place. */
export type Draft = Omit<Change, 'seq' | 'dependsOn' | 'state' | 'problem' | 'attempts'>;

/** Done changes that are kept, for the list and for undo. */
const DONE_KEPT = 50;

/**
 * The one way out: every change not yet answered and the newest done ones, each durable before it
 * is here. Folds, takes and settles one at a time, so that none works on what another replaces.
 */
export class Outbox {
  readonly #backup: Backup;
  #rows: readonly Change[] = [];
  #byKey = new Map<string, Change[]>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #listeners = new Set<() => void>();

  constructor(backup: Backup) {
    this.#backup = backup;
  }

  /** All of them, oldest first; the same array until one changes. */
  get rows(): readonly Change[] {
    return this.#rows;
  }

  /** Those that are not done and touch the record, oldest first. */
  of(identity: StoreIdentity): readonly Change[] {
    return this.#byKey.get(keyOf(identity)) ?? [];
  }

  find(id: string): Change | null {
    return this.#rows.find((row) => row.id === id) ?? null;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows the changes as they are on disk: after a start, or after another tab wrote. */
  restore(rows: readonly Change[]): void {
    this.#show([...rows].sort((a, b) => a.seq - b.seq));
  }

  #show(rows: readonly Change[]): void {
    this.#rows = rows;
    this.#byKey = new Map();
    for (const row of rows) {
      if (row.state === 'done') continue;
      for (const key of keysOf(row)) {
        const same = this.#byKey.get(key);
        if (same === undefined) this.#byKey.set(key, [row]);
        else same.push(row);
      }
    }
    for (const listener of this.#listeners) listener();
  }

  /** Puts changed rows in place of those with their `seq`, takes `drop` out. */
  #replace(changed: readonly Change[], drop: readonly number[] = []): void {
    const bySeq = new Map(this.#rows.map((row) => [row.seq, row]));
    for (const seq of drop) bySeq.delete(seq);
    for (const row of changed) bySeq.set(row.seq, row);
    this.#show([...bySeq.values()].sort((a, b) => a.seq - b.seq));
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work, work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  /**
   * Whether the device shows what `row` did: while it is under way, and what was typed into a
   * creation that was not accepted, until that is mended or discarded.
   */
  shows(row: Change): boolean {
    return isUnderWay(row) || (needsPerson(row) && row.operations.every((o) => this.#isOfNew(o)));
  }

  #isOfNew({ op, record }: StoreOperation): boolean {
    if (op === 'removeRecord' || !isTyped(record.type)) return false;
    return op === 'addRecord' || this.of(record).some((row) => makes(row, keyOf(record)));
  }

  /**
   * Keeps `draft`: folded into an earlier row, cancelled against some, or as a row of its own. Gives
   * the refused creation that it mended, which is to be tried again.
   */
  keep(draft: Draft): Promise<Change | null> {
    return this.#alone(async () => {
      const mended = await this.#mend(draft);
      if (mended !== null) return mended;
      if (await this.#cancelOut(draft)) return null;
      if (await this.#foldIn(draft)) return null;
      const row: Change = {
        ...draft,
        seq: 0,
        state: 'waiting',
        problem: null,
        attempts: 0,
        dependsOn: this.#dependsOn(draft.operations),
      };
      const state = this.#isHeldBack(row) ? 'held' : 'waiting';
      await this.#write([{ ...row, state }], []);
      return null;
    });
  }

  /** An edit of what a refused creation made is put into that, with the edits it held back. */
  async #mend({ operations }: Draft): Promise<Change | null> {
    const [operation] = operations;
    if (operations.length !== 1 || operation?.op !== 'updateRecord') return null;
    const [born, ...later] = this.of(operation.record);
    const made = born?.operations[0];
    if (born?.state !== 'refused' || born.operations.length > 1 || made?.op !== 'addRecord')
      return null;
    const edits = later.filter((row) => row.operations.every(({ op }) => op === 'updateRecord'));
    const record = [...edits.flatMap((row) => row.operations), operation]
      .filter((edit) => keyOf(edit.record) === keyOf(made.record))
      .reduce<StoreRecord>((all, edit) => operate(all, edit) ?? all, made.record);
    const mended = { ...born, operations: [{ ...made, record }], says: sayNew(born.says, record) };
    await this.#backup.settled();
    await this.#write(
      [mended],
      edits.map((row) => row.seq),
    );
    return mended;
  }

  async #write(
    rows: readonly Change[],
    drop: readonly number[],
    unsent: readonly number[] = [],
  ): Promise<boolean> {
    const kept = await this.#backup.keep(rows, drop, unsent);
    if (kept === null) return false;
    this.#replace(kept, drop);
    return true;
  }

  /** A removal of what was never sent leaves nothing to send. */
  async #cancelOut({ operations }: Draft): Promise<boolean> {
    const [operation] = operations;
    if (operations.length !== 1 || operation?.op !== 'removeRecord') return false;
    const rows = this.of(operation.record);
    const born = rows.find((row) => makes(row, keyOf(operation.record)));
    if (born === undefined) return false;
    const all = new Set([...rows, ...this.dependants(born)]);
    if ([...all].some((row) => row.attempts > 0)) return false;
    const seqs = [...all].map((row) => row.seq);
    return this.#write([], seqs, seqs);
  }

  /** A further edit of the same fields, or of a record never sent, is one change with the first. */
  async #foldIn(draft: Draft): Promise<boolean> {
    const [operation] = draft.operations;
    if (draft.operations.length !== 1 || operation?.op !== 'updateRecord') return false;
    const row = this.of(operation.record).at(-1);
    if (row?.attempts !== 0 || row.state !== 'waiting') return false;
    const at = row.operations.findIndex(
      ({ op, record }) => op !== 'removeRecord' && keyOf(record) === keyOf(operation.record),
    );
    const into = row.operations[at];
    if (into === undefined || into.op === 'removeRecord') return false;
    const has = new Set(fieldsOf(into.record));
    const isFurther = fieldsOf(operation.record).every((field) => has.has(field));
    if (into.op === 'updateRecord' && (!isFurther || row.operations.length > 1)) return false;
    const folded = {
      ...into,
      record: { ...into.record, ...merged(into.record, operation.record) },
    };
    const dependsOn = new Set([...row.dependsOn, ...this.#mentioned(operation, row.seq)]);
    const next: Change = {
      ...row,
      operations: row.operations.with(at, folded as StoreOperation),
      dependsOn: [...dependsOn],
      says: sayTogether(row, draft, into.op === 'addRecord'),
    };
    return this.#write([next], [], [row.seq]);
  }

  #dependsOn(operations: readonly StoreOperation[]): number[] {
    return [...new Set(operations.flatMap((operation) => this.#mentioned(operation, Infinity)))];
  }

  /** `seq` of earlier rows that make a record `operation` mentions, or that write the same field. */
  #mentioned(operation: StoreOperation, before: number): number[] {
    const { record, op } = operation;
    const linked =
      op === 'removeRecord'
        ? []
        : Object.values(record.relationships ?? {}).flatMap(({ data }) => data ?? []);
    const makers = [record, ...linked].flatMap((identity) =>
      this.of(identity).filter((row) => makes(row, keyOf(identity))),
    );
    const fields = op === 'removeRecord' ? null : new Set(fieldsOf(record));
    const same = this.of(record).filter(
      (row) => isUnderWay(row) && (fields === null || writes(row, keyOf(record), fields)),
    );
    return [...makers, ...same].map((row) => row.seq).filter((seq) => seq < before);
  }

  #isHeldBack({ dependsOn }: Change): boolean {
    return this.#rows.some((row) => dependsOn.includes(row.seq) && needsPerson(row));
  }

  /** Every row that depends on `row`, at any depth, oldest first. */
  dependants(row: Change): readonly Change[] {
    const seqs = new Set([row.seq]);
    const found: Change[] = [];
    for (const other of this.#rows) {
      if (other.state === 'done' || !other.dependsOn.some((seq) => seqs.has(seq))) continue;
      if (!seqs.has(other.seq)) found.push(other);
      seqs.add(other.seq);
    }
    return found;
  }

  /** Rows that may go now, in order, whole: as many as `fits` takes. */
  take(now: number, fits: (taken: readonly Change[], next: Change) => boolean): Promise<Change[]> {
    return this.#alone(async () => {
      const taken: Change[] = [];
      const blocked = new Set<string>();
      for (const row of this.#rows.filter(isUnderWay)) {
        const keys = keysOf(row);
        const waits = row.notBefore !== null && row.notBefore > now;
        if (waits || keys.some((key) => blocked.has(key)) || !this.#mayFollow(row, taken)) {
          for (const key of keys) blocked.add(key);
        } else if (fits(taken, row)) taken.push(row);
        else break;
      }
      const marked = taken.map((row): Change => ({
        ...row,
        state: 'sending',
        attempts: row.attempts + 1,
      }));
      if (marked.length === 0) return [];
      await this.#backup.commit({ changes: marked });
      this.#replace(marked);
      return marked;
    });
  }

  /** Whether all it depends on is done or goes with it; two writes of one field never share a body. */
  #mayFollow(row: Change, taken: readonly Change[]): boolean {
    return row.dependsOn.every((seq) => {
      const before = this.#rows.find((other) => other.seq === seq);
      if (before === undefined || before.state === 'done') return true;
      return taken.some((other) => other.seq === seq) && !writesSameField(before, row);
    });
  }

  /** Rows that were taken and got no verdict wait again; nothing on disk needs to know. */
  release(ids: readonly string[]): void {
    this.#replace(
      this.#rows
        .filter((row) => row.state === 'sending' && ids.includes(row.id))
        .map((row) => ({ ...row, state: 'waiting' })),
    );
  }

  /**
   * Puts changed rows in place and gives what is to be written with the records that came along:
   * done rows beyond the newest are dropped.
   */
  settle(changed: readonly Change[]): Commit {
    if (changed.length === 0) return {};
    this.#replace(changed);
    const done = this.#rows.filter((row) => row.state === 'done');
    const drop = done.slice(0, Math.max(0, done.length - DONE_KEPT)).map((row) => row.seq);
    if (drop.length > 0) this.#replace([], drop);
    return { changes: changed.filter((row) => !drop.includes(row.seq)), drop };
  }

  /**
   * Takes in what another tab wrote. Of a row on disk and the same one here, the one that is further
   * on its way stays: the disk may not have heard of a verdict yet, nor may this tab. What is not
   * on disk any more was discarded.
   */
  adopt(read: () => Promise<readonly Change[]>): Promise<void> {
    return this.#alone(async () => {
      const onDisk = await read();
      const here = new Map(this.#rows.map((row) => [row.seq, row]));
      const rows = onDisk.map((row) => {
        const known = here.get(row.seq);
        return known !== undefined && progressOf(known) > progressOf(row) ? known : row;
      });
      this.#show(rows.sort((x, y) => x.seq - y.seq));
    });
  }

  /** Takes rows out, or puts new ones in their place, durably. */
  swap(take: readonly Change[], put: readonly Change[]): Promise<readonly Change[]> {
    return this.#alone(async () => {
      const drop = take.map((row) => row.seq);
      const kept = (await this.#backup.keep(put, drop, [])) ?? [];
      this.#replace(kept, drop);
      return kept;
    });
  }
}

/** How far a row is: not sent, taken to be sent, answered. */
function progressOf({ state }: Change): number {
  if (state === 'waiting' || state === 'held') return 0;
  return state === 'sending' ? 1 : 2;
}

/** Keys of the records that `row` touches. */
export function keysOf(row: Change): string[] {
  return [...new Set(row.operations.map(({ record }) => keyOf(record)))];
}

function makes(row: Change, key: string): boolean {
  return row.operations.some(({ op, record }) => op === 'addRecord' && keyOf(record) === key);
}

function writes(row: Change, key: string, fields: ReadonlySet<string>): boolean {
  return row.operations.some(
    (operation) =>
      keyOf(operation.record) === key &&
      (operation.op === 'removeRecord' ||
        fieldsOf(operation.record).some((field) => fields.has(field))),
  );
}

function writesSameField(before: Change, after: Change): boolean {
  return after.operations.some(
    (operation) =>
      operation.op === 'updateRecord' &&
      writes(before, keyOf(operation.record), new Set(fieldsOf(operation.record))),
  );
}

/** What `row` says once `draft` is folded into it: "Rename A to C", "Create C". */
function sayTogether(row: Change, draft: Draft, isNew: boolean): Change['says'] {
  const [, values] = row.says;
  const [laterKey, later] = draft.says;
  if (!isNew) return [laterKey, { ...later, ...pick(values, 'from') }];
  const edit = draft.operations[0];
  return edit?.op === 'updateRecord' ? sayNew(row.says, edit.record) : row.says;
}

/** What a creation says once the record is named as in `patch`. */
function sayNew([key, values]: Change['says'], { attributes }: StorePatch): Change['says'] {
  const name = attributes?.name;
  return [key, typeof name === 'string' ? { ...values, name } : values];
}

function pick(values: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const value = values[name];
  return value === undefined ? {} : { [name]: value };
}
