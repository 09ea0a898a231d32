import { sql } from 'kysely';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import type { FeedRow, Rights } from '../db/feed-row.ts';

/** Returns the rows after row `k` of commit `n + 1`, in order; at most `most`. */
export function rowsAfter(
  tx: DatabaseTransaction,
  { n, k }: { readonly n: number; readonly k: number },
  most: number,
): Promise<FeedRow[]> {
  return tx.query(sql<FeedRow>`
    select n, mark, k, kind, type, id, op, fields, before, after, changes, by, at
    from feed join feed_marks using (n)
    where n > ${n}::bigint and not (n = ${n}::bigint + 1 and k <= ${k}::integer)
    order by n, k limit ${most}`);
}

/** Returns the types of which something was written after commit `n`. */
export async function typesSince(
  tx: DatabaseTransaction,
  n: number,
): Promise<ReadonlySet<TypeName>> {
  const rows = await tx.query(
    sql<{ readonly type: TypeName }>`select distinct type from feed
      where n > ${n}::bigint and kind <> 'viewer'`,
  );
  return new Set(rows.map(({ type }) => type));
}

/**
 * Returns the rows about records of a type that were written after commit `n`, beyond the id
 * `after`: by id, with the first row of each record, which says where it stood until then, before
 * its others.
 */
export function rowsSince(
  tx: DatabaseTransaction,
  n: number,
  { type, after, most }: { readonly type: TypeName; readonly after: string; readonly most: number },
): Promise<Pick<FeedRow, 'id' | 'before'>[]> {
  return tx.query(sql<Pick<FeedRow, 'id' | 'before'>>`
    select id, before from feed
    where type = ${type} and id > ${after}::uuid and n > ${n}::bigint and kind <> 'viewer'
    order by type, id, n limit ${most}`);
}

/** Returns the oldest commit that the feed still has; null when it has none. */
export async function oldestOf(tx: DatabaseTransaction): Promise<number | null> {
  const [row] = await tx.query(sql<{ readonly n: number | null }>`select min(n) as n from feed`);
  return row?.n ?? null;
}

/** The commit of a viewer row, and the user's rights before it. */
export interface PermissionChange {
  readonly n: number;
  readonly before: Viewer;
}

/** Returns the changes of the rights of `user` since commit `n`, oldest first. */
export async function permissionChangesOf(
  tx: DatabaseTransaction,
  user: string,
  n: number,
): Promise<PermissionChange[]> {
  const rows = await tx.query(sql<{ readonly n: number; readonly before: Rights }>`
    select n, before from feed
    where kind = 'viewer' and type = 'user' and id = ${user} and n > ${n}::bigint order by n, k`);
  return rows.map((row) => ({ n: row.n, before: viewerWith(user, row.before) }));
}

function viewerWith(id: string, rights: Rights): Viewer {
  return {
    id,
    isSuperAdmin: rights.isSuperAdmin,
    memberOf: new Set(rights.memberOf),
    adminOf: new Set(rights.adminOf),
    builderIn: new Set(rights.builderIn),
    authorIn: new Set(rights.authorIn),
    groups: new Set(rights.groups),
  };
}

/** Returns `reader`'s viewer as it was just before commit `n`. */
export function viewerBefore(
  permissionChanges: readonly PermissionChange[],
  n: number,
  now: Viewer,
): Viewer {
  return permissionChanges.find((permissionChange) => permissionChange.n >= n)?.before ?? now;
}
