import { resourceOf, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';

/** `publicByDefault` → `public-by-default`. */
function dasherize(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `public-by-default` → `publicByDefault`. */
export function camelize(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `systemStatus` → `system-statuses`. */
export function wireTypeOf(type: TypeName): string {
  const name = dasherize(type);
  return name.endsWith('s') ? `${name}es` : `${name}s`;
}

const typesByWireName = new Map(typeNames.map((type) => [wireTypeOf(type), type]));

/** The type called `name` on the wire, or null. */
export function typeOfWire(name: string): TypeName | null {
  return typesByWireName.get(name) ?? null;
}

/** The one resource whose attributes keep the specification's spelling on the wire. */
const KEEPS_CAMEL_CASE: TypeName = 'organizationInviteRequest';

/** The one attribute whose name on the wire means something else in every record of ours. */
const RENAMED = { type: 'productBuild', field: 'buildVersion', wire: 'version' } as const;

/** The name of `field` of `type` in documents. */
export function wireFieldOf(type: TypeName, field: string): string {
  if (type === RENAMED.type && field === RENAMED.field) return RENAMED.wire;
  return type === KEEPS_CAMEL_CASE ? field : dasherize(field);
}

/** The field of `type` spelt `name` on the wire, or null when it has none. */
export function fieldOfWire(type: TypeName, name: string): string | null {
  if (type === RENAMED.type && name === RENAMED.wire) return RENAMED.field;
  const field = camelize(name);
  if (!Object.hasOwn(resourceOf(type).fields, field)) return null;
  return field === name || dasherize(field) === name ? acceptSpelling(type, field, name) : null;
}

function acceptSpelling(type: TypeName, field: string, name: string): string | null {
  if (type === RENAMED.type && field === RENAMED.field) return null;
  return type === KEEPS_CAMEL_CASE || dasherize(field) === name ? field : null;
}
