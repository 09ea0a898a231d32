import { limits } from '#protocol/limits.ts';
import { typeOfWire } from '#protocol/names.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { TypeName } from '#schema/index.ts';
import { fieldCalled, stampCalled } from '../../../domain/writes/document.ts';
import { pageOf } from './page.ts';
import { attributePath, filterPath } from './path.ts';
import type { QueryFilter, IncludeTree, Query, Sort } from '../../../access/query/query.ts';
import { GIVEN_ONCE, specialFilter } from './special.ts';
import { comparisonOf, fits, valuesOf } from './value.ts';

/** The families of parameters that an address takes. */
export type Takes = 'list' | 'record' | 'nothing';

/** 400: a parameter that is known has a wrong name or value inside. */
function invalidParameter(parameter: string, detail: string): ProblemError {
  return new ProblemError({ code: 'invalid-parameter', detail, source: { parameter } });
}

/** Reads the query of a request for `type` strictly; everything unknown is refused (wire 5). */
export function parseQuery(type: TypeName, parameters: URLSearchParams, takes: Takes): Query {
  refuseMany(parameters);
  const filters: QueryFilter[] = [];
  const fields = new Map<TypeName, ReadonlySet<string>>();
  for (const [name, value] of parameters) {
    const family = familyOf(name);
    if (!knows(takes, family, name)) {
      throw new ProblemError({ code: 'unknown-parameter', source: { parameter: name } });
    }
    if (family.name === 'filter') {
      const filter = filterOf(type, family.member ?? '', name, value);
      if (GIVEN_ONCE.has(filter.is)) single(parameters, name);
      filters.push(filter);
    }
    if (family.name === 'fields') readFields(fields, family.member ?? '', name, value);
  }
  return {
    filters,
    sort: sortOf(type, single(parameters, 'sort')),
    include: includeOf(type, single(parameters, 'include')),
    fields,
    page: pageOf(parameters),
  };
}

/** Every key, filter and path is work for the database; nobody needs more of them (wire 15.2). */
export function refuseMany(parameters: URLSearchParams): void {
  const listed = (name: string) =>
    parameters.getAll(name).reduce((sum, text) => sum + partsOf(text), 0);
  const names = [...parameters.keys()].filter((name) => name.startsWith('filter['));
  const counts = [
    ['sort', listed('sort'), limits.sortKeys],
    ['include', listed('include'), limits.includePaths],
    [names[limits.filters] ?? 'filter', names.length, limits.filters],
  ] as const;
  for (const [parameter, count, most] of counts)
    if (count > most) throw invalidParameter(parameter, `At most ${most} are taken in one query.`);
}

const partsOf = (text: string): number => text.split(',').length;

interface Family {
  readonly name: string;
  /** The text between the brackets. */
  readonly member: string | null;
}

function familyOf(name: string): Family {
  const found = /^([a-z]+)\[([^\]]*)\]$/.exec(name);
  return found === null ? { name, member: null } : { name: found[1] ?? '', member: found[2] ?? '' };
}

const PAGE_MEMBERS = new Set(['offset', 'limit', 'number', 'size']);

function knows(takes: Takes, { name, member }: Family, parameter: string): boolean {
  if (takes === 'nothing') return false;
  if (name === 'include') return member === null;
  if (name === 'fields') return member !== null;
  if (takes === 'record') return false;
  if (name === 'page' && member !== null && !PAGE_MEMBERS.has(member)) {
    throw invalidParameter(parameter, 'A page has offset and limit.');
  }
  return name === 'sort'
    ? member === null
    : (name === 'filter' || name === 'page') && member !== null;
}

/** Returns the value of a parameter that may be given once. */
function single(parameters: URLSearchParams, name: string): string | null {
  const values = parameters.getAll(name);
  if (values.length > 1) throw invalidParameter(name, `${name} may be given once.`);
  return values[0] ?? null;
}

function filterOf(type: TypeName, member: string, parameter: string, text: string): QueryFilter {
  const special = specialFilter(type, member);
  if (special !== null) {
    const filter = special(text);
    if (filter === null) throw invalidParameter(parameter, 'The value is not valid here.');
    return filter;
  }
  const path = filterPath(type, member);
  if (path === null) throw invalidParameter(parameter, 'There is no such filter.');
  const { operator, rest } = comparisonOf(text);
  if (!fits(operator, path))
    throw invalidParameter(parameter, `${operator} does not fit the field.`);
  const values = valuesOf(operator, rest, path);
  if (values === null) throw invalidParameter(parameter, 'The value is not of the field’s type.');
  return { is: 'field', path, operator, values };
}

function sortOf(type: TypeName, text: string | null): readonly Sort[] {
  if (text === null) return [];
  return text.split(',').map((item) => {
    const descends = item.startsWith('-');
    const path = attributePath(type, descends ? item.slice(1) : item);
    if (path === null) throw invalidParameter('sort', `${item} cannot be sorted by.`);
    return { path, descends };
  });
}

function includeOf(type: TypeName, text: string | null): IncludeTree {
  const root = new Map<string, IncludeTree>();
  if (text === null) return root;
  for (const path of text.split(',')) addPath(root, type, path);
  return root;
}

function addPath(root: Map<string, IncludeTree>, type: TypeName, path: string): void {
  const names = path.split('.');
  if (names.length > limits.includeDepth) {
    throw invalidParameter('include', `A path has at most ${String(limits.includeDepth)} levels.`);
  }
  let tree = root;
  let at = type;
  for (const name of names) {
    const found = fieldCalled(at, name);
    if (found === null || found.field.is === 'attribute') {
      throw invalidParameter('include', `${path} is not a path of relationships.`);
    }
    const below = (tree.get(found.name) ?? new Map()) as Map<string, IncludeTree>;
    tree.set(found.name, below);
    tree = below;
    at = (found.field.is === 'one' ? found.field.to : found.field.of) as TypeName;
  }
}

function readFields(
  fields: Map<TypeName, ReadonlySet<string>>,
  wireType: string,
  parameter: string,
  text: string,
): void {
  const type = typeOfWire(wireType);
  if (type === null) throw invalidParameter(parameter, 'There is no such type.');
  if (fields.has(type)) throw invalidParameter(parameter, `${parameter} may be given once.`);
  const names = text === '' ? [] : text.split(',');
  fields.set(type, new Set(names.map((name) => shownField(type, name, parameter))));
}

function shownField(type: TypeName, name: string, parameter: string): string {
  const found = stampCalled(name) ?? fieldCalled(type, name)?.name;
  if (found === undefined) throw invalidParameter(parameter, `There is no field called ${name}.`);
  return found;
}
