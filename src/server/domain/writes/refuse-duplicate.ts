import { wireTypeOf } from '#protocol/names.ts';
import { ProblemError } from '#protocol/problem.ts';
import { mayRead } from '#rules/access.ts';
import { usesOf } from '#rules/undo/in-use.ts';
import type { Uses } from '#rules/undo/in-use.ts';
import { builtUpon, refusesUndo } from '#rules/undo/undo.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import { createdBy } from '../../feed/write-feed.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import type { ChangeContext } from './change-context.ts';

/** Refuses a new record whose id is in use, or that repeats what may exist only once (wire 6.1). */
export async function refuseDuplicate(
  context: ChangeContext,
  type: TypeName,
  record: AnyRecord,
): Promise<void> {
  const taken = await context.write.one(type, record.id);
  if (taken !== null) throw await duplicateProblem(context, 'id-taken', type, taken);
  const { unique } = resourceOf(type);
  if (unique === null) return;
  const where = Object.fromEntries(unique.map((field) => [field, record[field]]));
  const [existing] = await context.write.all(type, where);
  if (existing !== undefined)
    throw await duplicateProblem(context, 'already-exists', type, existing);
}

async function duplicateProblem(
  context: ChangeContext,
  code: 'id-taken' | 'already-exists',
  type: TypeName,
  existing: AnyRecord,
): Promise<ProblemError> {
  const isVisible = await evaluateRule(context.write, (find) =>
    mayRead(context.viewer, type, existing as Of<TypeName>, find),
  );
  const named = isVisible
    ? { meta: { existing: { type: wireTypeOf(type), id: existing.id } } }
    : {};
  return new ProblemError({ code, ...named });
}

/** Refuses to remove what others need (domain 2.7). */
export async function refuseInUse(
  context: ChangeContext,
  type: TypeName,
  record: AnyRecord,
): Promise<void> {
  const uses = await evaluateRule(context.write, (find) =>
    usesOf(type, record as Of<TypeName>, find),
  );
  if (uses !== null) throw inUse(uses);
}

/**
 * *Undo* removes only what nothing was built on; the device may not know of that yet (wire 8.1).
 */
export async function refuseBuiltUpon(
  context: ChangeContext,
  type: TypeName,
  record: AnyRecord,
): Promise<void> {
  const built = await evaluateRule(context.write, (find) =>
    builtUpon(type, record as Of<TypeName>, find),
  );
  const { children } = built;
  const own = new Set(
    children.length === 0 ? [] : await createdBy(context.write, context.viewer.id, children),
  );
  const uses = refusesUndo(built, ({ id }) => own.has(id));
  if (uses !== null) throw inUse(uses);
}

function inUse(uses: Uses): ProblemError {
  const by = Object.entries(uses).map(([user, count]) => [wireTypeOf(user as TypeName), count]);
  return new ProblemError({ code: 'in-use', meta: { by: Object.fromEntries(by) as unknown } });
}
