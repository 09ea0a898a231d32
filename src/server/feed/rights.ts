import type { Of, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import type { Rights } from '../db/feed-row.ts';
import type { Journal } from '../db/journal.ts';

/**
 * Returns the rights of `user` before the open transaction touched memberships, roles and groups.
 */
export async function rightsBefore(
  tx: DatabaseTransaction,
  journal: Journal,
  user: string,
): Promise<Rights> {
  const memberships = await before(tx, journal, 'organizationMembership', user);
  const roles = await before(tx, journal, 'userRole', user);
  const groups = await groupsBefore(tx, journal, user);

  const memberOf = memberships.map(({ organization }) => organization);
  // A role or a group counts only with a membership of its organization (domain 2.1, P2).
  const among = <T extends { readonly organization: string | null }>(all: readonly T[]): T[] =>
    all.filter(({ organization }) => organization !== null && memberOf.includes(organization));
  const holding = (name: string): string[] =>
    among(roles).flatMap(({ roleName, organization }) =>
      roleName === name && organization !== null ? [organization] : [],
    );
  return {
    isSuperAdmin: roles.some(({ roleName }) => roleName === 'SuperAdmin'),
    memberOf,
    adminOf: holding('OrganizationAdmin'),
    builderIn: holding('AppBuilder'),
    authorIn: holding('Author'),
    groups: among(groups).map(({ id }) => id),
  };
}

async function groupsBefore(tx: DatabaseTransaction, journal: Journal, user: string) {
  const groups: { id: string; organization: string }[] = [];
  for (const { group: id } of await before(tx, journal, 'groupMembership', user)) {
    const touched = journal.of('group', id)?.before as Of<'group'> | null | undefined;
    const group = touched ?? (await tx.one('group', id));
    if (group !== null) groups.push({ id, organization: group.owner });
  }
  return groups;
}

/**
 * Returns the records of `type` that named `user`: the untouched ones, and the touched ones as they
 * were.
 */
async function before<T extends 'organizationMembership' | 'userRole' | 'groupMembership'>(
  tx: DatabaseTransaction,
  journal: Journal,
  type: T,
  user: string,
): Promise<Of<T>[]> {
  const now = await tx.all<TypeName>(type, { user } as object);
  const untouched = now.filter(({ id }) => journal.of(type, id) === null);
  const were = journal.all().flatMap((touched) => {
    const record = touched.type === type ? touched.before : null;
    return record?.user === user ? [record] : [];
  });
  return [...untouched, ...were] as Of<T>[];
}
