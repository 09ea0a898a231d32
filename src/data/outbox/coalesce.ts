import { isUnderWay, needsPerson } from '../model/change.ts';
import type { Change, FieldValues } from '../model/change.ts';
import { fieldsOf, isForNew, keyOf, merged, operate, patchOf } from '../model/record.ts';
import type { StoreIdentity, StoreOperation, StorePatch, StoreRecord } from '../model/record.ts';
import type { Rows } from './rows.ts';

type OutboxRows = Omit<Rows, 'put' | 'remove'>;

/** A change before it is in the outbox. */
export type NewChange = Omit<Change, 'seq' | 'dependsOn' | 'state' | 'problem' | 'attempts'>;

/** The effect of adding a draft on the rows there are. */
export interface Plan {
  readonly put: readonly Change[];
  readonly drop: readonly Change[];
  /** Rows that another tab must not have sent meanwhile: otherwise another plan is made. */
  readonly unsent: readonly Change[];
  /** The refused creation that the draft corrects, which is to be tried again. */
  readonly mended: Change | null;
}

const NOTHING: Plan = { put: [], drop: [], unsent: [], mended: null };

/**
 * Plans to merge `draft` into rows there are: as one change with them, cancelling or correcting
 * them; null: it cannot.
 */
export function planMerge(rows: OutboxRows, draft: NewChange): Plan | null {
  const [operation] = draft.operations;
  if (operation === undefined || draft.operations.length !== 1 || draft.undoes !== null)
    return null;
  switch (operation.op) {
    case 'addRecord':
      return null;
    case 'removeRecord':
      return cancelOut(rows, operation.record);
    case 'updateRecord':
      return (
        mergeIntoRefusedCreation(rows, operation.record) ??
        // fault 24
        mergeIntoRefusedEdits(rows, draft, operation.record) ??
        mergeInto(rows, draft, operation)
      );
  }
}

/** Plans a row of its own, held if a row that it depends on needs the person. */
export function planNewRow(rows: OutboxRows, draft: NewChange): Plan {
  const dependsOn = dependenciesOf(rows, draft);
  const state = isHeldBy(dependsOn, rows) ? 'held' : 'waiting';
  return { ...NOTHING, put: [{ ...draft, seq: 0, state, problem: null, attempts: 0, dependsOn }] };
}

/** Tells whether one of the rows with those numbers needs the person. */
export function isHeldBy(dependsOn: readonly number[], rows: Pick<OutboxRows, 'at'>): boolean {
  return dependsOn.some((seq) => {
    const before = rows.at(seq);
    return before !== null && needsPerson(before);
  });
}

/** The removal of a record that was never sent drops its creation and all that depends on it. */
function cancelOut(rows: OutboxRows, record: StoreIdentity): Plan | null {
  const touching = rows.of(record);
  const creation = touching.find((row) => makes(row, keyOf(record)));
  if (creation === undefined) return null;
  const drop = [...new Set([...touching, ...rows.dependants(creation)])];
  return drop.some((row) => row.attempts > 0) ? null : { ...NOTHING, drop, unsent: drop };
}

/** An edit of the record of a refused creation is merged into that, with the edits it held. */
function mergeIntoRefusedCreation(rows: OutboxRows, record: StorePatch): Plan | null {
  const [creation, ...later] = rows.of(record);
  const made = creation?.operations[0];
  if (creation?.state !== 'refused' || creation.operations.length > 1 || made?.op !== 'addRecord')
    return null;
  if (!goesIntoNew(record)) return null;
  const edits = later.filter((row) =>
    row.operations.every((one) => one.op === 'updateRecord' && goesIntoNew(one.record)),
  );
  const all = [...edits.flatMap((row) => row.operations), { op: 'updateRecord' as const, record }]
    .filter((edit) => keyOf(edit.record) === keyOf(made.record))
    .reduce<StoreRecord>((before, edit) => operate(before, edit) ?? before, made.record);
  const mended: Change = {
    ...creation,
    operations: [{ ...made, record: all }],
    says: sentenceOfCreation(creation.says, all),
  };
  return { put: [mended], drop: edits, unsent: [], mended };
}

/**
 * An edit that has every field of a refused one replaces it, together with the edits of the same
 * record that were held by that; fields of them that it does not state are added to it.
 */
function mergeIntoRefusedEdits(
  rows: OutboxRows,
  draft: NewChange,
  record: StorePatch,
): Plan | null {
  const refused = rows.of(record).find((row) => row.state === 'refused');
  if (refused === undefined) return null;
  const chain = [refused, ...rows.dependants(refused)];
  const patches = chain.flatMap((row) => {
    const [only, more] = row.operations;
    const isPlain = more === undefined && only?.op === 'updateRecord' && needsPerson(row);
    return isPlain && keyOf(only.record) === keyOf(record) ? [only.record] : [];
  });
  if (patches.length < chain.length) return null;
  const stated = new Set(fieldsOf(record));
  if (!fieldsOf(patches[0] ?? record).every((field) => stated.has(field))) return null;
  const mended: StorePatch = patches.reduceRight<StorePatch>(
    (later, earlier) => ({ ...later, ...merged(earlier, later) }),
    record,
  );
  // If several of them write a field, its base is the value that was seen first.
  const bases = [draft.base[0], ...chain.map((row) => row.base[0])].reverse();
  const base: FieldValues = Object.assign({}, ...bases) as FieldValues;
  const whole: NewChange = {
    ...draft,
    operations: [{ op: 'updateRecord', record: mended }],
    base: [base],
    undo: [{ op: 'updateRecord', record: patchOf(record.type, record.id, base) }],
  };
  const [row] = planNewRow(rows, whole).put;
  return row === undefined ? null : { ...NOTHING, put: [row], drop: chain };
}

