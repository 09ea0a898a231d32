import { wireFieldOf } from '#protocol/names.ts';
import { ProblemError } from '#protocol/problem.ts';
import { isSameField } from '#rules/record/equal.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import { displayNameOf } from '#rules/record/display.ts';
import type { ChangeContext } from './change-context.ts';
import type { Stated } from './document.ts';
import { identifier, presentRecord } from '#protocol/present.ts';
import { readVisibleById } from '../../access/read-visible.ts';

/**
 * Refuses a change that was made without knowing the present value (wire 7.4): a field conflicts
 * when the change alters it and its base is not the value that is there now.
 *
 * @throws ProblemError 409 `changed-elsewhere`, once for the whole change
 */
export async function refuseConflict(
  context: ChangeContext,
  type: TypeName,
  before: AnyRecord,
  fields: Readonly<Record<string, unknown>>,
  stated: Stated,
  base: Stated,
): Promise<void> {
  const inConflict = Object.keys(fields).filter(
    (field) => Object.hasOwn(base.fields, field) && differs(type, field, before, base),
  );
  const [first] = inConflict;
  if (first === undefined) return;

  const visible = await readVisibleById(context.write, context.viewer, type, before.id);
  const current = presentRecord(type, visible ?? before, {}, new Set(inConflict));
  throw new ProblemError({
    code: 'changed-elsewhere',
    source: { pointer: stated.pointers[first] ?? '' },
    meta: {
      fields: inConflict.map((field) => wireFieldOf(type, field)),
      current: { attributes: current.attributes, relationships: current.relationships },
      ...(await lastChange(context, type, before, inConflict)),
      version: before.version,
    },
  });
}

function differs(type: TypeName, name: string, before: AnyRecord, base: Stated): boolean {
  const field = resourceOf(type).fields[name];
  if (field?.is === 'attribute' && field.isWriteOnly) return false;
  return !isSameField(type, name, before[name], base.fields[name]);
}

/** Returns who changed one of `fields` last, and when, as far as the feed still knows. */
async function lastChange(
  { write, viewer }: ChangeContext,
  type: TypeName,
  record: AnyRecord,
  fields: readonly string[],
): Promise<{ by: unknown; at: string | null }> {
  const last = await write.lastChange(type, record.id, fields);
  if (last === null) return { by: null, at: (record.dateUpdated as string | null) ?? null };
  if (last.by === null) return { by: null, at: last.at };
  const person = await readVisibleById(write, viewer, 'user', last.by);
  const name = person === null ? null : displayNameOf(person as never);
  return { by: { ...identifier('user', last.by), name }, at: last.at };
}
