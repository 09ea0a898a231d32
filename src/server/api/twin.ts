import { wireTypeOf } from '#protocol/names.ts';
import { ProblemError } from '#protocol/problem.ts';
import { mayRead } from '#rules/access.ts';
import { usesOf } from '#rules/in-use.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import { settle } from '../database/settle.ts';
import type { Act } from './act.ts';

/** A new record neither takes an id that is in use nor repeats what may exist once (wire 6.1). */
export async function refuseTwin(act: Act, type: TypeName, record: AnyRecord): Promise<void> {
  const taken = await act.write.one(type, record.id);
  if (taken !== null) throw await twin(act, 'id-taken', type, taken);
  const { unique } = resourceOf(type);
  if (unique === null) return;
  const where = Object.fromEntries(unique.map((field) => [field, record[field]]));
  const [existing] = await act.write.all(type, where);
  if (existing !== undefined) throw await twin(act, 'already-exists', type, existing);
}

async function twin(
  act: Act,
  code: 'id-taken' | 'already-exists',
  type: TypeName,
  existing: AnyRecord,
): Promise<ProblemError> {
  const isSeen = await settle(act.write, (find) =>
    mayRead(act.viewer, type, existing as Of<TypeName>, find),
  );
  const named = isSeen ? { meta: { existing: { type: wireTypeOf(type), id: existing.id } } } : {};
  return new ProblemError({ code, ...named });
}

/** Nothing is removed that others need (domain 2.7). */
export async function refuseInUse(act: Act, type: TypeName, record: AnyRecord): Promise<void> {
  const uses = await settle(act.write, (find) => usesOf(type, record as Of<TypeName>, find));
  if (uses === null) return;
  const by = Object.entries(uses).map(([user, count]) => [wireTypeOf(user as TypeName), count]);
  throw new ProblemError({ code: 'in-use', meta: { by: Object.fromEntries(by) as unknown } });
}