/**
 * A further edit of the same fields, or of a record that was never sent, becomes one change with
 * the first.
 */
function mergeInto(
  rows: OutboxRows,
  draft: NewChange,
  operation: Extract<StoreOperation, { readonly op: 'updateRecord' }>,
): Plan | null {
  const row = rows.of(operation.record).at(-1);
  if (row?.attempts !== 0 || row.state !== 'waiting' || row.undoes !== null) return null;
  const at = row.operations.findIndex(
    ({ op, record }) => op !== 'removeRecord' && keyOf(record) === keyOf(operation.record),
  );
  const into = row.operations[at];
  if (into === undefined || into.op === 'removeRecord') return null;
  const has = new Set(fieldsOf(into.record));
  const isFurther = fieldsOf(operation.record).every((field) => has.has(field));
  if (into.op === 'updateRecord' && (!isFurther || row.operations.length > 1)) return null;
  if (into.op === 'addRecord' && !goesIntoNew(operation.record)) return null;
  const needed = mentioned(rows, operation);
  // A row cannot mention a record that a later row creates.
  if (needed.some((seq) => seq > row.seq)) return null;
  const record = { ...into.record, ...merged(into.record, operation.record) };
  const next: Change = {
    ...row,
    operations: row.operations.with(at, { ...into, record } as StoreOperation),
    dependsOn: [...new Set([...row.dependsOn, ...needed])].filter((seq) => seq !== row.seq),
    says: mergeSentences(row, draft, into.op === 'addRecord'),
  };
  return { ...NOTHING, put: [next], unsent: [row] };
}

/**
 * Tells whether a creation may state all of `patch`: the server accepts other fields only in edits.
 */
function goesIntoNew(patch: StorePatch): boolean {
  return fieldsOf(patch).every((field) => isForNew(patch.type, field));
}

/** `seq` of earlier rows that `draft` has to wait for. */
export function dependenciesOf(rows: OutboxRows, draft: NewChange): number[] {
  const undone = draft.undoes === null ? null : rows.find(draft.undoes);
  const all = draft.operations.flatMap((operation) => mentioned(rows, operation));
  if (undone !== null && undone.state !== 'done') all.push(undone.seq);
  return [...new Set(all)];
}

/**
 * `seq` of the earlier rows that create a record mentioned in `operation`, and of the last ones
 * that write the same fields: earlier ones depend on each other already.
 */
function mentioned(rows: OutboxRows, operation: StoreOperation): number[] {
  const { record } = operation;
  const linked =
    operation.op === 'removeRecord'
      ? []
      : Object.values(operation.record.relationships ?? {}).flatMap(({ data }) => data ?? []);
  const makers = [record, ...linked].flatMap((identity) => {
    const maker = rows.of(identity).find((row) => makes(row, keyOf(identity)));
    return maker === undefined ? [] : [maker];
  });
  const same = rows.of(record).filter(isUnderWay);
  const last =
    operation.op === 'removeRecord'
      ? same
      : fieldsOf(operation.record).flatMap(
          (field) => same.findLast((row) => writes(row, keyOf(record), new Set([field]))) ?? [],
        );
  return [...makers, ...last].map((row) => row.seq);
}

export function makes(row: Change, key: string): boolean {
  return row.operations.some(({ op, record }) => op === 'addRecord' && keyOf(record) === key);
}

function writes(row: Change, key: string, fields: ReadonlySet<string>): boolean {
  return row.operations.some(
    (operation) =>
      keyOf(operation.record) === key &&
      (operation.op === 'removeRecord' ||
        fieldsOf(operation.record).some((field) => fields.has(field))),
  );
}

/** Tells whether `after` writes a field that `before` writes too; they never share a body. */
export function writesSameField(before: Change, after: Change): boolean {
  return after.operations.some(
    (operation) =>
      operation.op === 'updateRecord' &&
      writes(before, keyOf(operation.record), new Set(fieldsOf(operation.record))),
  );
}

/** The sentence of `row` after `draft` is merged into it: "Rename A to C", "Create C". */
function mergeSentences(row: Change, draft: NewChange, isNew: boolean): Change['says'] {
  const [, values] = row.says;
  const [laterKey, later] = draft.says;
  if (!isNew) return [laterKey, { ...later, ...pick(values, 'from') }];
  const edit = draft.operations[0];
  return edit?.op === 'updateRecord' ? sentenceOfCreation(row.says, edit.record) : row.says;
}

/** The sentence of a creation once the record is named as in `patch`. */
function sentenceOfCreation(
  [key, values]: Change['says'],
  { attributes }: StorePatch,
): Change['says'] {
  const name = attributes?.name;
  return [key, typeof name === 'string' ? { ...values, name } : values];
}

function pick(values: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const value = values[name];
  return value === undefined ? {} : { [name]: value };
}
