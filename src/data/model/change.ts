import { keyOf } from './record.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { NotStoredError } from './not-stored-error.ts';
import type { NotStoredReason } from './not-stored-error.ts';
import type { StoreOperation } from './record.ts';

/**
 * Where a change stands. `waiting` and `sending` show on the device; what needs the person
 * (`refused`, `conflict`, `held`, `confirm`) and what is `done` does not: there the server's value
 * shows.
 */
export type ChangeState =
  'waiting' | 'sending' | 'refused' | 'conflict' | 'held' | 'confirm' | 'done';

/** How a change reads to a person: a text key and its values. */
export type Says = readonly [key: string, values: Readonly<Record<string, string>>];

/** Fields of one record, flat: attributes as they are, to-ones as ids. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** A call of wire 11. */
export interface Call {
  readonly method: 'POST';
  readonly path: string;
  readonly body: unknown;
  /** The records that it is about. */
  readonly about: readonly ChangeTarget[];
}

/** Fields of a record as they were. */
export interface Basis {
  readonly record: ChangeTarget;
  readonly values: FieldValues;
}

/** One change of a person, as it is stored until its verdict and a while after. */
export interface Change {
  /** The idempotency key, end to end. A verdict on it is final. */
  readonly id: string;
  /** Order on this device, from the object store's key generator. */
  readonly seq: number;
  readonly userId: string;
  readonly operations: readonly StoreOperation[];
  /**
   * A call instead of operations on records, which is sent alone; the operations are then empty.
   */
  readonly call: Call | null;
  /** The values that a request was based on, to ask the person again when it has waited long. */
  readonly basedOn: Basis | null;
  /** The change that this one undoes. */
  readonly undoes: string | null;
  /** Set when it undoes a creation: the server judges that (wire 8.1). */
  readonly undoesCreation?: true;
  /** For each operation: the values that the person saw in the fields it replaces. */
  readonly base: readonly FieldValues[];
  /**
   * For the same fields: the newest server value since, if any came in; in a done change the
   * answered one.
   */
  readonly theirs: readonly FieldValues[];
  /** The inverse operations, made when the change was made. */
  readonly undo: readonly StoreOperation[];
  readonly says: Says;
  readonly state: ChangeState;
  /** The problem with which the server refused it. */
  readonly problem: ErrorObject | null;
  /** How often it was taken to be sent. */
  readonly attempts: number;
  /** Not sent before this instant (ms); null: at once. */
  readonly notBefore: number | null;
  /** `seq` of earlier changes that must be accepted first. */
  readonly dependsOn: readonly number[];
  /** Device clock in ms, shown to people only. */
  readonly madeAt: number;
  /** Version of the local schema that wrote it. */
  readonly schema: number;
}

/** A record that a change touches. */
export interface ChangeTarget {
  readonly type: TypeName;
  readonly id: string;
}

const NEEDS_PERSON: ReadonlySet<ChangeState> = new Set(['refused', 'conflict', 'held', 'confirm']);

/** Tells whether it is pending, and so shows on the device. */
export function isUnderWay({ state }: Change): boolean {
  return state === 'waiting' || state === 'sending';
}

export function needsPerson({ state }: Change): boolean {
  return NEEDS_PERSON.has(state);
}

/** Tells whether it is a command and edits nothing. */
export function isRequest({ call, operations }: Change): boolean {
  if (call !== null) return true;
  return operations.some(
    ({ op, record }) => op === 'addRecord' && resourceOf(record.type).isCommand,
  );
}

/** This device could not save the change; nothing looks saved. */
export class NotSavedError extends Error {
  /** `full`: making room may help; `failing`: it is being tried again; else only a reload helps. */
  readonly why: NotStoredReason;

  constructor(cause: unknown) {
    super('This device cannot keep the change', { cause });
    this.name = 'NotSavedError';
    this.why = cause instanceof NotStoredError ? cause.why : 'failing';
  }
}

/** Runs the work that saves a change. @throws NotSavedError when this device cannot */
export async function saving<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NotSavedError ? error : new NotSavedError(error);
  }
}

/** Keys of the records that `row` touches or is a request about. */
export function keysOf(row: Change): string[] {
  const [only, more] = row.operations;
  if (only !== undefined && more === undefined && row.basedOn === null) return [keyOf(only.record)];
  return [...new Set(touchedBy(row).map(keyOf))];
}

/** The records that a change touches or is a request about. */
export function touchedBy({ operations, call, basedOn }: Change): ChangeTarget[] {
  const touched = [...operations.map(({ record }) => record), ...(call?.about ?? [])];
  return basedOn === null ? touched : [...touched, basedOn.record];
}
