import { ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import type { WriteTransaction } from '../../db/database.ts';
import type { ScopeFacts } from '../../db/feed-row.ts';
import { identifier } from '#protocol/present.ts';

/**
 * Returns 410 for a viewer who could see the removed record; null for others, and when there never
 * was one.
 */
export async function goneProblem(
  write: WriteTransaction,
  viewer: Viewer,
  type: TypeName,
  id: string,
): Promise<Problem | null> {
  const stone = await write.tombstone(type, id);
  if (stone === null || !couldRead(viewer, type, stone.scope)) return null;
  const by = stone.by === null ? null : identifier('user', stone.by);
  return { code: 'gone', meta: { ref: identifier(type, id), by, at: stone.at } };
}

export async function goneOrNotFound(
  write: WriteTransaction,
  viewer: Viewer,
  type: TypeName,
  id: string,
): Promise<ProblemError> {
  return new ProblemError((await goneProblem(write, viewer, type, id)) ?? { code: 'not-found' });
}

const CATALOGUE: ReadonlySet<TypeName> = new Set([
  'storeType',
  'store',
  'workflowDefinition',
  'productDefinition',
]);
const OWN: ReadonlySet<TypeName> = new Set(['userTask', 'notification']);
const OPEN_TO_OUTSIDERS: ReadonlySet<TypeName> = new Set([
  'product',
  'productBuild',
  'productArtifact',
]);

/**
 * Returns true when a record with these scope facts was visible (domain 2.3); the record itself
 * cannot be read any more.
 */
function couldRead(viewer: Viewer, type: TypeName, scope: ScopeFacts): boolean {
  const isOwn = scope.user === viewer.id;
  if (OWN.has(type)) return isOwn;
  if (CATALOGUE.has(type) || viewer.isSuperAdmin) return true;
  const isAdmin = scope.organizations.some((id) => viewer.adminOf.has(id));
  if (type === 'organizationMembershipInvite') return isAdmin;
  if (type === 'reviewer') return isAdmin || isOfTeam(viewer, scope);
  const isMember = scope.organizations.some((id) => viewer.memberOf.has(id));
  return isMember || isOwn || (OPEN_TO_OUTSIDERS.has(type) && scope.isPublic);
}

function isOfTeam(viewer: Viewer, { team, organizations }: ScopeFacts): boolean {
  if (team === null || !organizations.some((id) => viewer.memberOf.has(id))) return false;
  return (
    team.owner === viewer.id ||
    viewer.groups.has(team.group) ||
    (team.authors.includes(viewer.id) && organizations.some((id) => viewer.authorIn.has(id)))
  );
}
