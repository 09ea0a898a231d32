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
  context: ChangeContext,
  operation: ParsedOperation,
): Promise<OperationResult> {
  switch (operation.op) {
    case 'add':
      return add(context, operation);
    case 'update':
      return update(context, operation);
    case 'remove':
      return remove(context, operation);
    case 'link':
      return link(context, operation);
    case 'get':
      return get(context, operation);
  }
}

type OperationOf<Op extends ParsedOperation['op']> = Extract<ParsedOperation, { op: Op }>;

// find --------------------------------------------------------------------------------------------

/**
 * Finds the record as it is, with nothing hidden. @throws ProblemError 404, or 410 for a caller who
 * could see it
 */
async function find(context: ChangeContext, type: TypeName, id: string): Promise<AnyRecord> {
  const record = await context.write.one(type, id);
  if (record === null) throw await goneOrNotFound(context.write, context.viewer, type, id);
  const isVisible = await evaluateRule(context.write, (find) =>
    mayRead(context.viewer, type, record, find),
  );
  if (!isVisible) throw new ProblemError({ code: 'not-found' });
  return record;
}

// do ----------------------------------------------------------------------------------------------

async function add(
  context: ChangeContext,
  operation: OperationOf<'add'>,
): Promise<OperationResult> {
  const { type, stated } = operation;
  const id = operation.id ?? newId(context.services.clock, context.services.random);
  const effects = effectsOf(type);
  const sentFields = normalised(type, stated.fields, context.at);
  const fields =
    (await effects.complete?.(context, { id, fields: sentFields, stated })) ?? sentFields;
  const record = await completed(context, type, id, fields);
  const problems = async () => [
    ...stated.problems,
    ...(await brokenRules(context, type, null, record, fields, stated)),
  ];
  // The checks of the server would reveal things that the caller may not see.
  if (await lacksAnOrigin(context, type, fields, stated.fields)) refuse(await problems());

  await allowAdd(context, type, record, stated);
  const checked = { before: null, after: record, fields, stated };
  refuse([...(await problems()), ...((await effects.check?.(context, checked)) ?? [])]);
  if (effects.instead !== undefined) {
    const data = await effects.instead(context, record);
    return { ...operationResult(201, type, id), data };
  }
  await refuseDuplicate(context, type, record);
  await effects.ready?.(context, record);
  await context.write.insert(type, stored(type, record) as never);
  await effects.created?.(context, record, fields);
  return operationResult(201, type, id);
}

async function update(
  context: ChangeContext,
  operation: UpdateOperation,
): Promise<OperationResult> {
  const { type, id, stated, base, relationship, isUndo } = operation;
  const before = await find(context, type, id);
  await allowUpdate(context, type, before);

  const effects = effectsOf(type);
  const fields = changedFields(type, before, normalised(type, stated.fields, context.at));
  const { fixed, free } = splitByWrite(type, fields);
  const after = { ...before, ...free } as AnyRecord;
  await allowFields(context, type, before, after, Object.keys(free), stated);
  await allowMembers(context, type, id, stated);

  refuseOtherVersion(operation.match, before);
  if (base !== null) await refuseConflict(context, type, before, fields, stated, base);
  if (isUndo && typeof free.dateArchived === 'string') await refuseBuiltUpon(context, type, before);

  refuse([
    ...stated.problems,
    ...fixed.map((field) => invalid(stated.pointers[field] ?? '', 'immutable')),
    ...(await brokenRules(context, type, before, after, free, stated)),
    ...((await effects.check?.(context, { before, after, fields: free, stated })) ?? []),
  ]);
  if (Object.keys(free).length > 0) {
    await effects.changing?.(context, before, after, free);
    await context.write.change(type, id, stored(type, { ...free }));
    await effects.changed?.(context, before, after, free);
  }
  return { ...operationResult(200, type, id), relationship };
}

async function remove(
  context: ChangeContext,
  { type, id, match, isUndo }: OperationOf<'remove'>,
): Promise<OperationResult> {
  const record = await find(context, type, id).catch((error: unknown) => {
    if (error instanceof ProblemError && error.problem.code === 'gone') return null;
    throw error;
  });
  if (record === null) return operationResult(204, type, id);
  const may = await evaluateRule(context.write, (find) =>
    mayRemove(context.viewer, type, record as Of<TypeName>, find),
  );
  if (!may) throw forbidden();
  refuseOtherVersion(match, record);
  // fault 46
  if (isUndo) await refuseBuiltUpon(context, type, record);
  await effectsOf(type).removing?.(context, record);
  await refuseInUse(context, type, record);
  await context.write.remove(type, id);
  return operationResult(204, type, id);
}

/** Members of a to-many are written one by one, each under the rules of its own to-one. */
async function link(
  context: ChangeContext,
  operation: RelationshipOperation,
): Promise<OperationResult> {
  const { type, id, relationship, of, inverse, how, ids } = operation;
  await find(context, type, id);
  const present = await membersOf(context, type, id, relationship);
  refuseLinkBase(operation, present);

  const come = how === 'remove' ? [] : ids.filter((one) => !present.includes(one));
  const go = how === 'add' ? [] : present.filter((one) => ids.includes(one) === (how === 'remove'));
  const field = resourceOf(of).fields[inverse];
  const isFixed = field?.is !== 'one' || field.write === 'server' || field.write === 'create';
  for (const member of come)
    await requireVisible(context, of, member, `/data/${String(ids.indexOf(member))}`);
  if (isFixed && come.length + go.length > 0) throw forbidden('/data');
  if (go.length > 0 && field?.is === 'one' && field.mustHave) throw forbidden('/data');

  for (const member of come) await update(context, linkUpdate(of, member, inverse, id));
  for (const member of go) await update(context, linkUpdate(of, member, inverse, null));
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

async function requireVisible(
  context: ChangeContext,
  type: TypeName,
  id: string,
  pointer: string,
): Promise<void> {
  try {
    await find(context, type, id);
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
  context: ChangeContext,
  { type, id, relationship }: OperationOf<'get'>,
): Promise<OperationResult> {
  await find(context, type, id);
  const shows = relationship === null ? 'record' : 'linkage';
  return { ...operationResult(200, type, id), shows, relationship };
}

/**
 * Returns the fields whose value differs from the present one; nobody can compare a write-only
 * field.
 */
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
  /** These fields can only be set at creation. */
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

/** Returns what the table stores: no secret, and nothing that the database sets. */
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
