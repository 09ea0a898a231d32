import { keysOf } from '../model/change.ts';
import { isUnderWay, needsPerson } from '../model/change.ts';
import type { Change } from '../model/change.ts';
import { keyOf } from '../model/record.ts';
import type { StoreIdentity } from '../model/record.ts';

/** Rows by their number, oldest first whichever order they came in. */
class InOrder {
  #rows = new Map<number, Change>();
  #last = 0;
  #isSorted = true;

  get size(): number {
    return this.#rows.size;
  }

  get(seq: number): Change | undefined {
    return this.#rows.get(seq);
  }

  set(row: Change): void {
    if (!this.#rows.has(row.seq)) {
      if (row.seq < this.#last) this.#isSorted = false;
      this.#last = Math.max(this.#last, row.seq);
    }
    this.#rows.set(row.seq, row);
  }

  delete(seq: number): void {
    this.#rows.delete(seq);
  }

  values(): Iterable<Change> {
    if (!this.#isSorted) this.#rows = new Map([...this.#rows].sort(([a], [b]) => a - b));
    this.#isSorted = true;
    return this.#rows.values();
  }
}

/** Every row of the outbox, indexed: a look-up costs the same however many there are. */
export class Rows {
  readonly #all = new InOrder();
  readonly #underWay = new InOrder();
  readonly #attention = new InOrder();
  readonly #done = new InOrder();
  readonly #timed = new InOrder();
  readonly #removals = new InOrder();
  readonly #seqs = new Map<string, number>();
  /** `seq` of the change that undoes another, by the id of that. */
  readonly #undoing = new Map<string, number>();
  /** The rows that are not done, by the records they touch, oldest first. */
  readonly #byKey = new Map<string, Change[]>();
  /** `seq` of the rows that are not done, by the row they wait for. */
  readonly #dependants = new Map<number, Set<number>>();

  all(): Iterable<Change> {
    return this.#all.values();
  }

  underWay(): Iterable<Change> {
    return this.#underWay.values();
  }

  attention(): Iterable<Change> {
    return this.#attention.values();
  }

  done(): Iterable<Change> {
    return this.#done.values();
  }

  /** The pending rows that are delayed. */
  timed(): Iterable<Change> {
    return this.#timed.values();
  }

  /** True while a pending row removes a record, and with it what is below it. */
  get isRemoving(): boolean {
    return this.#removals.size > 0;
  }

  get counts(): { readonly waiting: number; readonly attention: number; readonly done: number } {
    const { size: waiting } = this.#underWay;
    return { waiting, attention: this.#attention.size, done: this.#done.size };
  }

  at(seq: number): Change | null {
    return this.#all.get(seq) ?? null;
  }

  find(id: string): Change | null {
    const seq = this.#seqs.get(id);
    return seq === undefined ? null : this.at(seq);
  }

  /** The change that undoes the one with `id`. */
  undoing(id: string): Change | null {
    const seq = this.#undoing.get(id);
    return seq === undefined ? null : this.at(seq);
  }

  /** The rows that are not done and touch the record, oldest first. */
  of(identity: StoreIdentity): readonly Change[] {
    return this.#byKey.get(keyOf(identity)) ?? [];
  }

  /** Every row that depends on `row`, at any depth, oldest first; done ones left out. */
  dependants(row: Change): readonly Change[] {
    const found = new Map<number, Change>();
    const ask = [row.seq];
    for (let seq = ask.pop(); seq !== undefined; seq = ask.pop())
      for (const next of this.#dependants.get(seq) ?? []) {
        const dependant = this.at(next);
        if (dependant === null || found.has(next)) continue;
        found.set(next, dependant);
        ask.push(next);
      }
    return [...found.values()].sort((a, b) => a.seq - b.seq);
  }

  /** Puts `row` in place of the one with its number. Returns the previous one. */
  put(row: Change): Change | null {
    const before = this.at(row.seq);
    if (before !== null) this.#unlink(before);
    this.#all.set(row);
    this.#seqs.set(row.id, row.seq);
    if (row.undoes !== null) this.#undoing.set(row.undoes, row.seq);
    const isOpen = row.state !== 'done';
    // A row is set in place where it stays: otherwise the group would have to be sorted again.
    keepIf(this.#underWay, row, isUnderWay(row));
    keepIf(this.#attention, row, needsPerson(row));
    keepIf(this.#done, row, !isOpen);
    keepIf(this.#timed, row, isUnderWay(row) && row.notBefore !== null);
    keepIf(this.#removals, row, isUnderWay(row) && row.operations.some(isRemoval));
    if (isOpen) this.#link(row);
    return before;
  }

  remove(seq: number): Change | null {
    const row = this.at(seq);
    if (row === null) return null;
    this.#unlink(row);
    for (const group of [this.#all, this.#underWay, this.#attention, this.#done]) group.delete(seq);
    for (const group of [this.#timed, this.#removals]) group.delete(seq);
    return row;
  }

  #link(row: Change): void {
    for (const key of keysOf(row)) insert(this.#byKey, key, row);
    for (const seq of row.dependsOn) {
      const dependants = this.#dependants.get(seq) ?? new Set();
      this.#dependants.set(seq, dependants.add(row.seq));
    }
  }

  #unlink(row: Change): void {
    this.#seqs.delete(row.id);
    if (row.undoes !== null) this.#undoing.delete(row.undoes);
    if (row.state === 'done') return;
    for (const key of keysOf(row)) take(this.#byKey, key, row.seq);
    for (const seq of row.dependsOn) {
      const dependants = this.#dependants.get(seq);
      dependants?.delete(row.seq);
      if (dependants?.size === 0) this.#dependants.delete(seq);
    }
  }
}

const isRemoval = ({ op }: Change['operations'][number]): boolean => op === 'removeRecord';

function keepIf(group: InOrder, row: Change, isIn: boolean): void {
  if (isIn) group.set(row);
  else group.delete(row.seq);
}

function placeOf(rows: readonly Change[], seq: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(byKey: Map<string, Change[]>, key: string, row: Change): void {
  const rows = byKey.get(key);
  if (rows === undefined) byKey.set(key, [row]);
  else rows.splice(placeOf(rows, row.seq), 0, row);
}

function take(byKey: Map<string, Change[]>, key: string, seq: number): void {
  const rows = byKey.get(key);
  if (rows === undefined) return;
  const at = placeOf(rows, seq);
  if (rows[at]?.seq === seq) rows.splice(at, 1);
  if (rows.length === 0) byKey.delete(key);
}
