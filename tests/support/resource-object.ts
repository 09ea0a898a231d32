import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';

type Values = Readonly<Record<string, unknown>>;

/** A resource object with `fields` in the form of the wire. */
export function resourceObject(type: TypeName, id: string, fields: Values) {
  const entries = Object.entries(fields);
  const links = new Map(toOnesOf(type).map(([name, { to }]) => [name, to]));
  const attributes = entries.filter(([name]) => !links.has(name));
  const relationships = entries.flatMap(([name, value]) => {
    const to = links.get(name);
    return to === undefined ? [] : [[wireFieldOf(type, name), { data: linkTo(to, value) }]];
  });
  return {
    type: wireTypeOf(type),
    id,
    attributes: Object.fromEntries(
      attributes.map(([name, value]) => [wireFieldOf(type, name), value]),
    ) as Values,
    relationships: Object.fromEntries(relationships) as Values,
  };
}

export const linkTo = (type: TypeName, id: unknown) =>
  typeof id === 'string' ? { type: wireTypeOf(type), id } : null;
