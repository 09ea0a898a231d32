import { ProblemError } from '#protocol/problem.ts';
import { mayRead } from '#rules/access.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import type { ChangeContext } from './change-context.ts';
import type { RecordFields } from '../effects/effects.ts';
import { goneProblem } from './gone.ts';

/** To-ones without which nobody can say who may create the record: its organization and parents. */
function originsOf(type: TypeName): readonly string[] {
  const { below, belongsTo } = resourceOf(type);
  const [first] = (belongsTo ?? '').split('.');
  return [...new Set([...below, ...(first === undefined || first === '' ? [] : [first])])];
}

/**
 * Whether a new record misses something that it stands below, or names there what the caller does
 * not see. Then there is no telling whether they may create it, and validation answers.
 *
 * @throws ProblemError 410 `gone` when it was removed and the caller could see it
 */
export async function lacksAnOrigin(
  act: ChangeContext,
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
    else if (Object.hasOwn(stated, name) && !(await isVisible(act, field.to as TypeName, id))) {
      const gone = await goneProblem(act.write, act.viewer, field.to as TypeName, id);
      if (gone !== null) throw new ProblemError(gone);
      isLacking = true;
    }
  }
  return isLacking;
}

/** Whether there is such a record and the caller sees it. */
export async function isVisible(act: ChangeContext, type: TypeName, id: string): Promise<boolean> {
  const record = await act.write.one(type, id);
  if (record === null) return false;
  return evaluateRule(act.write, (find) => mayRead(act.viewer, type, record, find));
}
