import { fieldOfWire } from '#protocol/names.ts';
import { isUnderWay } from '../model/change.ts';
import type { Change, FieldValues } from '../model/change.ts';
import type { ServerUpdate, ServerUpdateItem, ChangeVerdict } from '../model/server-update.ts';
import type { Outbox } from './outbox.ts';
import { fieldsOf, isSame, keyOf, valueOf } from '../model/record.ts';
import type { StoreOperation, StoreRecord } from '../model/record.ts';

type AcceptedItems = ReadonlyMap<string, ServerUpdateItem>;

/** The effects of an update on the rows: the changed ones, and those that are removed for good. */
export interface VerdictEffects {
  readonly changed: readonly Change[];
  readonly out: readonly Change[];
}

/** Applies the verdicts of an update to the rows, with the dependants of refused ones. */
export function applyVerdicts(
  outbox: Outbox,
  { changes = [], verdicts = [], facts }: ServerUpdate,
  fresh: AcceptedItems,
): VerdictEffects {
  // A first load has thousands of records and no verdict.
  if (changes.length + verdicts.length === 0) return { changed: [], out: [] };
  const changed = new Map<number, Change>();
  const out = new Map<number, Change>();
  // fault 29
  const acknowledged = changes.map((id): ChangeVerdict => ({ id, state: 'done', problem: null }));
  const ofCommit = recordsOfCommit(facts?.cursor ?? null, fresh);
  for (const { id, state, problem, unchangedSince = [] } of [...acknowledged, ...verdicts]) {
    const row = outbox.find(id);
    if (row === null || !isUnderWay(row)) continue;
    const was = changed.get(row.seq) ?? row;
    if (state === 'done') {
      const left = new Map([...ofCommit, ...picked(fresh, unchangedSince)]);
      changed.set(row.seq, { ...was, state, problem, theirs: serverValuesOf(row, left) });
      advanceBases(outbox, row, left, changed);
      continue;
    }
    const theirs = state === 'conflict' ? conflicting(row, problem) : was.theirs;
    changed.set(row.seq, { ...was, state, problem, theirs });
    if (state === 'waiting') continue;
    for (const dependant of outbox.dependants(row)) {
      if (dependant.undoes === id && dependant.attempts === 0) {
        // It was to be undone and was never accepted: there is nothing left to do.
        out.set(row.seq, row).set(dependant.seq, dependant);
      } else if (isUnderWay(dependant) && !changed.has(dependant.seq))
        changed.set(dependant.seq, { ...dependant, state: 'held' });
    }
  }
  for (const seq of out.keys()) changed.delete(seq);
  return { changed: [...changed.values()], out: [...out.values()] };
}

/** The records that are as that commit left them: others may have changed the rest since. */
function recordsOfCommit(cursor: string | null, fresh: AcceptedItems): AcceptedItems {
  const n = Number(cursor?.split('.')[1] ?? NaN);
  return new Map(
    [...fresh].filter(([, item]) => item.is === 'update' && item.record.meta.version === n),
  );
}

function picked(items: AcceptedItems, keys: readonly string[]): AcceptedItems {
  return new Map([...items].filter(([key]) => keys.includes(key)));
}

/** For each operation, the values that the server set instead of those that were sent. */
function serverValuesOf(row: Change, fresh: AcceptedItems): FieldValues[] {
  return row.operations.map((operation) => {
    const item = fresh.get(keyOf(operation.record));
    if (operation.op !== 'updateRecord' || item?.is !== 'update') return {};
    return differing(valuesWrittenBy(operation), item.record);
  });
}

/**
 * Where the server set another value than was sent, the base of later own changes becomes that
 * value.
 */
function advanceBases(
  outbox: Outbox,
  row: Change,
  fresh: AcceptedItems,
  changed: Map<number, Change>,
): void {
  for (const later of outbox.dependants(row)) {
    if (!later.dependsOn.includes(row.seq)) continue;
    const current = changed.get(later.seq) ?? later;
    const base = current.base.map((seen, i) => {
      const target = current.operations[i]?.record;
      const item = target === undefined ? undefined : fresh.get(keyOf(target));
      if (item?.is !== 'update') return seen;
      const sent = sentTo(row, item.record);
      return Object.fromEntries(
        Object.entries(seen).map(([field, value]) => {
          const isOurs = sent[field] !== undefined && isSame(sent[field], value);
          return [field, isOurs ? valueOf(item.record, field) : value];
        }),
      );
    });
    if (!isSame(base, current.base)) changed.set(later.seq, { ...current, base });
  }
}

/** All values that `row` states for `record`; the last one of each field counts. */
function sentTo(row: Change, record: StoreRecord): FieldValues {
  return Object.assign(
    {},
    ...row.operations
      .filter((operation) => keyOf(operation.record) === keyOf(record))
      .map(valuesWrittenBy),
  ) as FieldValues;
}

/** The server's values of the fields in conflict, as the refusal states them. */
function conflicting(row: Change, problem: ChangeVerdict['problem']): FieldValues[] {
  const current = problem?.meta?.current as Partial<Record<string, FieldValues>> | undefined;
  return row.operations.map(({ record: { type } }, i) => {
    const theirs: Record<string, unknown> = { ...row.theirs[i] };
    const note = (name: string, value: unknown): void => {
      const field = fieldOfWire(type, name);
      if (field !== null) theirs[field] = value;
    };
    for (const [name, value] of Object.entries(current?.attributes ?? {})) note(name, value);
    for (const [name, link] of Object.entries(current?.relationships ?? {}))
      note(name, (link as { readonly data?: { readonly id: string } | null }).data?.id ?? null);
    return theirs;
  });
}

/**
 * The rows, without those in `decided`, that get new server values for the fields that they
 * replace.
 */
export function noteServerValues(
  outbox: Outbox,
  fresh: AcceptedItems,
  decided: readonly Change[],
): Change[] {
  const changed = new Map<number, Change>();
  const isDecided = new Set(decided.map(({ seq }) => seq));
  for (const { is, record } of fresh.values()) {
    if (is !== 'update') continue;
    const key = keyOf(record);
    for (const row of outbox.of(record)) {
      if (isDecided.has(row.seq)) continue;
      const known = changed.get(row.seq) ?? row;
      const theirs = row.operations.map((operation, i) => {
        const before = known.theirs[i] ?? {};
        if (keyOf(operation.record) !== key) return before;
        return { ...now(before, record), ...differing(row.base[i] ?? {}, record) };
      });
      if (!isSame(theirs, known.theirs)) changed.set(row.seq, { ...known, theirs });
    }
  }
  return [...changed.values()];
}

/** The same fields as they are in `record`. */
function now(fields: FieldValues, record: StoreRecord): FieldValues {
  return Object.fromEntries(Object.keys(fields).map((field) => [field, valueOf(record, field)]));
}

/** The fields for which the server has another value than `seen`. */
function differing(seen: FieldValues, record: StoreRecord): FieldValues {
  return Object.fromEntries(
    Object.entries(seen).flatMap(([field, value]) => {
      const theirs = valueOf(record, field);
      return isSame(value, theirs) ? [] : [[field, theirs]];
    }),
  );
}

/** The values that an operation states. */
export function valuesWrittenBy(operation: StoreOperation): FieldValues {
  if (operation.op === 'removeRecord') return {};
  const { record } = operation;
  return Object.fromEntries(fieldsOf(record).map((field) => [field, valueOf(record, field)]));
}
