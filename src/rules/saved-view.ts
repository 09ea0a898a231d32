import type { SavedView } from '#schema/saved-view.ts';
import { mayAdminister } from './organization.ts';
import type { Viewer } from './viewer.ts';

/** Everyone makes views of all organizations, and of those they belong to. */
export function mayCreateView(
  viewer: Viewer,
  { organization }: Pick<SavedView, 'organization'>,
): boolean {
  return organization === null || viewer.isSuperAdmin || viewer.memberOf.has(organization);
}

/** Changes and removes: whoever made it, and of a shared one also an admin of its organization. */
export function mayChangeView(
  viewer: Viewer,
  { owner, isShared, organization }: Pick<SavedView, 'owner' | 'isShared' | 'organization'>,
): boolean {
  const isAdmins = isShared && organization !== null && mayAdminister(viewer, organization);
  return viewer.id === owner || isAdmins;
}

/** Only those share with an organization who may make views there. */
export function mayShareView(
  viewer: Viewer,
  _before: SavedView | null,
  after: Pick<SavedView, 'isShared' | 'organization'>,
): boolean {
  return !after.isShared || mayCreateView(viewer, after);
}
