import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { toManysOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Cell, Twin } from './cell.ts';
import type { Answer, Known } from './person.ts';
import type { Town } from './town.ts';
import { CARRIERS, CATALOGUE_TYPES, PUBLIC_TYPES } from './world.ts';
import type { Carrier, World } from './world.ts';

/** Reading a record of a town, and what hangs on it, by its id. */
export function readingCells(world: World, town: Town, types: readonly TypeName[]): Cell[] {
  return types.flatMap((type) => [
    ...recordCells(world, town, type),
    ...relationshipsOf(type).flatMap((relationship) => [
      ...relationshipCells(world, town, type, relationship),
    ]),
  ]);
}

/** Returns true when outsiders see the record of `type` there. */
export const isOpen = (world: World, town: Town, type: TypeName): boolean =>
  CATALOGUE_TYPES.has(type) || (town === world.quayside && PUBLIC_TYPES.has(type));

interface Relationship {
  readonly name: string;
  readonly to: TypeName;
  readonly isMany: boolean;
}

function relationshipsOf(type: TypeName): Relationship[] {
  return [
    ...toOnesOf(type).map(([name, { to }]) => ({ name, to, isMany: false })),
    ...toManysOf(type).map(([name, { of }]) => ({ name, to: of, isMany: true })),
  ];
}

function recordCells(world: World, town: Town, type: TypeName): Cell[] {
  const id = town.ids[type];
  const path = `/api/${wireTypeOf(type)}/${id}`;
  const all = relationshipsOf(type).map(({ name }) => wireFieldOf(type, name));
  const include = all.length === 0 ? [] : [`?include=${all.join(',')}`];
  const base = { type, ...hiddenUnless(isOpen(world, town, type)) };
  const who = readerOf(world, town, type, id);
  const ref = { type: wireTypeOf(type), id };
  const isIt = ({ data }: Answer) => data[0]?.id === id && data[0].attributes !== undefined;
  return [
    ...['', ...include].map((query): Cell => {
      const request = { method: 'GET', path: `${path}${query}` };
      const name = `${town.name} ${wireTypeOf(type)}/…${query}`;
      return { ...base, way: 'get', name, request, twin: finding(who, request, isIt) };
    }),
    ...CARRIERS.map((by): Cell => {
      const request = { by, operation: { op: 'get', ref } };
      const name = `${town.name} ${wireTypeOf(type)}/… ${by}`;
      return {
        ...base,
        way: 'get by operations',
        name,
        request,
        twin: finding(who, request, isIt),
      };
    }),
  ];
}

function relationshipCells(
  world: World,
  town: Town,
  type: TypeName,
  { name: field, to, isMany }: Relationship,
): Cell[] {
  const id = town.ids[type];
  const wire = wireFieldOf(type, field);
  const path = `/api/${wireTypeOf(type)}/${id}`;
  const name = `${town.name} ${wireTypeOf(type)}/…/${wire}`;
  const base = { type, name, ...hiddenUnless(isOpen(world, town, type)) };
  const target = isMany ? null : (world.record(type, id)?.[field] ?? null);
  const reader = readerOf(world, town, type, id);
  const relatedReader =
    typeof target === 'string'
      ? (world
          .candidates(town)
          .find((one) => world.mayRead(one, type, id) && world.mayRead(one, to, target)) ?? null)
      : reader;
  const related = { method: 'GET', path: `${path}/${wire}` };
  const linkage = { method: 'GET', path: `${path}/relationships/${wire}` };
  const ref = { type: wireTypeOf(type), id, relationship: wire };
  const carriers: readonly Carrier[] = ['lenient', 'hub'];
  return [
    { ...base, way: 'related', request: related, twin: fine(relatedReader, related) },
    { ...base, way: 'linkage', request: linkage, twin: fine(reader, linkage) },
    ...carriers.map((by): Cell => {
      const request = { by, operation: { op: 'get', ref } };
      return { ...base, way: 'get by operations', request, twin: fine(reader, request) };
    }),
  ];
}

/** A record that does not exist for the stranger gives 404; one that they see shows no secret. */
function hiddenUnless(isSeen: boolean): Pick<Cell, 'wrong' | 'isBlind'> {
  if (isSeen) return { wrong: () => null };
  return {
    isBlind: true,
    wrong: ({ status, refusals }) =>
      status === 404 && refusals.join() === 'not-found' ? null : 'not as if it were nowhere',
  };
}

