import { limits } from '#protocol/limits.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, toManysOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { groupsOf } from '../../support/groups.ts';
import type { Cell, Twin } from './cell.ts';
import type { Answer, Known } from './person.ts';
import { answered, finding, readerOf } from './reading.ts';
import type { Town } from './town.ts';
import { privateTypes } from './world.ts';
import type { Bridge, World } from './world.ts';

/** Fields that cannot be filtered and sorted by (wire 5.1), besides what is write-only. */
const UNCOMPARED = new Set(['text', 'json', 'list', 'map']);

const comparable = (type: TypeName): string[] => [
  ...attributesOf(type).flatMap(([name, { kind, isWriteOnly }]) =>
    UNCOMPARED.has(kind) || isWriteOnly ? [] : [name],
  ),
  'dateCreated',
];

const wireOf = (type: TypeName, field: string): string =>
  field === 'dateCreated' ? 'date-created' : wireFieldOf(type, field);

const listAddress = (type: TypeName, query: string) => ({
  method: 'GET',
  path: `/api/${wireTypeOf(type)}?page[limit]=500${query}`,
});

/** A value that can be compared, as text. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function filterFor(value: unknown): string {
  return value === null ? 'isnull:' : `eq:${encodeURIComponent(textOf(value))}`;
}

/** Lists of every type, filtered and sorted by everything, looking for the records of a town. */
export function listCells(world: World, town: Town, types: readonly TypeName[]): Cell[] {
  return types.flatMap((type) => {
    const id = town.ids[type];
    const record = world.record(type, id);
    const cell = (way: Cell['way'], query: string, name: string, who: Known | null): Cell => {
      const request = listAddress(type, query);
      const isRight = ({ data }: Answer) => data.some((row) => row.id === id);
      const twin: Twin =
        who === null ? { nobody: 'nobody may read it' } : { who, request, isRight };
      return {
        way,
        type,
        name: `${wireTypeOf(type)} ${name}`,
        request,
        wrong: noRowsOf(town),
        twin,
      };
    };
    const who = readerOf(world, town, type, id);
    const fields = comparable(type).map((field) => {
      const reader = readerOf(world, town, type, id, field);
      const wire = wireOf(type, field);
      return cell('filter', `&filter[${wire}]=${filterFor(record?.[field] ?? null)}`, wire, reader);
    });
    const sorts = ['', '-'].flatMap((sign) => {
      const all = comparable(type).map((field) => `${sign}${wireOf(type, field)}`);
      return groupsOf(all, limits.sortKeys).map((keys) =>
        cell('sort', `&sort=${keys.join(',')}`, `by ${keys.join(' and ')}`, who),
      );
    });
    const links = toOnesOf(type).flatMap(([field, { to }]) => {
      const target = record?.[field] ?? null;
      const wire = wireFieldOf(type, field);
      const own = cell('filter', `&filter[${wire}]=${filterFor(target)}`, wire, who);
      if (typeof target !== 'string') return [own];
      const other = world.record(to, target);
      const behind = comparable(to).map((name) => {
        const path = `${wire}.${wireOf(to, name)}`;
        const reader = world
          .candidates(town)
          .find((one) => world.mayRead(one, type, id) && world.mayRead(one, to, target, name));
        const query = `&filter[${path}]=${filterFor(other?.[name] ?? null)}`;
        return cell('filter', query, path, reader ?? null);
      });
      const order = comparable(to).map((name) => `${wire}.${wireOf(to, name)}`);
      const sorted = groupsOf(order, limits.sortKeys).map((keys) =>
        cell('sort', `&sort=${keys.join(',')}`, `by ${keys.join(' and ')}`, who),
      );
      return [own, ...behind, ...sorted];
    });
    return [cell('list', '', 'all', who), ...fields, ...sorts, ...links];
  });
}

/** Rows of a town do not belong to the stranger; and no count includes more than is shown. */
function noRowsOf(town: Town): Cell['wrong'] {
  const ids = new Set([...Object.values(town.ids), ...Object.values(town.spare)]);
  return (answer) => {
    if (answer.status !== 200) return 'not answered';
    if (answer.data.some(({ id, type }) => ids.has(id) && isPrivate(type))) return 'a row';
    const { meta } = answer.body as { meta?: { 'total-records'?: number } };
    return meta?.['total-records'] === answer.data.length ? null : 'a count';
  };
}

