import { wireFieldOf } from '#protocol/names.ts';
import { invalid } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { mayRead } from '#rules/access.ts';
import { newRecord } from '#rules/record/defaults.ts';
import { normalise } from '#rules/valid/index.ts';
import { validateWhole } from '#rules/valid/whole.ts';
import { brokenValue } from '#rules/valid/value.ts';
import { attributesOf, resourceOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import type { ChangeContext } from './change-context.ts';
import type { Stated } from './document.ts';
import type { RecordFields } from '../effects/effects.ts';

export { normalise as normalised };

/** Completes a new record: each field has the stated value, else the one that the server sets. */
export function completed(
  { write, viewer, at }: ChangeContext,
  type: TypeName,
  id: string,
  fields: RecordFields,
): Promise<AnyRecord> {
  const known = withoutMistyped(type, fields) as Partial<Of<TypeName>>;
  return evaluateRule(
    write,
    (find) => newRecord(type, known, { viewer, find, at, id }) as AnyRecord,
  );
}

/** Returns every rule that the written fields break (wire 6.2), with pointers into the document. */
export async function brokenRules(
  { write, viewer, at }: ChangeContext,
  type: TypeName,
  before: AnyRecord | null,
  after: AnyRecord,
  fields: RecordFields,
  stated: Stated,
): Promise<readonly Problem[]> {
  const mistyped = new Set(mistypedIn(type, fields));
  const sound = { ...after, ...nulled(mistyped) } as Of<TypeName>;
  const written = Object.keys(fields).filter((name) => !mistyped.has(name));
  const found = await evaluateRule(write, (find) =>
    validateWhole(
      type,
      { viewer, find, at, before: before as Of<TypeName> | null, after: sound, written },
      mayRead,
    ),
  );
  return [
    ...[...mistyped].map((name) => invalid(pointerOf(type, name, stated), 'type')),
    ...found
      .filter(({ field }) => !mistyped.has(field))
      // The caller need not see a person whom the server itself has named, by their email.
      .filter(({ field, rule }) => rule !== 'reference' || Object.hasOwn(stated.fields, field))
      .map(({ field, rule, meta }) => invalid(pointerOf(type, field, stated), rule, meta)),
  ];
}

/** Returns the pointer to where a field is stated, or would be. */
export function pointerOf(type: TypeName, name: string, stated: Stated): string {
  const member = resourceOf(type).fields[name]?.is === 'attribute' ? 'attributes' : 'relationships';
  return stated.pointers[name] ?? `/data/${member}/${wireFieldOf(type, name)}`;
}

/** Returns the attributes whose value has another JSON type than theirs; no rule could judge it. */
function mistypedIn(type: TypeName, fields: RecordFields): readonly string[] {
  return attributesOf(type).flatMap(([name, attribute]) => {
    const value = fields[name];
    if (value === undefined || value === null) return [];
    return brokenValue(name, attribute, value)?.rule === 'type' ? [name] : [];
  });
}

function withoutMistyped(type: TypeName, fields: RecordFields): RecordFields {
  const mistyped = new Set(mistypedIn(type, fields));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !mistyped.has(name)));
}

const nulled = (names: ReadonlySet<string>) =>
  Object.fromEntries([...names].map((name) => [name, null]));