/**
 * What the stranger sees is a member of a to-many of what they see, by a to-one that hides from
 * them: nothing may tell them so.
 */
export function mirrorCells(world: World, town: Town, types: readonly TypeName[]): Cell[] {
  return types.flatMap((type) =>
    toManysOf(type).flatMap(([mirror, { of, inverse }]): Cell[] => {
      const { stranger } = world;
      const id = town.ids[of];
      const target = world.record(of, id)?.[inverse];
      if (typeof target !== 'string' || !world.mayRead(stranger, type, target)) return [];
      const isHidden = world.mayRead(stranger, of, id) && !world.mayRead(stranger, of, id, inverse);
      if (!isHidden) return [];

      const wire = wireFieldOf(type, mirror);
      const path = `/api/${wireTypeOf(type)}/${target}`;
      const name = `${town.name} ${wireTypeOf(type)}/…/${wire}`;
      const who = readerOf(world, town, of, id, inverse);
      const tells = ({ text }: Answer) => text.includes(id);
      const wrong = (answer: Answer) => (tells(answer) ? 'tells a hidden to-one' : null);
      const cell = (way: Cell['way'], request: Cell['request']): Cell => {
        return { way, type: of, name, request, wrong, twin: finding(who, request, tells) };
      };
      const linkage = `${path}/relationships/${wire}`;
      const ref = { type: wireTypeOf(type), id: target, relationship: wire };
      // To add a member again is no error, so whether it is refused tells if it is one.
      const body = { data: [{ type: wireTypeOf(of), id }] };
      const add = { method: 'POST', path: linkage, body };
      const isAdded = ({ status }: Answer) => status === 204;
      return [
        cell('related', { method: 'GET', path: `${path}/${wire}` }),
        cell('linkage', { method: 'GET', path: linkage }),
        cell('include', { method: 'GET', path: `${path}?include=${wire}` }),
        ...CARRIERS.map((by) => cell('get by operations', { by, operation: { op: 'get', ref } })),
        {
          ...cell('write', add),
          wrong: ({ status }) => (status === 403 ? null : 'tells a hidden to-one'),
          twin: who === null ? NOBODY : { who, request: add, isRight: isAdded },
        },
      ];
    }),
  );
}

/** Someone of the town, or the super admin, who may read it by the rules. */
export function readerOf(
  world: World,
  town: Town,
  type: TypeName,
  id: string,
  field?: string,
): Known | null {
  return world.candidates(town).find((one) => world.mayRead(one, type, id, field)) ?? null;
}

const NOBODY = { nobody: 'nobody may read it' } as const;

export function finding(
  who: Known | null,
  request: Cell['request'],
  isFound: (answer: Answer) => boolean,
): Twin {
  if (who === null) return NOBODY;
  return { who, request, isRight: (answer) => answer.status === 200 && isFound(answer) };
}

function fine(who: Known | null, request: Cell['request']): Twin {
  return who === null ? NOBODY : { who, request, isRight: ({ status }) => status === 200 };
}

/** Lists of what hangs on the catalogue, which everyone reads. */
export function catalogueCells(world: World, town: Town): Cell[] {
  return [...CATALOGUE_TYPES].flatMap((type) =>
    toManysOf(type).flatMap(([field, { of, inverse }]) => {
      if (CATALOGUE_TYPES.has(of)) return [];
      const id = world.record(of, town.ids[of])?.[inverse];
      if (typeof id !== 'string') return [];
      const wire = wireFieldOf(type, field);
      const path = `/api/${wireTypeOf(type)}/${id}`;
      const paths: readonly (readonly [Cell['way'], string])[] = [
        ['related', `${path}/${wire}?page[limit]=500`],
        ['linkage', `${path}/relationships/${wire}`],
        ['include', `${path}?include=${wire}`],
      ];
      const who = readerOf(world, town, of, town.ids[of]);
      return paths.map(([way, at]): Cell => {
        const request = { method: 'GET', path: at };
        const name = `${town.name} ${wireTypeOf(type)}/…/${wire}`;
        const twin = finding(who, request, ({ text }) => text.includes(town.ids[of]));
        return { way, type: of, name, request, wrong: answered, twin };
      });
    }),
  );
}

/** A request that everyone may make is answered. */
export const answered = ({ status }: Answer): string | null =>
  status === 200 ? null : 'not answered';
