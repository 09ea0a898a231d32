import { isUuid } from '#base/id.ts';
import { typeNames } from '#schema/index.ts';
import type { Change, ChangeState } from '../model/change.ts';
import { isObject } from '#base/is-object.ts';
import { STORES } from './tables.ts';

/** Number of the local schema; additive. A change says which one wrote it. */
export const LOCAL_SCHEMA = 2;

type Raw = Readonly<Record<string, unknown>>;

/** The steps that turn a change of version n into one of n + 1. */
export type Steps = Readonly<Record<number, (row: Raw) => Raw>>;

const STEPS: Steps = {
  // Calls, requests and undoing came with 2.
  // fault 17
  1: (row) => ({ call: null, basedOn: null, undoes: null, ...row }),
};

/**
 * A change that this app can't read: it stays as it is, and is shown, until the person discards it.
 */
export interface Unreadable {
  readonly seq: number;
  readonly raw: unknown;
}

/**
 * `raw`, a row of the outbox, as a change of the present schema; null when it can't be migrated.
 */
export function changeFrom(raw: unknown, steps: Steps = STEPS, to = LOCAL_SCHEMA): Change | null {
  let row = raw;
  try {
    while (isObject(row) && row.schema !== to) {
      const step = steps[row.schema as number];
      if (step === undefined) return null;
      row = { ...step(row), schema: (row.schema as number) + 1 };
    }
  } catch {
    return null;
  }
  return isChange(row) ? row : null;
}

/**
 * Rows of the outbox as changes. A row that depends on an unreadable one, or on `stuck`, is held.
 */
export function changesFrom(
  rows: readonly unknown[],
  stuck = new Set<number>(),
): {
  readonly changes: readonly Change[];
  readonly unreadable: readonly Unreadable[];
} {
  const changes: Change[] = [];
  const unreadable: Unreadable[] = [];
  for (const raw of rows) {
    const change = changeFrom(raw);
    if (change === null) {
      const seq = isObject(raw) && typeof raw.seq === 'number' ? raw.seq : 0;
      unreadable.push({ seq, raw });
      stuck.add(seq);
      continue;
    }
    const isStuck = change.state !== 'done' && change.dependsOn.some((seq) => stuck.has(seq));
    if (isStuck) stuck.add(change.seq);
    const waits = change.state === 'waiting' || change.state === 'sending';
    changes.push(isStuck && waits ? { ...change, state: 'held' } : change);
  }
  return { changes, unreadable };
}

/**
 * Creates or upgrades the stores. Changes are migrated one by one, each in its place; one that
 * can't be migrated stays as it is. Records stay too, and are fetched again where their shape has
 * changed.
 */
export function upgrade(transaction: IDBTransaction, from: number, copyId: string): void {
  const { db } = transaction;
  for (const name of STORES) {
    if (db.objectStoreNames.contains(name)) continue;
    db.createObjectStore(
      name,
      name === 'outbox' ? { keyPath: 'seq', autoIncrement: true } : undefined,
    );
  }
  if (from < 2) transaction.objectStore('facts').put(copyId, 'born');
  if (from > 0) migrateOutbox(transaction.objectStore('outbox'));
}

function migrateOutbox(outbox: IDBObjectStore): void {
  const request = outbox.openCursor();
  request.onsuccess = () => {
    const cursor = request.result;
    if (cursor === null) return;
    const change = changeFrom(cursor.value);
    if (change !== null) cursor.update(change);
    cursor.continue();
  };
  // A row that can't be read must not keep the app from starting: the rest is migrated when read.
  request.onerror = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
}

const STATES: ReadonlySet<unknown> = new Set<ChangeState>([
  'waiting',
  'sending',
  'refused',
  'conflict',
  'held',
  'confirm',
  'done',
]);
const OPERATIONS: ReadonlySet<unknown> = new Set(['addRecord', 'updateRecord', 'removeRecord']);
const TYPES: ReadonlySet<unknown> = new Set(typeNames);

/** Tells whether it has the form of a change, so that all code that reads changes can use it. */
function isChange(row: unknown): row is Change {
  if (!isObject(row)) return false;
  const { id, seq, userId, operations, base, theirs, undo, says, state, attempts } = row;
  const { dependsOn, madeAt, notBefore, problem, call } = row;
  return (
    isUuid(id) &&
    [seq, attempts, madeAt].every(Number.isFinite) &&
    typeof userId === 'string' &&
    Array.isArray(operations) &&
    operations.every(isOperation) &&
    (operations.length > 0 || isObject(call)) &&
    [base, theirs, undo, dependsOn].every(Array.isArray) &&
    Array.isArray(says) &&
    typeof says[0] === 'string' &&
    isObject(says[1]) &&
    STATES.has(state) &&
    (notBefore === null || typeof notBefore === 'number') &&
    (problem === null || isObject(problem))
  );
}

function isOperation(operation: unknown): boolean {
  if (!isObject(operation) || !OPERATIONS.has(operation.op)) return false;
  const { record } = operation;
  return isObject(record) && TYPES.has(record.type) && isUuid(record.id);
}
