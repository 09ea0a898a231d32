import { attributesOf, resourceOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Attribute, Kind } from '#schema/define.ts';
import { anId } from './records.ts';

type Sample = Readonly<Record<string, unknown>>;

let made = 0;

/** Valid values; of most kinds no two are equal. */
const values: Readonly<Record<Kind, (name: string, attribute: Attribute) => unknown>> = {
  line: (name) => `${name} ${made}`,
  text: (name) => `${name} ${made}`,
  email: (name) => `${name}${made}@example.org`,
  url: (name) => `https://example.org/${name}/${made}`,
  json: () => '{}',
  choice: (_, { choices }) => choices?.[0],
  bool: () => true,
  int: () => made,
  instant: () => '2026-01-31T09:30:00.000Z',
  uuid: anId,
  list: (name) => [name],
  map: (name) => ({ [name]: made }),
};

/** Values of the attributes of `type` that `isWanted`, by field. */
export function valuesOf(
  type: TypeName,
  isWanted: (attribute: Attribute) => boolean = () => true,
): Sample {
  made += 1;
  const wanted = attributesOf(type).filter(([, attribute]) => isWanted(attribute));
  return Object.fromEntries(
    wanted.map(([name, attribute]) => [name, values[attribute.kind](type, attribute)]),
  );
}

/** Names the record of a type that a sample belongs to. */
type Link = (to: TypeName, field: string) => string;

/** The to-ones that a record of `type` hangs on, and those that are called as their target. */
export function linksOf(type: TypeName, link: Link): Sample {
  const { below } = resourceOf(type);
  const needed = toOnesOf(type).filter(
    ([field, { to, mustHave }]) => mustHave || field === to || below.includes(field),
  );
  return Object.fromEntries(needed.map(([field, { to }]) => [field, link(to, field)]));
}

/** A record of `type` with what it may not lack, where `link` leads. */
export function sampleOf(type: TypeName, link: Link): Sample {
  return {
    ...valuesOf(type, ({ mustHave }) => mustHave),
    ...resourceOf(type).sample,
    ...linksOf(type, link),
  };
}

/** What of it a client states when it creates one. */
export function draftOf(type: TypeName, link: Link): Sample {
  const { fields } = resourceOf(type);
  return Object.fromEntries(
    Object.entries(sampleOf(type, link)).filter(([name]) => {
      const field = fields[name];
      return field?.is !== 'many' && (field?.write === 'always' || field?.write === 'create');
    }),
  );
}

/** A change that a client may make to a record of `type`; empty where there is none of a text. */
export function changeOf(type: TypeName): Sample {
  const written = (of: Kind) =>
    valuesOf(
      type,
      ({ kind, write, isWriteOnly }) =>
        kind === of && (write === 'always' || write === 'update') && !isWriteOnly,
    );
  const all = { ...written('line'), ...written('text') };
  return Object.fromEntries(Object.entries(all).slice(0, 1));
}
