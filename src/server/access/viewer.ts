import { sql } from 'kysely';
import type { Viewer } from '#rules/viewer.ts';
import type { RoleName } from '#schema/role.ts';
import type { TypeName } from '#schema/index.ts';
import type { DatabaseTransaction, WriteTransaction } from '../db/database.ts';

interface Row {
  readonly holds: 'membership' | 'group' | RoleName;
  readonly id: string | null;
  readonly organization: string | null;
}

/**
 * Loads the viewer `userId`, as the transaction sees it. A role counts only with membership (P2).
 */
export async function loadViewer(tx: DatabaseTransaction, userId: string): Promise<Viewer> {
  const rows = await tx.query<Row>(sql<Row>`
    select 'membership' as holds, organization_id as id, organization_id as organization
      from organization_memberships where user_id = ${userId}
    union all
    select role_name, organization_id, organization_id from user_roles where user_id = ${userId}
    union all
    select 'group', groups.id, groups.owner_id
      from group_memberships join groups on groups.id = group_memberships.group_id
      where group_memberships.user_id = ${userId}`);

  const memberOf = idsOf(rows, 'membership');
  const among = (holds: Row['holds']) =>
    idsOf(
      rows.filter((row) => row.organization !== null && memberOf.has(row.organization)),
      holds,
    );

  return {
    id: userId,
    isSuperAdmin: rows.some(({ holds }) => holds === 'SuperAdmin'),
    memberOf,
    adminOf: among('OrganizationAdmin'),
    builderIn: among('AppBuilder'),
    authorIn: among('Author'),
    groups: among('group'),
  };
}

const DECIDING: readonly TypeName[] = [
  'organizationMembership',
  'userRole',
  'groupMembership',
  'group',
];

/** Does the same for a writing transaction, which loads it again after a change of it. */
export function viewerIn(write: WriteTransaction, userId: string): Promise<Viewer> {
  return write.cached(`viewer ${userId}`, DECIDING, (tx) => loadViewer(tx, userId));
}

function idsOf(rows: readonly Row[], holds: Row['holds']): ReadonlySet<string> {
  return new Set(rows.flatMap((row) => (row.holds === holds && row.id !== null ? [row.id] : [])));
}
