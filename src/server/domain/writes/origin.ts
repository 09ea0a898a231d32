import { ProblemError } from '#protocol/problem.ts';
import { mayRead } from '#rules/access.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import type { ChangeContext } from './change-context.ts';
import type { RecordFields } from '../effects/effects.ts';
import { goneProblem } from './gone.ts';

/** Returns the to-ones that decide who may create the record: its organization and its parents. */
function originsOf(type: TypeName): readonly string[] {
  const { below, belongsTo } = resourceOf(type);
  const [first] = (belongsTo ?? '').split('.');
  return [...new Set([...below, ...(first === undefined || first === '' ? [] : [first])])];
}

/**
 * Returns true when a new record lacks a record that it stands below, or names one there that the
 * caller does not see. Nobody can tell then whether the caller may create it, so validation
 * answers.
 *
 * @throws ProblemError 410 `gone` when it was removed and the caller could see it
 */
export async function lacksAnOrigin(
  context: ChangeContext,
  type: TypeName,
  fields: RecordFields,
  stated: RecordFields,
): Promise<boolean> {
  let isLacking = false;
  for (const name of originsOf(type)) {
    const field = resourceOf(type).fields[name];
    if (field?.is !== 'one') continue;
    const id = fields[name] ?? null;
    if (typeof id !== 'string') isLacking ||= field.mustHave;
    else if (Object.hasOwn(stated, name) && !(await isVisible(context, field.to as TypeName, id))) {
      const gone = await goneProblem(context.write, context.viewer, field.to as TypeName, id);
      if (gone !== null) throw new ProblemError(gone);
      isLacking = true;
    }
  }
  return isLacking;
}

/** Returns true when there is such a record and the caller sees it. */
export async function isVisible(
  context: ChangeContext,
  type: TypeName,
  id: string,
): Promise<boolean> {
  const record = await context.write.one(type, id);
  if (record === null) return false;
  return evaluateRule(context.write, (find) => mayRead(context.viewer, type, record, find));
}