const PRIVATE = new Set(privateTypes.map(wireTypeOf));
const isPrivate = (wireType: string): boolean => PRIVATE.has(wireType);

/** The filters of wire 5.2, looking for a town. */
export function specialCells(world: World, town: Town): Cell[] {
  const { organization, project, productBuild, productDefinition } = town.ids;
  const name = String(world.record('project', project)?.name);
  const group = String(world.record('group', town.ids.group)?.name);
  const definition = String(world.record('productDefinition', productDefinition)?.name);
  const special: readonly (readonly [TypeName, string, string])[] = [
    ['project', `filter[search-term]=${name}`, project],
    ['project', `filter[search-term]=${group}`, project],
    ['project', `filter[any-product-definition-id]=${productDefinition}`, project],
    ['project', `filter[any-product-name]=${encodeURIComponent(definition)}`, project],
    ['project', 'filter[project-updated-date]=ge:2020-01-01', project],
    ['project', 'filter[status]=in:waiting,published,not-started', project],
    ['project', 'filter[is-public]=false', project],
    ['productBuild', `filter[project-id]=${project}`, productBuild],
    ['productBuild', 'filter[status]=in:building,failed,built', productBuild],
    ['organization', 'filter[scope-to-current-user]=isnull:', organization],
    ['user', `filter[organization-id]=${organization}`, town.ids.user],
  ];
  const who = world.known(town.people.admin);
  return special.map(([type, query, id]): Cell => {
    const request = listAddress(type, `&${query}`);
    const isRight = ({ data }: Answer) => data.some((row) => row.id === id);
    const twin: Twin = { who, request, isRight };
    const filter = `${wireTypeOf(type)} ${query.split('=')[0] ?? ''}`;
    return { way: 'filter', type, name: filter, request, wrong: noRowsOf(town), twin };
  });
}

/** The organization header names a town. */
export function headerCells(world: World, town: Town, types: readonly TypeName[]): Cell[] {
  return types.map((type): Cell => {
    const headers = { Organization: town.ids.organization };
    const request = { ...listAddress(type, ''), headers };
    const who = world.known(town.people.admin);
    const wrong = ({ refusals }: Answer) =>
      refusals.join() === 'not-a-member' ? null : 'not refused';
    const twin: Twin = { who, request, isRight: ({ status }) => status === 200 };
    return { way: 'header', type, name: wireTypeOf(type), request, wrong, twin };
  });
}

/** Cells from what the stranger sees to what they do not: along to-ones that lead out of Harbor. */
export function bridgeCells(world: World, bridges: readonly Bridge[]): Cell[] {
  return bridges.flatMap((bridge) => [
    ...crossings(world, bridge),
    ...comparable(bridge.to).flatMap((field) => comparisons(world, bridge, field)),
  ]);
}

/** Someone who sees both ends; else someone of Millside, on a record of their own that leads there. */
function crosser(world: World, { type, id, to, target }: Bridge, field?: string) {
  const { millside } = world;
  const own = millside.ids[type];
  for (const from of [id, own]) {
    const who = world
      .candidates(millside)
      .find((one) => world.mayRead(one, type, from) && world.mayRead(one, to, target, field));
    if (who !== undefined) return { who, from };
  }
  return null;
}

function crossings(world: World, bridge: Bridge): Cell[] {
  const { type, id, field, to, target } = bridge;
  const wire = wireFieldOf(type, field);
  const further = [...toOnesOf(to), ...toManysOf(to)].map(
    ([name]) => `${wire}.${wireFieldOf(to, name)}`,
  );
  const address = (from: string) => `/api/${wireTypeOf(type)}/${from}`;
  const found = crosser(world, bridge);
  const twinOf = (path: (from: string) => string): Twin => {
    if (found === null) return { nobody: 'nobody sees both ends' };
    const request = { method: 'GET', path: path(found.from) };
    const isRight = ({ text }: Answer) => text.includes(`"id":"${target}","attributes"`);
    return { who: found.who, request, isRight };
  };
  const name = `${wireTypeOf(type)}.${wire}`;
  const includes = [wire, further.join(',')].map((paths): Cell => {
    const path = (from: string) => `${address(from)}?include=${paths}`;
    const request = { method: 'GET', path: path(id) };
    return { way: 'include', type: to, name, request, wrong: answered, twin: twinOf(path) };
  });
  const related = (from: string) => `${address(from)}/${wire}`;
  const wrong = ({ refusals }: Answer) => (refusals.join() === 'not-found' ? null : 'found');
  const request = { method: 'GET', path: related(id) };
  return [...includes, { way: 'related', type: to, name, request, wrong, twin: twinOf(related) }];
}

