import {
  allOf,
  anyOf,
  at,
  equals,
  everyone,
  nobody,
  notNull,
  some,
  superAdmin,
} from '#rules/scope.ts';
import type { Scope, ViewerSet } from '#rules/scope.ts';
import { attributesOf, toManysOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';

/** A whole number from 0 up to, not including, `most`. */
export type Chance = (most: number) => number;

const SETS: Readonly<Partial<Record<TypeName, readonly ViewerSet[]>>> = {
  user: ['self'],
  organization: ['memberOf', 'adminOf', 'authorIn'],
  group: ['groups'],
};

/** Any scope for records of `type`, of at most `depth` scopes in each other. */
export function aRandomScope(type: TypeName, chance: Chance, depth = 3): Scope {
  const one = <T>(among: readonly T[]): T => among[chance(among.length)] as T;
  const inner = (of: TypeName) => aRandomScope(of, chance, depth - 1);
  const several = () => Array.from({ length: 2 + chance(2) }, () => inner(type));
  const [toOnes, toManys] = [toOnesOf(type), toManysOf(type)];

  if (depth > 1 && chance(5) > 0) {
    const kinds = [() => anyOf(...several()), () => allOf(...several())];
    if (toOnes.length > 0)
      kinds.push(() => {
        const [field, { to }] = one(toOnes);
        return at(field, inner(to));
      });
    if (toManys.length > 0)
      kinds.push(() => {
        const [, { of, inverse }] = one(toManys);
        return some(of, inverse, inner(of));
      });
    return one(kinds)();
  }
  const ids = [...toOnes.map(([field, { to }]) => [field, to] as const), ['id', type] as const];
  const withins = ids.flatMap(([field, to]) =>
    (SETS[to] ?? []).map((set): Scope => ({ is: 'within', set, field })),
  );
  const flags = attributesOf(type).flatMap(([field, { kind, isWriteOnly }]) => {
    if (isWriteOnly) return [];
    return kind === 'bool'
      ? [equals(field, chance(2) === 0)]
      : [equals(field, null), notNull(field)];
  });
  // What hangs on the viewer comes more often than its place among the kinds would have it.
  if (withins.length > 0 && chance(3) > 0) return one(withins);
  return one([superAdmin, ...flags, chance(2) === 0 ? everyone : nobody]);
}
