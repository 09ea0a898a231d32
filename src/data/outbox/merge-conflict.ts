import { normalise } from '#rules/valid/index.ts';
import type { Change, FieldValues, Says } from '../model/change.ts';
import { keyOf, merged, patchOf } from '../model/record.ts';
import { inConflict } from './change-row.ts';
import { removeFields } from './rebase-changes.ts';

/**
 * Puts `values` into the fields of `row` that are in conflict. What the other changes of its `chain`
 * wrote into the same fields is given up: it was there to be read when the values were typed.
 *
 * @param at the present moment, as it travels
 */
export function mergeConflict(
  row: Change,
  chain: readonly Change[],
  values: FieldValues,
  at: string,
): readonly Change[] {
  const settled = new Map<string, FieldValues>();
  for (const [i, fields] of inConflict(row).entries()) {
    const record = row.operations[i]?.record;
    if (record === undefined) continue;
    const own = Object.entries(values).filter(([field]) => fields.has(field));
    settled.set(keyOf(record), normalise(record.type, Object.fromEntries(own), at));
  }
  return chain.flatMap((member) => {
    if (member === row) return mergedInto(row, settled);
    const givenUp = member.operations.map(
      ({ record }) => new Set(Object.keys(settled.get(keyOf(record)) ?? {})),
    );
    return removeFields(member, givenUp) ?? [];
  });
}

function mergedInto(row: Change, settled: ReadonlyMap<string, FieldValues>): Change {
  const operations = row.operations.map((operation) => {
    const { type, id } = operation.record;
    const values = settled.get(keyOf(operation.record));
    if (operation.op !== 'updateRecord' || values === undefined) return operation;
    const record = { ...operation.record, ...merged(operation.record, patchOf(type, id, values)) };
    return { ...operation, record };
  });
  return { ...row, operations, says: saysMerged(row.says, [...settled.values()]) };
}

/** A sentence that names the new name, such as "Rename A to B", names the merged one. */
function saysMerged([key, values]: Says, settled: readonly FieldValues[]): Says {
  const name = settled.map((one) => one.name).find((one) => typeof one === 'string');
  return [key, values.to === undefined || name === undefined ? values : { ...values, to: name }];
}
