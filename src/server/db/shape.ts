import { storedTypes, resourceOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';

/** The pointers between stored types, worked out once from the schema. */

/** A to-one of a stored type that points to another stored type. */
export interface Pointer {
  readonly type: TypeName;
  readonly field: string;
  /** Removal of the target takes the record along (wire 16.1, *below*). */
  readonly isBelow: boolean;
}

/** Returns the to-ones that point to `type`. */
export function pointersTo(type: TypeName): readonly Pointer[] {
  return pointers.get(type) ?? [];
}

const pointers = new Map<TypeName, Pointer[]>();
for (const type of storedTypes) {
  for (const [field, { to }] of toOnesOf(type)) {
    const isBelow = resourceOf(type).below.includes(field);
    pointers.set(to, [...(pointers.get(to) ?? []), { type, field, isBelow }]);
  }
}

/** Stored types, each after all that it points to. */
export const parentsFirst: readonly TypeName[] = ordered();

function ordered(): TypeName[] {
  const done: TypeName[] = [];
  const rest = new Set(storedTypes);
  while (rest.size > 0) {
    const next = [...rest].find((type) => toOnesOf(type).every(([, { to }]) => !rest.has(to)));
    if (next === undefined) throw new Error(`These types point to each other: ${[...rest].join()}`);
    rest.delete(next);
    done.push(next);
  }
  return done;
}

/** Returns the place of `type` among `parentsFirst`. */
export function rankOf(type: TypeName): number {
  return parentsFirst.indexOf(type);
}
