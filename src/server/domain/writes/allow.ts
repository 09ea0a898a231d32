import { ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { mayCreate, mayRead, mayReadField, mayUpdate, mayWriteField } from '#rules/access.ts';
import { isSameSet } from '#rules/record/equal.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import type { ChangeContext } from './change-context.ts';
import { refuse } from './document.ts';
import type { Stated } from './document.ts';
import type { Match } from './parsed-operation.ts';

/** Permissions are checked for the record first, and then for its fields (wire 6.3). */

export function forbidden(pointer?: string): ProblemError {
  return new ProblemError(forbiddenProblem(pointer));
}

function forbiddenProblem(pointer?: string): Problem {
  return { code: 'forbidden', ...(pointer === undefined ? {} : { source: { pointer } }) };
}

export async function allowAdd(
  context: ChangeContext,
  type: TypeName,
  record: AnyRecord,
  stated: Stated,
) {
  const mayAdd = await evaluateRule(context.write, (find) =>
    mayCreate(context.viewer, type, record as Of<TypeName>, find),
  );
  if (!mayAdd) throw forbidden();
  await allowFields(context, type, null, record, Object.keys(stated.fields), stated);
  // A new record has no members yet.
  const claimed = Object.entries(stated.manys).find(([, ids]) => ids.length > 0);
  if (claimed !== undefined) throw forbidden(stated.pointers[claimed[0]]);
}

export async function allowUpdate(context: ChangeContext, type: TypeName, before: AnyRecord) {
  const may = await evaluateRule(context.write, (find) =>
    mayUpdate(context.viewer, type, before as Of<TypeName>, find),
  );
  if (!may) throw forbidden();
}

export async function allowFields(
  context: ChangeContext,
  type: TypeName,
  before: AnyRecord | null,
  after: AnyRecord,
  fields: readonly string[],
  stated: Stated,
): Promise<void> {
  const refused: Problem[] = [];
  for (const field of fields) {
    const may = await evaluateRule(context.write, (find) =>
      mayWriteField(
        context.viewer,
        type,
        field,
        before as Of<TypeName> | null,
        after as Of<TypeName>,
        find,
      ),
    );
    if (!may) refused.push(forbiddenProblem(stated.pointers[field]));
  }
  refuse(refused);
}

/** Refuses to-many linkage that states anything else than what is so already. */
export async function allowMembers(
  context: ChangeContext,
  type: TypeName,
  id: string,
  stated: Stated,
): Promise<void> {
  for (const [field, ids] of Object.entries(stated.manys)) {
    if (!isSameSet(ids, await membersOf(context, type, id, field))) {
      throw forbidden(stated.pointers[field]);
    }
  }
}

export function refuseOtherVersion(match: Match | null, { version }: AnyRecord): void {
  if (match !== null && !match(version)) throw new ProblemError({ code: 'precondition-failed' });
}

/** Returns the members of a to-many that the caller sees, and of which they see that they are. */
export async function membersOf(
  context: ChangeContext,
  type: TypeName,
  id: string,
  field: string,
): Promise<string[]> {
  const many = resourceOf(type).fields[field];
  if (many?.is !== 'many') return [];
  const of = many.of as TypeName;
  const all = await context.write.all(of, { [many.inverse]: id });
  const visible = await evaluateRule(context.write, (find) =>
    all.filter(
      (record) =>
        mayRead(context.viewer, of, record, find) &&
        mayReadField(context.viewer, of, many.inverse, record, find),
    ),
  );
  return visible.map((record) => record.id);
}
