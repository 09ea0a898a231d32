import type { Clock, Random } from '#base/id.ts';
import { newId } from '#base/id.ts';
import { isUnderWay, needsPerson } from './change.ts';
import type { Change, FieldValues } from './change.ts';
import type { Page } from './environment.ts';
import type { Gate } from './gate.ts';
import type { Merge } from './merge.ts';
import type { Outbox } from './outbox.ts';
import { valueOf } from './record.ts';
import type { StoreOperation } from './record.ts';
import type { Retry } from './retry.ts';
import type { ChangeRow, ChangesView, Status } from './use-changes.ts';

interface Parts {
  readonly outbox: Outbox;
  readonly merge: Merge;
  readonly gate: Gate;
  readonly retry: Retry;
  readonly page: Page;
  readonly clock: Clock;
  readonly random: Random;
  /** Something is there to send, or to tell other tabs. */
  readonly wake: () => void;
}

/** What the person did, how it stands, and what they can do about it. */
export class ChangeList {
  readonly #parts: Parts;
  readonly #listeners = new Set<() => void>();
  #view: ChangesView | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    const tell = (): void => {
      this.#view = null;
      for (const listener of this.#listeners) listener();
    };
    parts.outbox.onChange(tell);
    parts.gate.onChange(tell);
    parts.retry.onChange(tell);
    parts.page.onChange(tell);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): ChangesView => (this.#view ??= this.#look());

  #look(): ChangesView {
    const { rows } = this.#parts.outbox;
    const open = rows.filter((row) => row.state !== 'done').reverse();
    const done = rows.filter((row) => row.state === 'done').reverse();
    const waiting = rows.filter(isUnderWay).length;
    const attention = rows.filter(needsPerson).length;
    return {
      status: this.#statusOf(waiting, attention),
      waiting,
      attention,
      rows: [...open, ...done].flatMap(rowOf),
    };
  }

  /** The first that holds (sync 8). */
  #statusOf(waiting: number, attention: number): Status {
    const { gate, retry, page } = this.#parts;
    const silence = retry.last?.is === 'silent' ? retry.last : null;
    if (gate.closed === 'sign-in') return 'sign-in';
    if (gate.closed !== null || gate.problem !== null || silence?.garbled === true)
      return 'problem';
    if (silence !== null || retry.last?.is === 'busy' || !page.isOnline()) return 'offline';
    if (attention > 0) return 'attention';
    return waiting > 0 ? 'saving' : 'saved';
  }

  readonly tryAgain = async (id: string): Promise<void> => {
    const { outbox, merge } = this.#parts;
    const row = outbox.find(id);
    if (row === null || !needsPerson(row)) return;
    const again = this.#family(row);
    const made = await outbox.swap(again, this.#anew(again));
    merge.cover(made.flatMap(targetsOf));
    merge.show(merge.covered());
    this.#parts.wake();
  };

  /** The row, what it is held by, and what is held by that: they go together, in their order. */
  #family(row: Change): Change[] {
    const { outbox } = this.#parts;
    const family = new Set([row]);
    for (const member of family) {
      for (const other of outbox.rows) {
        const isBefore = member.dependsOn.includes(other.seq);
        if (needsPerson(other) && isBefore) family.add(other);
      }
      for (const other of outbox.dependants(member)) if (needsPerson(other)) family.add(other);
    }
    return [...family].sort((a, b) => a.seq - b.seq);
  }

  /** The rows as new changes over what is there now; they depend on each other as before. */
  #anew(rows: readonly Change[]): Change[] {
    const { merge, clock, random } = this.#parts;
    const places = new Map(rows.map((row, i) => [row.seq, -i - 1]));
    return rows.map((row) => ({
      ...row,
      id: newId(clock, random),
      seq: 0,
      state: 'waiting',
      problem: null,
      attempts: 0,
      base: row.operations.map((operation, i) => baseNow(merge, operation, row.base[i] ?? {})),
      theirs: row.operations.map(() => ({})),
      dependsOn: row.dependsOn.map((seq) => places.get(seq) ?? seq),
    }));
  }

  readonly discard = async (id: string): Promise<void> => {
    const { outbox, merge } = this.#parts;
    const row = outbox.find(id);
    // What is on its way may have arrived: it can be undone, not unsaid.
    if (row === null || (isUnderWay(row) && row.attempts > 0)) return;
    const all = [row, ...outbox.dependants(row)];
    await outbox.swap(all, []);
    merge.cover(all.flatMap(targetsOf));
    merge.show(merge.covered());
    this.#parts.wake();
  };

  /** Tries at once, without the wait after a failure that the server did not ask for. */
  readonly sendNow = (): void => {
    this.#parts.retry.wake();
    this.#parts.wake();
  };

  readonly exportText = (id: string): string | null => {
    const row = this.#parts.outbox.find(id);
    if (row === null) return null;
    const { operations, base, theirs, says, madeAt, problem } = row;
    const made = new Date(madeAt).toISOString();
    return JSON.stringify({ id, made, says, problem, operations, base, theirs }, null, 2);
  };
}

function targetsOf(row: Change): StoreOperation['record'][] {
  return row.operations.map(({ record }) => record);
}

/** What the server has now in the fields that were seen otherwise. */
function baseNow(merge: Merge, operation: StoreOperation, base: FieldValues): FieldValues {
  const truth = merge.truth(operation.record);
  if (truth === null) return base;
  return Object.fromEntries(Object.keys(base).map((field) => [field, valueOf(truth, field)]));
}

function rowOf(row: Change): ChangeRow[] {
  const about = row.operations[0]?.record;
  if (about === undefined) return [];
  const { id, says, state, problem, madeAt } = row;
  return [
    {
      id,
      says,
      state,
      problem,
      madeAt: new Date(madeAt).toISOString(),
      about: { type: about.type, id: about.id },
    },
  ];
}
