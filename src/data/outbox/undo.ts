import { canRestore, canSetBack } from '#rules/undo/reversible.ts';
import { resourceOf } from '#schema/index.ts';
import { isRequest, isUnderWay } from '../model/change.ts';
import type { Change, FieldValues, Says } from '../model/change.ts';
import type { NewChange } from './coalesce.ts';
import { fieldsOf, patchOf } from '../model/record.ts';
import type { StoreOperation } from '../model/record.ts';
import type { Rows } from './rows.ts';
import { valuesWrittenBy } from './apply-verdicts.ts';
import { parentTypes } from '../store/store.ts';

/** The inverse of one operation, and what it is based on. */
interface Inverse {
  readonly operation: StoreOperation;
  readonly base: FieldValues;
  /** The operation that undoes the inverse. */
  readonly undo: StoreOperation;
}

/** Tells whether `row` created a record, which undoing it removes or archives. */
export function isCreation({ undo }: Pick<Change, 'undo'>): boolean {
  return undo[0]?.op === 'removeRecord';
}

/**
 * Tells whether undoing `row` does something: unsent always, otherwise where there is an inverse.
 */
export function canUndo(row: Change, rows: Pick<Rows, 'undoing'>): boolean {
  if (isUnderWay(row) && row.attempts === 0) return true;
  if (!isUnderWay(row) && row.state !== 'done') return false;
  return rows.undoing(row.id) === null && !isRequest(row) && inversesOf(row, '') !== null;
}

/** Tells whether `row` can be discarded: what was sent may have arrived, and is undone instead. */
export function canDiscard(row: Change): boolean {
  return row.state !== 'done' && !(isUnderWay(row) && row.attempts > 0);
}

/**
 * The change that undoes `row`: its stored inverse, based on what it wrote. Null where there is
 * none.
 */
export function undoOf(
  row: Change,
  made: Pick<NewChange, 'id' | 'madeAt' | 'schema'>,
): NewChange | null {
  const inverses = inversesOf(row, new Date(made.madeAt).toISOString());
  if (inverses === null || isRequest(row)) return null;
  return {
    ...made,
    userId: row.userId,
    operations: inverses.map(({ operation }) => operation),
    base: inverses.map(({ base }) => base),
    theirs: inverses.map(() => ({})),
    undo: inverses.map(({ undo }) => undo),
    says: saysUndone(row.says),
    ...{ call: null, basedOn: null, undoes: row.id, notBefore: null },
    ...(isCreation(row) ? { undoesCreation: true } : {}),
  };
}

/** "Undo: Archive Harvest"; undoing that is "Archive Harvest" again. */
function saysUndone([key, values]: Says): Says {
  const { what, ...rest } = values;
  return what === undefined ? ['changes.undone', { ...values, what: key }] : [what, rest];
}

function inversesOf(row: Change, at: string): readonly Inverse[] | null {
  const inverses: Inverse[] = [];
  for (const [i, operation] of row.operations.entries()) {
    // While a change is pending, `theirs` may be someone else's value.
    const serverValues = row.state === 'done' ? row.theirs[i] : undefined;
    const inverse = inverseOf(operation, row.undo[i], serverValues ?? {}, at);
    if (inverse === null) return null;
    inverses.unshift(inverse);
  }
  return inverses.length === 0 ? null : inverses;
}

function inverseOf(
  done: StoreOperation,
  undo: StoreOperation | undefined,
  serverValues: FieldValues,
  at: string,
): Inverse | null {
  const { type, id } = done.record;
  switch (undo?.op) {
    case undefined:
      return null;
    case 'updateRecord':
      return setBack(done, undo, serverValues);
    case 'removeRecord':
      // A project is never deleted, but archived.
      if (type === 'project') return archive(id, at);
      return resourceOf(type).verbs.includes('delete')
        ? { operation: undo, base: {}, undo: done }
        : null;
    case 'addRecord':
      // The records below it were removed with it, and nobody can restore those.
      if (!canRestore(type) || parentTypes.has(type)) return null;
      return { operation: undo, base: {}, undo: { op: 'removeRecord', record: { type, id } } };
  }
}

type Update = Extract<StoreOperation, { readonly op: 'updateRecord' }>;

function setBack(done: StoreOperation, undo: Update, serverValues: FieldValues): Inverse | null {
  const { type, id } = done.record;
  const fields = fieldsOf(undo.record);
  if (!canSetBack(type, fields)) return null;
  const wrote = { ...valuesWrittenBy(done), ...serverValues };
  const base = Object.fromEntries(fields.map((field) => [field, wrote[field] ?? null]));
  return { operation: undo, base, undo: { op: 'updateRecord', record: patchOf(type, id, base) } };
}

function archive(id: string, dateArchived: string): Inverse {
  const to = (value: string | null): StoreOperation => ({
    op: 'updateRecord',
    record: patchOf('project', id, { dateArchived: value }),
  });
  return { operation: to(dateArchived), base: { dateArchived: null }, undo: to(null) };
}
