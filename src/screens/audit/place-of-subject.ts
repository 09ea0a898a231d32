import type { Viewer } from '#rules/viewer.ts';

const OF_THE_CATALOGUE: ReadonlySet<string> = new Set([
  ...['product-definitions', 'workflow-definitions', 'stores', 'store-types'],
]);

/**
 * The page of the record that an event is about, by the name of its type on the wire; null where
 * it has none that the viewer may enter. The record may be gone since.
 */
export function placeOfSubject(type: string, id: string, viewer: Viewer): string | null {
  switch (type) {
    case 'users':
    case 'projects':
      return `/${type}/${id}`;
    case 'products':
      return `/products/${id}/files`;
    case 'organizations':
      return `/organizations/${id}/settings`;
    case 'organization-membership-invites':
      return '/users';
    case 'organization-invites':
      return viewer.isSuperAdmin ? '/admin' : null;
    default:
      return viewer.isSuperAdmin && OF_THE_CATALOGUE.has(type)
        ? `/admin/settings/${type}/${id}/edit`
        : null;
  }
}
