import { newId } from '#base/id.ts';
import { wireFieldOf } from '#protocol/names.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import { mayRead, mayRemove } from '#rules/access.ts';
import { isSameField, isSameSet } from '#rules/record/equal.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import type { ChangeContext, OperationResult } from './change-context.ts';
import { operationResult } from './change-context.ts';
import {
  allowAdd,
  allowFields,
  allowMembers,
  allowUpdate,
  forbidden,
  membersOf,
  refuseOtherVersion,
} from './allow.ts';
import { refuseConflict } from './base.ts';
import { brokenRules, completed, normalised } from './check.ts';
import { refuse } from './document.ts';
import { effectsOf } from '../effects/effects-of.ts';
import { goneOrNotFound } from './gone.ts';
import type {
  ParsedOperation,
  RelationshipOperation,
  UpdateOperation,
} from './parsed-operation.ts';
import { lacksAnOrigin } from './origin.ts';
import { refuseBuiltUpon, refuseInUse, refuseDuplicate } from './refuse-duplicate.ts';

/**
 * Every request on the server is five calls: parse, find, allow, do, present. Parsing comes
 * before the transaction and presenting after it; here are the three in between, in the order
 * in which wire 6.3 lets them refuse. Nothing else writes resource tables for a caller.
 */
export function performOperation(
  act: ChangeContext,
  intention: ParsedOperation,
): Promise<OperationResult> {
  switch (intention.op) {
    case 'add':
      return add(act, intention);
    case 'update':
      return update(act, intention);
    case 'remove':
      return remove(act, intention);
    case 'link':
      return link(act, intention);
    case 'get':
      return get(act, intention);
  }
}

type OperationOf<Op extends ParsedOperation['op']> = Extract<ParsedOperation, { op: Op }>;

// find --------------------------------------------------------------------------------------------

/** The record as it is, nothing hidden. @throws ProblemError 404, or 410 to who could see it. */
async function find(act: ChangeContext, type: TypeName, id: string): Promise<AnyRecord> {
  const record = await act.write.one(type, id);
  if (record === null) throw await goneOrNotFound(act.write, act.viewer, type, id);
  const isSeen = await evaluateRule(act.write, (find) => mayRead(act.viewer, type, record, find));
  if (!isSeen) throw new ProblemError({ code: 'not-found' });
  return record;
}

// do ----------------------------------------------------------------------------------------------

async function add(act: ChangeContext, intention: OperationOf<'add'>): Promise<OperationResult> {
  const { type, stated } = intention;
  const id = intention.id ?? newId(act.services.clock, act.services.random);
  const effects = effectsOf(type);
  const given = normalised(type, stated.fields, act.at);
  const fields = (await effects.complete?.(act, { id, fields: given, stated })) ?? given;
  const record = await completed(act, type, id, fields);
  const problems = async () => [
    ...stated.problems,
    ...(await brokenRules(act, type, null, record, fields, stated)),
  ];
  // Of what the caller does not see, the server's own checks would tell.
  if (await lacksAnOrigin(act, type, fields, stated.fields)) refuse(await problems());

  await allowAdd(act, type, record, stated);
  const checked = { before: null, after: record, fields, stated };
  refuse([...(await problems()), ...((await effects.check?.(act, checked)) ?? [])]);
  if (effects.instead !== undefined) {
    const data = await effects.instead(act, record);
    return { ...operationResult(201, type, id), data };
  }
  await refuseDuplicate(act, type, record);
  await effects.ready?.(act, record);
  await act.write.insert(type, stored(type, record) as never);
  await effects.created?.(act, record, fields);
  return operationResult(201, type, id);
}

async function update(act: ChangeContext, intention: UpdateOperation): Promise<OperationResult> {
  const { type, id, stated, base, relationship, isUndo } = intention;
  const before = await find(act, type, id);
  await allowUpdate(act, type, before);

  const effects = effectsOf(type);
  const fields = changedFields(type, before, normalised(type, stated.fields, act.at));
  const { fixed, free } = splitByWrite(type, fields);
  const after = { ...before, ...free } as AnyRecord;
  await allowFields(act, type, before, after, Object.keys(free), stated);
  await allowMembers(act, type, id, stated);

  refuseOtherVersion(intention.match, before);
  if (base !== null) await refuseConflict(act, type, before, fields, stated, base);
  if (isUndo && typeof free.dateArchived === 'string') await refuseBuiltUpon(act, type, before);

  refuse([
    ...stated.problems,
    ...fixed.map((field) => invalid(stated.pointers[field] ?? '', 'immutable')),
    ...(await brokenRules(act, type, before, after, free, stated)),
    ...((await effects.check?.(act, { before, after, fields: free, stated })) ?? []),
  ]);
  if (Object.keys(free).length > 0) {
    await effects.changing?.(act, before, after, free);
    await act.write.change(type, id, stored(type, { ...free }));
    await effects.changed?.(act, before, after, free);
  }
  return { ...operationResult(200, type, id), relationship };
}

