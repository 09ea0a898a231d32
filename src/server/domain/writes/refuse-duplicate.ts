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

/** A new record neither takes an id that is in use nor repeats what may exist once (wire 6.1). */
export async function refuseDuplicate(
  act: ChangeContext,
  type: TypeName,
  record: AnyRecord,
): Promise<void> {
  const taken = await act.write.one(type, record.id);
  if (taken !== null) throw await duplicateProblem(act, 'id-taken', type, taken);
  const { unique } = resourceOf(type);
  if (unique === null) return;
  const where = Object.fromEntries(unique.map((field) => [field, record[field]]));
  const [existing] = await act.write.all(type, where);
  if (existing !== undefined) throw await duplicateProblem(act, 'already-exists', type, existing);
}

async function duplicateProblem(
  act: ChangeContext,
  code: 'id-taken' | 'already-exists',
  type: TypeName,
  existing: AnyRecord,
): Promise<ProblemError> {
  const isSeen = await evaluateRule(act.write, (find) =>
    mayRead(act.viewer, type, existing as Of<TypeName>, find),
  );
  const named = isSeen ? { meta: { existing: { type: wireTypeOf(type), id: existing.id } } } : {};
  return new ProblemError({ code, ...named });
}

/** Nothing is removed that others need (domain 2.7). */
export async function refuseInUse(
  act: ChangeContext,
  type: TypeName,
  record: AnyRecord,
): Promise<void> {
  const uses = await evaluateRule(act.write, (find) => usesOf(type, record as Of<TypeName>, find));
  if (uses !== null) throw inUse(uses);
}

/** *Undo* takes back only what nothing was built on; the device may not know of it yet (wire 8.1). */
export async function refuseBuiltUpon(
  act: ChangeContext,
  type: TypeName,
  record: AnyRecord,
): Promise<void> {
  const built = await evaluateRule(act.write, (find) =>
    builtUpon(type, record as Of<TypeName>, find),
  );
  const { children } = built;
  const own = new Set(
    children.length === 0 ? [] : await createdBy(act.write, act.viewer.id, children),
  );
  const uses = refusesUndo(built, ({ id }) => own.has(id));
  if (uses !== null) throw inUse(uses);
}

function inUse(uses: Uses): ProblemError {
  const by = Object.entries(uses).map(([user, count]) => [wireTypeOf(user as TypeName), count]);
  return new ProblemError({ code: 'in-use', meta: { by: Object.fromEntries(by) as unknown } });
}
