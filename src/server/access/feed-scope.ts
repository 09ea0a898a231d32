import { access } from '#rules/access.ts';
import { alternativesOf, at, everyone, member, some, superAdmin } from '#rules/scope.ts';
import type { Scope } from '#rules/scope.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';

/** Returns who has records of `type` in their feed by an organization (wire 9.1): its members. */
export function belongingScope(type: TypeName): Scope {
  const { belongsTo } = resourceOf(type);
  return belongsTo === null
    ? everyone
    : memberAt(type, belongsTo === '' ? [] : belongsTo.split('.'));
}

function memberAt(type: TypeName, [step, ...rest]: readonly string[]): Scope {
  if (step === undefined) return member('');
  const field = resourceOf(type).fields[step];
  if (field?.is === 'many') {
    const of = field.of as TypeName;
    return some(of, field.inverse, memberAt(of, rest));
  }
  if (field?.is !== 'one' || rest.length === 0) return member(step);
  return at(step, memberAt(field.to as TypeName, rest));
}

/**
 * Returns the field that names the person in whose feed a record of `type` is, whatever its
 * organization: the record is that person or goes with them, and they see it as themselves. Null:
 * there is none.
 */
export function ownFieldOf(type: TypeName): string | null {
  const { below } = resourceOf(type);
  for (const scope of alternativesOf(access[type].read))
    if (scope.is === 'within' && scope.set === 'self')
      if (scope.field === 'id' || below.includes(scope.field)) return scope.field;
  return null;
}

/**
 * Returns who sees records of `type` that they have in their feed. When everyone does who can have
 * one there, nothing else has to be known of it.
 */
export function feedScope(type: TypeName): Scope {
  const { read } = access[type];
  const alternatives = new Set(alternativesOf(read).map((scope) => JSON.stringify(scope)));
  const isOpen = [superAdmin, belongingScope(type)].every((scope) =>
    alternatives.has(JSON.stringify(scope)),
  );
  return isOpen ? everyone : read;
}