function comparisons(world: World, bridge: Bridge, field: string): Cell[] {
  const { type, id, to, target } = bridge;
  const path = `${wireFieldOf(type, bridge.field)}.${wireOf(to, field)}`;
  const value = world.record(to, target)?.[field] ?? null;
  const name = `${wireTypeOf(type)} by ${path}`;
  const found = crosser(world, bridge, field);
  const twinOf = (query: string): Twin => {
    if (found === null) return { nobody: 'nobody sees both ends' };
    const isRight = ({ data }: Answer) => data.some((row) => row.id === found.from);
    return { who: found.who, request: listAddress(type, query), isRight };
  };
  const notFound = ({ status, data }: Answer) => {
    if (status !== 200) return 'not answered';
    return data.some((row) => row.id === id) ? 'found by what is hidden' : null;
  };
  const holding = [filterFor(value), value === null ? 'isnull:' : 'isnotnull:'];
  const filters = [...new Set(holding)].map((test): Cell => {
    const query = `&filter[${path}]=${test}`;
    const request = listAddress(type, query);
    return { way: 'filter', type: to, name, request, wrong: notFound, twin: twinOf(query) };
  });
  const isNull = `&filter[${path}]=isnull:`;
  const none = { way: 'filter', type: to, name, request: listAddress(type, isNull) } as const;
  const sorts = ['', '-'].map((sign): Cell => {
    const query = `&sort=${sign}${path}`;
    const wrong = inOrder(world, bridge, field);
    return {
      way: 'sort',
      type: to,
      name,
      request: listAddress(type, query),
      wrong,
      twin: twinOf(query),
    };
  });
  const nobody = { nobody: 'it has a value: nobody finds it so' };
  const empty: Cell[] = value === null ? [] : [{ ...none, wrong: notFound, twin: nobody }];
  return [...filters, ...empty, ...sorts];
}

/** A hidden value is ordered as a missing one: last in both directions, by id. */
function inOrder(world: World, { type, field: via, to }: Bridge, field: string): Cell['wrong'] {
  const shown = new Set(
    world.shownRows(type).flatMap((row) => {
      const target = row[via];
      if (typeof target !== 'string') return [];
      const value = world.record(to, target)?.[field] ?? null;
      const isShown = value !== null && world.mayRead(world.stranger, to, target, field);
      return isShown ? [row.id] : [];
    }),
  );
  return ({ status, data }) => {
    if (status !== 200) return 'not answered';
    const ids = data.map((row) => row.id);
    const first = ids.findIndex((id) => !shown.has(id));
    const last = ids.slice(first);
    const isLast = last.every((id) => !shown.has(id));
    return isLast && last.join() === [...last].sort().join() ? null : 'ordered by what is hidden';
  };
}

/** Every path of includes that leads from what the stranger sees, three levels deep. */
export function pathCells(world: World, town: Town, types: readonly TypeName[]): Cell[] {
  const relations = (type: TypeName) => [
    ...toOnesOf(type).map(([name, { to }]) => [wireFieldOf(type, name), to] as const),
    ...toManysOf(type).map(([name, { of }]) => [wireFieldOf(type, name), of] as const),
  ];
  return types.flatMap((type) =>
    relations(type).flatMap(([first, next]): Cell[] => {
      const paths = relations(next).flatMap(([second, last]) => [
        `${first}.${second}`,
        ...relations(last).map(([third]) => `${first}.${second}.${third}`),
      ]);
      const who = readerOf(world, town, type, town.ids[type]);
      const all = paths.length === 0 ? [first] : paths;
      return groupsOf(all, limits.includePaths).map((group): Cell => {
        const request = listAddress(type, `&include=${group.join(',')}`);
        const name = `${wireTypeOf(type)} ${first} and ${String(group.length)} paths`;
        const twin = finding(who, request, ({ text }) => town.secrets.in(text).length > 0);
        return { way: 'include', type: next, name, request, wrong: answered, twin };
      });
    }),
  );
}
