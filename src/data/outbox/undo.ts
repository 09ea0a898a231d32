import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { isRequest, isUnderWay } from '../model/change.ts';
import type { Change, FieldValues, Says } from '../model/change.ts';
import type { NewChange } from './coalesce.ts';
import { fieldsOf, patchOf } from '../model/record.ts';
import type { StoreOperation } from '../model/record.ts';
import type { Rows } from './rows.ts';
import { valuesWrittenBy } from './apply-verdicts.ts';
import { parentTypes } from '../store/store.ts';

/** What takes back one operation, and what it is based on. */
interface Inverse {
  readonly operation: StoreOperation;
  readonly base: FieldValues;
  /** What takes that back in turn. */
  readonly undo: StoreOperation;
}

const can = (type: TypeName, verb: 'create' | 'delete'): boolean =>
  resourceOf(type).verbs.includes(verb);

/** Whether `row` made a record, which taking it back removes or archives. */
export function isCreation({ undo }: Pick<Change, 'undo'>): boolean {
  return undo[0]?.op === 'removeRecord';
}

/** Whether taking `row` back does something: unsent always, else where there is an inverse. */
export function canUndo(row: Change, rows: Pick<Rows, 'undoing'>): boolean {
  if (isUnderWay(row) && row.attempts === 0) return true;
  if (!isUnderWay(row) && row.state !== 'done') return false;
  return rows.undoing(row.id) === null && !isRequest(row) && inversesOf(row, '') !== null;
}

/**
 * The change that takes `row` back: its stored inverse, based on what it wrote. Null where there is
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

/** "Undo: Archive Harvest"; what undoes that is "Archive Harvest" again. */
function saysUndone([key, values]: Says): Says {
  const { what, ...rest } = values;
  return what === undefined ? ['changes.undone', { ...values, what: key }] : [what, rest];
}

function inversesOf(row: Change, at: string): readonly Inverse[] | null {
  const inverses: Inverse[] = [];
  for (const [i, operation] of row.operations.entries()) {
    // Of what is on its way `theirs` may be someone else's.
    const answered = row.state === 'done' ? row.theirs[i] : undefined;
    const inverse = inverseOf(operation, row.undo[i], answered ?? {}, at);
    if (inverse === null) return null;
    inverses.unshift(inverse);
  }
  return inverses.length === 0 ? null : inverses;
}

function inverseOf(
  done: StoreOperation,
  undo: StoreOperation | undefined,
  answered: FieldValues,
  at: string,
): Inverse | null {
  const { type, id } = done.record;
  switch (undo?.op) {
    case undefined:
      return null;
    case 'updateRecord': {
      const wrote = { ...valuesWrittenBy(done), ...answered };
      const fields = fieldsOf(undo.record);
      const base = Object.fromEntries(fields.map((field) => [field, wrote[field] ?? null]));
      const record = patchOf(type, id, base);
      return { operation: undo, base, undo: { op: 'updateRecord', record } };
    }
    case 'removeRecord':
      // What is never deleted is archived.
      if (type === 'project') return archive(id, at);
      return can(type, 'delete') ? { operation: undo, base: {}, undo: done } : null;
    case 'addRecord':
      // What was below it went along, and nobody can put that back.
      if (!can(type, 'create') || parentTypes.has(type)) return null;
      return { operation: undo, base: {}, undo: { op: 'removeRecord', record: { type, id } } };
  }
}

function archive(id: string, dateArchived: string): Inverse {
  const to = (value: string | null): StoreOperation => ({
    op: 'updateRecord',
    record: patchOf('project', id, { dateArchived: value }),
  });
  return { operation: to(dateArchived), base: { dateArchived: null }, undo: to(null) };
}
