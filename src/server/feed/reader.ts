import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { isAmong } from '#rules/scope.ts';
import type { Viewer } from '#rules/viewer.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { ownFieldOf } from '../access/feed-scope.ts';
import { withinSql } from '../access/query/within.ts';
import type { ScopeFacts } from '../db/feed-row.ts';
import { mayDifferSql, visibleSql } from '../access/scope-sql.ts';
import { columnOf, tableOf } from '../db/tables.ts';

/** The person who reads the feed. */
export interface FeedViewer {
  readonly viewer: Viewer;
  /** The organization that a super admin chose; null for none, and for everyone else. */
  readonly selected: string | null;
}

/** `selected` counts for super admins alone (wire 4). */
export function feedViewerOf(viewer: Viewer, selected: string | null): FeedViewer {
  return { viewer, selected: viewer.isSuperAdmin ? selected : null };
}

/** Returns the organizations whose records are in the reader's feed (wire 9.1, 9.4). */
export function organizationsOf({ viewer, selected }: FeedViewer): readonly string[] {
  if (!viewer.isSuperAdmin) return [...viewer.memberOf];
  return selected === null ? [] : [selected];
}

/**
 * Returns the condition that the row `alias` of the table of `type` is in the reader's feed now.
 */
export function inFeedSql(type: TypeName, alias: string, reader: FeedViewer): RawBuilder<boolean> {
  const isVisible = visibleSql(type, alias, reader.viewer);
  if (resourceOf(type).belongsTo === '' && reader.viewer.isSuperAdmin) return isVisible;

  const isWithin = withinSql(type, alias, organizationsOf(reader));
  const own = ownSql(type, alias, reader);
  if (own === null) return sql<boolean>`(${isWithin} and ${isVisible})`;
  return sql<boolean>`((${own} or ${isWithin}) and ${isVisible})`;
}

/** Returns the condition that the row `alias` names the reader; null where that does not count. */
function ownSql(type: TypeName, alias: string, { viewer }: FeedViewer): RawBuilder<boolean> | null {
  const own = ownFieldOf(type);
  if (own === null) return null;
  return sql<boolean>`${sql.ref(`${alias}.${columnOf(type, own)}`)} = ${viewer.id}::uuid`;
}

/** One person as a reader, with the rights now and with others before. */
export interface RightsChange {
  readonly before: FeedViewer;
  readonly now: FeedViewer;
}

export interface DifferenceKind {
  /**
   * `lost`: it was in the feed and is not. `changed`: it was not and is, or the other way round, or
   * a field is newly shown or hidden.
   */
  readonly how: 'lost' | 'changed';
  /** Records of these organizations are left out. */
  readonly excludedOrganizations: ReadonlySet<string>;
}

/**
 * Returns conditions of which the row `alias` meets one if it differs for the two; many rows that
 * meet one do not differ. None: nothing of the type differs.
 *
 * A row is in the feed by an organization, by the person or by visibility (`inFeedSql`), and the
 * person is the same. No scope asks that somebody is *not* something. So a row can be lost only by
 * an id or a role that was taken away, and can differ only by one that only one of the two has.
 */
export function mayDifferInFeedSql(
  type: TypeName,
  alias: string,
  change: RightsChange,
  { how, excludedOrganizations }: DifferenceKind,
): RawBuilder<boolean>[] {
  const { before, now } = change;
  const [had, have] = [new Set(organizationsOf(before)), new Set(organizationsOf(now))];
  const choose = (a: ReadonlySet<string>, b: ReadonlySet<string>) => {
    const ids = how === 'lost' ? [...a].filter((id) => !b.has(id)) : differenceOf(a, b);
    return new Set(ids.filter((id) => !excludedOrganizations.has(id)));
  };
  const rights = differentRights(change, how, choose);
  const { belongsTo } = resourceOf(type);
  if (belongsTo === '' && rights.isSuperAdmin) return [sql`true`];

  const seen = mayDifferSql(type, alias, rights, how === 'changed');
  const isOfOrganizations = belongsTo !== null;
  const within = (ids: ReadonlySet<string>) =>
    isOfOrganizations && ids.size > 0 ? [withinSql(type, alias, [...ids])] : [];
  if (seen !== null) return [...within(choose(had, have)), ...seen];
  if (!isOfOrganizations) return [sql`true`];
  const own = ownSql(type, alias, now);
  const all = [...had, ...have].filter((id) => !excludedOrganizations.has(id));
  return [...(own === null ? [] : [own]), ...within(new Set(all))];
}

type Choose = (before: ReadonlySet<string>, now: ReadonlySet<string>) => ReadonlySet<string>;

/** Returns a viewer with no other rights than those by which the two may differ. */
function differentRights(change: RightsChange, how: DifferenceKind['how'], choose: Choose): Viewer {
  const [before, now] = [change.before.viewer, change.now.viewer];
  return {
    id: now.id,
    isSuperAdmin:
      before.isSuperAdmin !== now.isSuperAdmin && (how === 'changed' || before.isSuperAdmin),
    memberOf: choose(before.memberOf, now.memberOf),
    adminOf: choose(before.adminOf, now.adminOf),
    builderIn: choose(before.builderIn, now.builderIn),
    authorIn: choose(before.authorIn, now.authorIn),
    groups: choose(before.groups, now.groups),
  };
}

/** Returns what only one of the two has. */
function differenceOf(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...[...a].filter((id) => !b.has(id)), ...[...b].filter((id) => !a.has(id))];
}

/**
 * Returns true when a record with the scope facts `facts` was in the reader's feed: the same as
 * `inFeedSql`, for records that may have gone or changed since.
 */
export function inFeedAt(type: TypeName, facts: ScopeFacts, reader: FeedViewer): boolean {
  const { viewer } = reader;
  if (!isAmong(viewer, facts.audience)) return false;
  const { belongsTo } = resourceOf(type);
  if (belongsTo === null || facts.user === viewer.id) return true;
  if (belongsTo === '' && viewer.isSuperAdmin) return true;
  const within = organizationsOf(reader);
  return facts.organizations.some((id) => within.includes(id));
}

/**
 * Returns the condition that a row is in the working set, for a type that is not in it as a whole
 * (wire 16.1).
 */
export function inWorkingSetSql(type: TypeName, alias: string): RawBuilder<boolean> {
  if (type === 'productBuild') return newestSql(type, alias, sql`true`, sql`true`);
  if (type === 'productPublication')
    return newestSql(type, alias, sql.ref(`${alias}.success`), sql`ws.success`);
  if (type !== 'productArtifact') return sql<boolean>`true`;
  return sql<boolean>`exists (select 1 from ${sql.table(tableOf('productBuild'))} as ws_build
    where ws_build.id = ${sql.ref(`${alias}.product_build_id`)}
    and ${newestSql('productBuild', 'ws_build', sql`true`, sql`true`)})`;
}

/** Returns the condition that a row is the newest of its product among those that count. */
function newestSql(
  type: TypeName,
  alias: string,
  counts: RawBuilder<unknown>,
  otherCounts: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`(${counts} and not exists (select 1 from ${sql.table(tableOf(type))} as ws
    where ws.product_id = ${column('product_id')} and ${otherCounts}
    and (ws.date_created, ws.id) > (${column('date_created')}, ${column('id')})))`;
}
