import { toOnesOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { Find } from './find.ts';
import type { Viewer } from './viewer.ts';

/** A set of ids that a viewer brings along; `self` holds their own id alone. */
export type ViewerSet = 'self' | 'memberOf' | 'adminOf' | 'authorIn' | 'groups';

/**
 * Says as data who sees a record (or one of its fields). SQL (`server/access/scope-sql.ts`), the
 * answer for one record (`inScope`) and what is kept of a past one (`audienceOf`) are derived from
 * it. The record itself is at its field `id`.
 */
export type Scope =
  | { readonly is: 'everyone' | 'nobody' | 'superAdmin' }
  /** The id at `field` is in the viewer's set. */
  | { readonly is: 'within'; readonly set: ViewerSet; readonly field: string }
  | {
      readonly is: 'equals';
      readonly field: string;
      readonly value: string | number | boolean | null;
    }
  | { readonly is: 'notNull'; readonly field: string }
  /** The record at the to-one `field` is in `scope`. */
  | { readonly is: 'at'; readonly field: string; readonly scope: Scope }
  /** Some record of `type` whose to-one `field` is this record is in `scope`. */
  | { readonly is: 'some'; readonly type: TypeName; readonly field: string; readonly scope: Scope }
  | { readonly is: 'anyOf' | 'allOf'; readonly scopes: readonly Scope[] };

/** Everyone signed in. */
export const everyone: Scope = { is: 'everyone' };
export const nobody: Scope = { is: 'nobody' };
export const superAdmin: Scope = { is: 'superAdmin' };
export const anyOf = (...scopes: Scope[]): Scope => ({ is: 'anyOf', scopes });
export const allOf = (...scopes: Scope[]): Scope => ({ is: 'allOf', scopes });

/** The record at the end of the dotted `path` of to-ones is in `scope`. */
export function at(path: string, scope: Scope): Scope {
  return path === ''
    ? scope
    : path
        .split('.')
        .reduceRight((inner, field): Scope => ({ is: 'at', field, scope: inner }), scope);
}

/** Some record of `type` whose `field` is this record is in `scope`. */
export const some = (type: TypeName, field: string, scope: Scope): Scope => ({
  is: 'some',
  type,
  field,
  scope,
});

export const equals = (field: string, value: string | number | boolean | null): Scope => ({
  is: 'equals',
  field,
  value,
});

/** `field` has a value. */
export const notNull = (field: string): Scope => ({ is: 'notNull', field });

/** The record at `path` is the viewer. */
export const self = (path: string) => within('self', path);
/** The viewer is a member of the organization at `path`. */
export const member = (path: string) => within('memberOf', path);
/** The viewer is an admin of the organization at `path`. */
export const admin = (path: string) => within('adminOf', path);
/** The viewer holds the role Author in the organization at `path`. */
export const authorRole = (path: string) => within('authorIn', path);
/** The viewer is in the group at `path`. */
export const inGroup = (path: string) => within('groups', path);

/** The project at `path` is open to outsiders: public and not archived. */
export const publicProject = (path: string) =>
  at(path, allOf(equals('isPublic', true), equals('dateArchived', null)));

function within(set: ViewerSet, path: string): Scope {
  const cut = path.lastIndexOf('.');
  const field = path === '' ? 'id' : path.slice(cut + 1);
  return at(path.slice(0, Math.max(cut, 0)), { is: 'within', set, field });
}

/**
 * The parts of `scope` that hang on the viewer's rights, each as a scope of its own and without what
 * else has to hold. All other parts are the same for one person, whatever their rights are. So a
 * record that is in `scope` with some rights and not with others is so in one of these parts too.
 */
export function rightsIn(scope: Scope): Scope[] {
  if (scope.is === 'superAdmin') return [scope];
  if (scope.is === 'within') return scope.set === 'self' ? [] : [scope];
  if (scope.is === 'anyOf' || scope.is === 'allOf') return scope.scopes.flatMap(rightsIn);
  if (scope.is !== 'at' && scope.is !== 'some') return [];
  // A super admin is one for every scope.
  return rightsIn(scope.scope).map((inner) =>
    inner.is === 'superAdmin' ? inner : { ...scope, scope: inner },
  );
}

/**
 * Who has a record in a scope, when all is known but the viewer: `true` is everyone, `false` nobody.
 * It can be kept when the record is gone, and equal ones are equal as JSON.
 */
export type Audience =
  | boolean
  | 'superAdmin'
  /** Those who have the id in their set. */
  | { readonly set: ViewerSet; readonly id: string }
  | { readonly is: 'anyOf' | 'allOf'; readonly of: readonly Audience[] };

/** Returns who has `record` of `type` in `scope`. */
export function audienceOf(scope: Scope, type: TypeName, record: AnyRecord, find: Find): Audience {
  return evaluate(scope, null, type, record, find);
}

/** Says whether `record` of `type` is in `scope` for `viewer`. */
export function inScope(
  scope: Scope,
  viewer: Viewer,
  type: TypeName,
  record: AnyRecord,
  find: Find,
): boolean {
  return evaluate(scope, viewer, type, record, find) === true;
}

/** Says whether `viewer` belongs to `audience`. */
export function isAmong(viewer: Viewer, audience: Audience): boolean {
  if (typeof audience === 'boolean') return audience;
  if (audience === 'superAdmin') return viewer.isSuperAdmin;
  if ('set' in audience)
    return audience.set === 'self'
      ? viewer.id === audience.id
      : viewer[audience.set].has(audience.id);
  const isIn = (one: Audience) => isAmong(viewer, one);
  return audience.is === 'anyOf' ? audience.of.some(isIn) : audience.of.every(isIn);
}

/** The one interpreter of scopes over records. Without a viewer it leaves open what hangs on them. */
function evaluate(
  scope: Scope,
  viewer: Viewer | null,
  type: TypeName,
  record: AnyRecord,
  find: Find,
): Audience {
  const ask = (audience: Audience) => (viewer === null ? audience : isAmong(viewer, audience));

  switch (scope.is) {
    case 'everyone':
      return true;
    case 'nobody':
      return false;
    case 'superAdmin':
      return ask('superAdmin');
    case 'within': {
      const id = record[scope.field];
      return typeof id === 'string' && ask({ set: scope.set, id });
    }
    case 'equals':
      return record[scope.field] === scope.value;
    case 'notNull':
      return record[scope.field] !== null;
    case 'at': {
      const id = record[scope.field];
      const to = targetOf(type, scope.field);
      const other = typeof id === 'string' ? find.one(to, id) : null;
      return other !== null && evaluate(scope.scope, viewer, to, other, find);
    }
    case 'some':
      return joined('anyOf', find.all(scope.type, { [scope.field]: record.id }), (other) =>
        evaluate(scope.scope, viewer, scope.type, other, find),
      );
    case 'anyOf':
    case 'allOf':
      return joined(scope.is, scope.scopes, (inner) => evaluate(inner, viewer, type, record, find));
  }
}

/** Joins the audiences of `parts`, and looks at no more of them than decide. */
function joined<T>(
  is: 'anyOf' | 'allOf',
  parts: readonly T[],
  audienceOfPart: (part: T) => Audience,
): Audience {
  const open = new Map<string, Audience>();
  for (const part of parts) {
    const audience = audienceOfPart(part);
    if (typeof audience === 'boolean') {
      if (audience === (is === 'anyOf')) return audience;
      continue;
    }
    const inner = typeof audience === 'object' && 'is' in audience && audience.is === is;
    for (const one of inner ? audience.of : [audience]) open.set(JSON.stringify(one), one);
  }
  const of = [...open].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  return of.length > 1 ? { is, of } : (of[0] ?? is === 'allOf');
}

/** The alternatives of a scope: whoever is in one of them is in it. */
export function alternativesOf(scope: Scope): readonly Scope[] {
  return scope.is === 'anyOf' ? scope.scopes.flatMap(alternativesOf) : [scope];
}

/** A step to the target of the to-one `field` of `type`, or back to all that point with it. */
export interface ScopeStep {
  readonly is: 'at' | 'some';
  readonly type: TypeName;
  readonly field: string;
}

/** A field that a scope reads, of the record of `type` to which `steps` lead. */
export interface ScopePath {
  readonly steps: readonly ScopeStep[];
  readonly type: TypeName;
  readonly field: string;
}

/** Returns all fields that `scope` reads, beginning at a record of `type`. */
export function pathsOf(
  scope: Scope,
  type: TypeName,
  steps: readonly ScopeStep[] = [],
): ScopePath[] {
  switch (scope.is) {
    case 'everyone':
    case 'nobody':
    case 'superAdmin':
      return [];
    case 'within':
    case 'equals':
    case 'notNull':
      return [{ steps, type, field: scope.field }];
    case 'at': {
      const { field } = scope;
      const next = [...steps, { is: scope.is, type, field }];
      return [{ steps, type, field }, ...pathsOf(scope.scope, targetOf(type, field), next)];
    }
    case 'some': {
      const next = [...steps, { is: scope.is, type: scope.type, field: scope.field }];
      const link = { steps: next, type: scope.type, field: scope.field };
      return [link, ...pathsOf(scope.scope, scope.type, next)];
    }
    case 'anyOf':
    case 'allOf':
      return scope.scopes.flatMap((inner) => pathsOf(inner, type, steps));
  }
}

/** The type to which the to-one `field` of `type` leads. */
export function targetOf(type: TypeName, field: string): TypeName {
  const to = toOnesOf(type).find(([name]) => name === field)?.[1].to;
  if (to === undefined) throw new Error(`${type} has no to-one called ${field}`);
  return to;
}
