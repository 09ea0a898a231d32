import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Attribute } from '#schema/define.ts';
import { fieldCalled, stampCalled } from '../../../domain/writes/document.ts';
import type { Path } from '../../../access/query/query.ts';

const UNCOMPARED = new Set(['text', 'json', 'list', 'map']);

/** Returns true when lists can be filtered and sorted by it (wire 5.1). */
function isComparable(attribute: Attribute): boolean {
  return !UNCOMPARED.has(attribute.kind) && !attribute.isWriteOnly;
}

/**
 * Returns the meaning of `name` in a filter of `type`: an attribute, a to-one, or an attribute
 * behind one.
 */
export function filterPath(type: TypeName, name: string): Path | null {
  return attributePath(type, name) ?? toOnePath(type, name);
}

/** Returns the meaning of `name` in a sort: an attribute, or one behind a to-one. */
export function attributePath(type: TypeName, name: string): Path | null {
  const dot = name.indexOf('.');
  if (dot < 0) return ownAttribute(type, name, null);
  const toOne = fieldCalled(type, name.slice(0, dot));
  if (toOne?.field.is !== 'one') return null;
  return ownAttribute(toOne.field.to as TypeName, name.slice(dot + 1), toOne.name);
}

function ownAttribute(type: TypeName, name: string, via: string | null): Path | null {
  const stamp = stampCalled(name);
  if (stamp !== null) return { via, type, field: stamp, kind: 'instant', choices: null };
  const found = fieldCalled(type, name);
  if (found?.field.is !== 'attribute' || !isComparable(found.field)) return null;
  return { via, type, field: found.name, kind: found.field.kind, choices: found.field.choices };
}

function toOnePath(type: TypeName, name: string): Path | null {
  const found = fieldCalled(type, name) ?? fieldCalled(type, name.replace(/-id$/, ''));
  if (found?.field.is !== 'one' || !Object.hasOwn(resourceOf(type).fields, found.name)) return null;
  return { via: null, type, field: found.name, kind: 'one', choices: null };
}