async function remove(
  act: ChangeContext,
  { type, id, match, isUndo }: OperationOf<'remove'>,
): Promise<OperationResult> {
  const record = await find(act, type, id).catch((error: unknown) => {
    if (error instanceof ProblemError && error.problem.code === 'gone') return null;
    throw error;
  });
  if (record === null) return operationResult(204, type, id);
  const may = await evaluateRule(act.write, (find) =>
    mayRemove(act.viewer, type, record as Of<TypeName>, find),
  );
  if (!may) throw forbidden();
  refuseOtherVersion(match, record);
  // fault 46
  if (isUndo) await refuseBuiltUpon(act, type, record);
  await effectsOf(type).removing?.(act, record);
  await refuseInUse(act, type, record);
  await act.write.remove(type, id);
  return operationResult(204, type, id);
}

/** Members of a to-many are written one by one, each under the rules of its own to-one. */
async function link(
  act: ChangeContext,
  intention: RelationshipOperation,
): Promise<OperationResult> {
  const { type, id, relationship, of, inverse, how, ids } = intention;
  await find(act, type, id);
  const present = await membersOf(act, type, id, relationship);
  refuseLinkBase(intention, present);

  const come = how === 'remove' ? [] : ids.filter((one) => !present.includes(one));
  const go = how === 'add' ? [] : present.filter((one) => ids.includes(one) === (how === 'remove'));
  const field = resourceOf(of).fields[inverse];
  const isFixed = field?.is !== 'one' || field.write === 'server' || field.write === 'create';
  for (const member of come)
    await requireSeen(act, of, member, `/data/${String(ids.indexOf(member))}`);
  if (isFixed && come.length + go.length > 0) throw forbidden('/data');
  if (go.length > 0 && field?.is === 'one' && field.mustHave) throw forbidden('/data');

  for (const member of come) await update(act, linkUpdate(of, member, inverse, id));
  for (const member of go) await update(act, linkUpdate(of, member, inverse, null));
  return { ...operationResult(200, type, id), relationship };
}

function linkUpdate(
  type: TypeName,
  id: string,
  field: string,
  value: string | null,
): UpdateOperation {
  const stated = {
    fields: { [field]: value },
    pointers: { [field]: '/data' },
    manys: {},
    problems: [],
  };
  return {
    ...{ op: 'update', type, id, stated, base: null, relationship: null, match: null },
    isUndo: false,
  };
}

async function requireSeen(
  act: ChangeContext,
  type: TypeName,
  id: string,
  pointer: string,
): Promise<void> {
  try {
    await find(act, type, id);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new ProblemError(invalid(pointer, 'reference'));
  }
}

function refuseLinkBase(
  { how, ids, base, relationship, type }: RelationshipOperation,
  present: readonly string[],
) {
  if (how !== 'update' || base === null) return;
  if (isSameSet(base, present) || isSameSet(ids, present)) return;
  throw new ProblemError({
    code: 'changed-elsewhere',
    source: { pointer: '/data' },
    meta: { fields: [wireFieldOf(type, relationship)], current: {}, by: null, at: null },
  });
}

async function get(
  act: ChangeContext,
  { type, id, relationship }: OperationOf<'get'>,
): Promise<OperationResult> {
  await find(act, type, id);
  const shows = relationship === null ? 'record' : 'linkage';
  return { ...operationResult(200, type, id), shows, relationship };
}

/** Fields whose value is another than the present one; of a write-only field nobody can tell. */
function changedFields(
  type: TypeName,
  before: AnyRecord,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { fields: declared } = resourceOf(type);
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const field = declared[name];
      if (field?.is === 'attribute' && field.isWriteOnly) {
        return field.write !== 'create' || value !== null;
      }
      return !isSameField(type, name, before[name], value);
    }),
  );
}

interface Split {
  /** Set at creation only. */
  readonly fixed: readonly string[];
  readonly free: Readonly<Record<string, unknown>>;
}

function splitByWrite(type: TypeName, fields: Readonly<Record<string, unknown>>): Split {
  const isFixed = (name: string) => {
    const field = resourceOf(type).fields[name];
    return field !== undefined && field.is !== 'many' && field.write === 'create';
  };
  const entries = Object.entries(fields);
  return {
    fixed: entries.flatMap(([name]) => (isFixed(name) ? [name] : [])),
    free: Object.fromEntries(entries.filter(([name]) => !isFixed(name))),
  };
}

/** What the table keeps: no secret, nothing that the database sets. */
function stored(type: TypeName, record: Readonly<Record<string, unknown>>) {
  const { fields } = resourceOf(type);
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => {
      if (name === 'id') return true;
      const field = fields[name];
      return field !== undefined && !(field.is === 'attribute' && field.isWriteOnly);
    }),
  );
}
