import { toOnesOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { Find } from './find.ts';
import type { Viewer } from './viewer.ts';

/** A set of ids that a viewer brings along; `self` holds their own id alone. */
export type ViewerSet = 'self' | 'memberOf' | 'adminOf' | 'authorIn' | 'groups';

/**
 * Says as data who sees a record (or one of its fields): SQL (`server/access/scope-sql.ts`) and
 * `inScope` are both derived from it. The record itself is at its field `id`.
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

/** Says whether `record` of `type` is in `scope` for `viewer`. */
export function inScope(
  scope: Scope,
  viewer: Viewer,
  type: TypeName,
  record: AnyRecord,
  find: Find,
): boolean {
  const test = (inner: Scope) => inScope(inner, viewer, type, record, find);

  switch (scope.is) {
    case 'everyone':
      return true;
    case 'nobody':
      return false;
    case 'superAdmin':
      return viewer.isSuperAdmin;
    case 'within':
      return isWithin(viewer, scope.set, record[scope.field]);
    case 'equals':
      return record[scope.field] === scope.value;
    case 'notNull':
      return record[scope.field] !== null;
    case 'at':
      return isAt(scope.field, scope.scope, viewer, type, record, find);
    case 'some':
      return find
        .all(scope.type, { [scope.field]: record.id })
        .some((other) => inScope(scope.scope, viewer, scope.type, other, find));
    case 'anyOf':
      return scope.scopes.some(test);
    case 'allOf':
      return scope.scopes.every(test);
  }
}

function isWithin(viewer: Viewer, set: ViewerSet, id: unknown): boolean {
  if (typeof id !== 'string') return false;
  return set === 'self' ? viewer.id === id : viewer[set].has(id);
}

function isAt(
  field: string,
  scope: Scope,
  viewer: Viewer,
  type: TypeName,
  record: AnyRecord,
  find: Find,
): boolean {
  const id = record[field];
  const to = targetOf(type, field);
  const other = typeof id === 'string' ? find.one(to, id) : null;
  return other !== null && inScope(scope, viewer, to, other, find);
}

/** The type to which the to-one `field` of `type` leads. */
export function targetOf(type: TypeName, field: string): TypeName {
  const to = toOnesOf(type).find(([name]) => name === field)?.[1].to;
  if (to === undefined) throw new Error(`${type} has no to-one called ${field}`);
  return to;
}
