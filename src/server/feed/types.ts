import { targetOf } from '#rules/scope.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { parentsFirst } from '../db/shape.ts';

/** The types that the feed contains, parents (wire 16.1, *below*) before children. */
export const feedTypes: readonly TypeName[] = parentsFirst.filter(
  (type) => resourceOf(type).load !== 'none',
);

/** Returns the types that a record of `type` is below, by the to-one that leads there. */
export function parentsOf(type: TypeName): readonly (readonly [field: string, TypeName])[] {
  return resourceOf(type).below.map((field) => [field, targetOf(type, field)] as const);
}

/** Returns true when every record of `type` is below one of the type `top`. */
export function isBelow(type: TypeName, top: TypeName): boolean {
  return parentsOf(type).some(([, to]) => to === top || isBelow(to, top));
}

export const keyOf = (type: TypeName, id: string): string => `${type}/${id}`;
