import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Kind } from '#schema/define.ts';
import { instantOf } from '../valid/instant.ts';
import { parsed } from '../valid/value.ts';

/**
 * Says whether two values of `field` of `type` are the same, as the base check sees it (wire 7.4).
 */
export function isSameField(type: TypeName, field: string, a: unknown, b: unknown): boolean {
  const declared = resourceOf(type).fields[field];
  if (declared?.is === 'many') return isSameSet(idsOf(a), idsOf(b));
  return isSame(declared?.is === 'attribute' ? declared.kind : 'one', a ?? null, b ?? null);
}

/** Moments as moments, JSON ignoring the order of keys, lines after trimming, all else exactly. */
function isSame(kind: Kind | 'one', a: unknown, b: unknown): boolean {
  if (a === null || b === null) return a === b;
  return comparable(kind, a) === comparable(kind, b);
}

/** The part of a text that counts when it is compared; where nothing stands here, all of it. */
const comparables: Readonly<Partial<Record<Kind | 'one', (text: string) => string>>> = {
  instant: (text) => instantOf(text) ?? text,
  json: (text) => {
    const content = parsed(text);
    return content === undefined ? text : canonical(content);
  },
  line: (text) => text.trim(),
  email: (text) => text.trim(),
  url: (text) => text.trim(),
  one: (text) => text.toLowerCase(),
  uuid: (text) => text.toLowerCase(),
};

function comparable(kind: Kind | 'one', value: unknown): unknown {
  if (typeof value === 'string') return comparables[kind]?.(value) ?? value;
  return typeof value === 'object' ? canonical(value) : value;
}

/** JSON text that does not depend on the order of keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const set = new Set(a);
  return set.size === new Set(b).size && b.every((id) => set.has(id));
}

const idsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
