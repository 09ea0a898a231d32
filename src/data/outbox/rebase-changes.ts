import { newId } from '#base/id.ts';
import type { Clock, Random } from '#base/id.ts';
import { isRequest, needsPerson } from '../model/change.ts';
import type { Change, FieldValues } from '../model/change.ts';
import { dependenciesOf } from './coalesce.ts';
import type { ServerState } from '../model/server-update.ts';
import type { Outbox } from './outbox.ts';
import { fieldsOf, keyOf, patchOf, valueOf } from '../model/record.ts';
import type { StoreOperation, StorePatch } from '../model/record.ts';
import { valuesWrittenBy } from './apply-verdicts.ts';

interface RebaseDependencies {
  readonly outbox: Outbox;
  readonly serverState: ServerState;
  readonly clock: Clock;
  readonly random: Random;
}

/** The row, the rows that hold it, and those that they hold: they go together, in their order. */
export function dependencyChainOf(row: Change, { rows }: Pick<Outbox, 'rows'>): Change[] {
  const chain = new Set([row]);
  for (const member of chain) {
    for (const seq of member.dependsOn) {
      const before = rows.at(seq);
      if (before !== null && needsPerson(before)) chain.add(before);
    }
    for (const other of rows.dependants(member)) if (needsPerson(other)) chain.add(other);
  }
  return [...chain].sort((a, b) => a.seq - b.seq);
}

/**
 * Makes new changes of `rows`, based on the present values; they depend on each other as before,
 * and each starts from what the one before it wrote.
 */
export function rebaseChanges(
  rows: readonly Change[],
  { outbox, serverState, clock, random }: RebaseDependencies,
): Change[] {
  const places = new Map(rows.map((row, i) => [row.seq, -i - 1]));
  const written = new Map<string, FieldValues>();
  return rows.map((row) => {
    const base = row.operations.map((operation, i) => {
      const key = keyOf(operation.record);
      const seen: FieldValues = written.get(key) ?? {};
      written.set(key, { ...seen, ...valuesWrittenBy(operation) });
      const shown = serverState.visibleRecord(operation.record);
      // The refusal may have values that no server update has brought yet: those the person saw.
      const theirs: FieldValues = row.state === 'conflict' ? (row.theirs[i] ?? {}) : {};
      const now = ([field, was]: [string, unknown]): [string, unknown] => {
        if (Object.hasOwn(seen, field)) return [field, seen[field]];
        if (Object.hasOwn(theirs, field)) return [field, theirs[field]];
        return [field, shown === null ? was : valueOf(shown, field)];
      };
      return Object.fromEntries(Object.entries(row.base[i] ?? {}).map(now));
    });
    return {
      ...row,
      id: newId(clock, random),
      seq: 0,
      state: 'waiting',
      problem: null,
      attempts: 0,
      notBefore: null,
      // A request is as old as the person's last word on it.
      madeAt: isRequest(row) ? clock() : row.madeAt,
      base,
      theirs: row.operations.map(() => ({})),
      undo: row.undo.map((undo, i) => rebasedUndo(row.operations[i], undo, base[i] ?? {})),
      dependsOn: [...new Set([...row.dependsOn, ...dependenciesOf(outbox.rows, row)])]
        .filter((seq) => seq !== row.seq)
        .map((seq) => places.get(seq) ?? seq),
    };
  });
}

function rebasedUndo(
  operation: StoreOperation | undefined,
  undo: StoreOperation,
  base: FieldValues,
): StoreOperation {
  if (operation?.op !== 'updateRecord' || undo.op !== 'updateRecord') return undo;
  return { op: 'updateRecord', record: patchOf(undo.record.type, undo.record.id, base) };
}

interface RemainingOperation {
  readonly operation: StoreOperation;
  readonly i: number;
  readonly out: ReadonlySet<string>;
}

/** `row` without the fields in `givenUp`; null when nothing is left. */
export function removeFields(row: Change, givenUp: readonly ReadonlySet<string>[]): Change | null {
  const remaining = row.operations.flatMap((operation, i): RemainingOperation[] => {
    const out: ReadonlySet<string> = givenUp[i] ?? new Set();
    if (operation.op !== 'updateRecord') return [{ operation, i, out }];
    const left = fieldsOf(operation.record).filter((field) => !out.has(field));
    if (left.length === 0) return [];
    return [{ operation: { ...operation, record: pickFields(operation.record, left) }, i, out }];
  });
  if (remaining.length === 0) return null;
  return {
    ...row,
    operations: remaining.map(({ operation }) => operation),
    base: remaining.map(({ i, out }) => omitFields(row.base[i] ?? {}, out)),
    theirs: remaining.map(({ i, out }) => omitFields(row.theirs[i] ?? {}, out)),
    undo: remaining.flatMap(({ i, out }) => {
      const undo = row.undo[i];
      if (undo?.op !== 'updateRecord') return undo ?? [];
      const left = fieldsOf(undo.record).filter((field) => !out.has(field));
      return { ...undo, record: pickFields(undo.record, left) };
    }),
  };
}

function omitFields(values: FieldValues, out: ReadonlySet<string>): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !out.has(field)));
}

/** The part of `patch` that states `fields`. */
export function pickFields(patch: StorePatch, fields: readonly string[]): StorePatch {
  const pick = <V>(values: Readonly<Record<string, V>> = {}): Record<string, V> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => fields.includes(name)));
  return {
    type: patch.type,
    id: patch.id,
    attributes: pick(patch.attributes),
    relationships: pick(patch.relationships),
  };
}
