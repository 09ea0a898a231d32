import { fieldOfWire, typeOfWire } from '#protocol/names.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { resourceOf } from '#schema/index.ts';
import type { Of } from '#schema/index.ts';
import { isRequest, needsPerson } from '../model/change.ts';
import type { Change, FieldValues, ChangeTarget } from '../model/change.ts';
import type { ServerState } from '../model/server-update.ts';
import type { Outbox } from './outbox.ts';
import { fieldsOf, isSame, stateableOf, valueOf } from '../model/record.ts';
import type { StoreOperation } from '../model/record.ts';
import { touchedBy } from '../model/change.ts';
import { valuesWrittenBy } from './apply-verdicts.ts';
import { canDiscard, canUndo, isCreation } from './undo.ts';
import type { ChangeRow, ConflictField, Other } from '../model/views.ts';

interface ChangeRowSources {
  readonly outbox: Outbox;
  readonly serverState: ServerState;
}

/** `row` as the changes panel lists it; expensive members are computed when they are read. */
export function changeRow(row: Change, sources: ChangeRowSources): ChangeRow | null {
  const about = row.basedOn?.record ?? row.operations[0]?.record ?? row.call?.about[0];
  if (about === undefined) return null;
  const { id, says, state, problem, madeAt } = row;
  const { rows } = sources.outbox;
  return {
    ...{ id, says, state, problem },
    madeAt: new Date(madeAt).toISOString(),
    about: { type: about.type, id: about.id },
    isUnreadable: false,
    kept: row,
    isRequest: isRequest(row),
    get touched() {
      return touchedBy(row);
    },
    get conflict() {
      return state === 'conflict' ? conflictOf(row, sources) : [];
    },
    get other() {
      return state === 'conflict' ? otherIn(row, sources) : null;
    },
    get typed() {
      return typedIn(row);
    },
    get basis() {
      return basisOf(row, sources);
    },
    created: isCreation(row) ? about : null,
    get canUndo() {
      return canUndo(row, rows);
    },
    canDiscard: canDiscard(row),
    get dependants() {
      return rows.dependants(row).map((dependant) => dependant.id);
    },
    get heldBy() {
      return holderOf(row, sources)?.id ?? null;
    },
    get lostParent() {
      return needsPerson(row) ? lostParentOf(row, sources) : null;
    },
  };
}

/** For each operation: the fields that someone else replaced, and not with the same value. */
export function inConflict(row: Change): ReadonlySet<string>[] {
  const named = row.problem?.meta?.fields;
  return row.operations.map((operation, i) => {
    const mine = valuesWrittenBy(operation);
    const base = row.base[i] ?? {};
    const said = (Array.isArray(named) ? named : []).flatMap((name) =>
      typeof name === 'string' ? (fieldOfWire(operation.record.type, name) ?? []) : [],
    );
    const since = Object.entries(row.theirs[i] ?? {}).flatMap(([field, theirs]) =>
      isSame(theirs, base[field]) || isSame(theirs, mine[field]) ? [] : field,
    );
    return new Set([...said, ...since].filter((field) => Object.hasOwn(mine, field)));
  });
}

function conflictOf(row: Change, { serverState }: ChangeRowSources): ConflictField[] {
  return inConflict(row).flatMap((fields, i) => {
    const operation = row.operations[i];
    if (operation === undefined) return [];
    const mine = valuesWrittenBy(operation);
    const serverRecord = serverState.serverRecord(operation.record);
    return [...fields].map((field) => ({
      field,
      was: row.base[i]?.[field] ?? null,
      mine: mine[field] ?? null,
      theirs:
        row.theirs[i]?.[field] ??
        (serverRecord === null ? null : (valueOf(serverRecord, field) ?? null)),
    }));
  });
}

/** Who changed it and when, as the refusal says, unless the value is newer than that. */
function otherIn(row: Change, { serverState }: ChangeRowSources): Other {
  const { by, at, version } = row.problem?.meta ?? {};
  const record = row.operations[0]?.record;
  const serverRecord = record === undefined ? null : serverState.serverRecord(record);
  const isNewer = typeof version === 'number' && (serverRecord?.meta.version ?? 0) > version;
  const current = row.problem?.meta?.current as Partial<Record<string, FieldValues>> | undefined;
  const isSince =
    isNewer &&
    Object.entries(current?.attributes ?? {}).some(([name, value]) => {
      const field = fieldOfWire(serverRecord?.type ?? 'project', name);
      return (
        field !== null && serverRecord !== null && !isSame(valueOf(serverRecord, field), value)
      );
    });
  if (isSince) return { by: null, at: textOrNull(serverRecord?.attributes.dateUpdated) };
  return { by: nameIn(by, serverState), at: textOrNull(at) };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The name of the person in a refusal: as it states it, or as this device knows them. */
function nameIn(by: unknown, serverState: ServerState): string | null {
  if (typeof by !== 'object' || by === null) return null;
  const { id, name } = by as Partial<Record<'id' | 'name', unknown>>;
  if (typeof name === 'string') return name;
  const user = typeof id === 'string' ? serverState.serverRecord({ type: 'user', id }) : null;
  return user === null ? null : displayNameOf(user.attributes as unknown as Of<'user'>);
}

function typedIn({ operations }: Change): FieldValues {
  return Object.assign({}, ...operations.map(statedBy)) as FieldValues;
}

function statedBy(operation: StoreOperation): FieldValues {
  if (operation.op !== 'addRecord') return valuesWrittenBy(operation);
  const stated = stateableOf(operation.record);
  return Object.fromEntries(fieldsOf(stated).map((field) => [field, valueOf(stated, field)]));
}

function basisOf({ basedOn }: Change, { serverState }: ChangeRowSources): ChangeRow['basis'] {
  if (basedOn === null) return [];
  const serverRecord = serverState.serverRecord(basedOn.record);
  return Object.entries(basedOn.values).map(([field, then]) => ({
    field,
    then,
    now: serverRecord === null ? null : (valueOf(serverRecord, field) ?? null),
  }));
}

/** The change that must be decided before `row`, which it holds, perhaps through others. */
function holderOf(row: Change, sources: ChangeRowSources): Change | null {
  if (row.state !== 'held') return null;
  for (const seq of row.dependsOn) {
    const before = sources.outbox.rows.at(seq);
    if (before === null || !needsPerson(before)) continue;
    return before.state === 'held' ? (holderOf(before, sources) ?? before) : before;
  }
  return null;
}

function lostParentOf(row: Change, sources: ChangeRowSources): ChangeRow['lostParent'] {
  const { serverState } = sources;
  const said = row.problem?.code === 'gone' ? row.problem.meta : undefined;
  const { type: name, id } = (said?.ref ?? {}) as Partial<Record<'type' | 'id', unknown>>;
  const type = typeof name === 'string' ? typeOfWire(name) : null;
  // fault 25
  if (type !== null && typeof id === 'string')
    return { type, id, by: nameIn(said?.by, serverState) };
  const holder = holderOf(row, sources);
  const held = holder === null ? null : lostParentOf(holder, sources);
  if (held !== null) return held;
  const lost = row.operations.flatMap(parentsIn).find((parent) => serverState.wasRemoved(parent));
  return lost === undefined ? null : { type: lost.type, id: lost.id, by: null };
}

/** The record that an operation edits, or those above the one it makes. */
function parentsIn(operation: StoreOperation): ChangeTarget[] {
  if (operation.op !== 'addRecord') return [operation.record];
  const { type, relationships } = operation.record;
  return resourceOf(type).below.flatMap((field) => relationships[field]?.data ?? []);
}
