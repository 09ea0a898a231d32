import type { Change, ChangeTarget } from './change.ts';
import { fieldsOf, isSame, stateableOf, valueOf } from './record.ts';
import type { StorePatch, StoreRecord } from './record.ts';

/** A field of a record that a change sets. */
export interface ChangedField {
  readonly of: ChangeTarget;
  readonly field: string;
  /** The value that the person saw; undefined in a record that the change makes. */
  readonly before: unknown;
  /** The value that they put in its place; undefined in a record that the change removes. */
  readonly after: unknown;
}

/**
 * Lists what a change does to the fields of its records, in the order of its operations: both values
 * of a field that it replaces, those of a new record, and those of a removed one. A call changes none
 * on this device.
 */
export function changedFieldsOf(
  change: Pick<Change, 'operations' | 'base' | 'theirs' | 'undo' | 'state'>,
): readonly ChangedField[] {
  return change.operations.flatMap((operation, i): readonly ChangedField[] => {
    const { type, id } = operation.record;
    const of = { type, id };
    switch (operation.op) {
      case 'addRecord':
        return statedIn(operation.record).map(([field, after]) => {
          return { of, field, before: undefined, after };
        });
      case 'removeRecord': {
        const back = change.undo[i];
        if (back?.op !== 'addRecord') return [];
        return statedIn(back.record).map(([field, before]) => {
          return { of, field, before, after: undefined };
        });
      }
      case 'updateRecord': {
        // While a change is pending, `theirs` may be someone else's value.
        const answered = change.state === 'done' ? (change.theirs[i] ?? {}) : {};
        return Object.entries({ ...valuesIn(operation.record), ...answered }).flatMap(
          ([field, value]) => {
            const before = change.base[i]?.[field] ?? null;
            const after = value ?? null;
            return isSame(before, after) ? [] : [{ of, field, before, after }];
          },
        );
      }
    }
  });
}

const valuesIn = (record: StorePatch): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fieldsOf(record).map((field) => [field, valueOf(record, field)]));

/** The fields of a whole record that a person can state, without those that are empty. */
const statedIn = (record: StoreRecord): (readonly [string, unknown])[] =>
  Object.entries(valuesIn(stateableOf(record)));
