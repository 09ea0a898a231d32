import type { Notification } from '#schema/notification.ts';
import type { Viewer } from './viewer.ts';

/** A notification is its person's alone. */
export function isOwn(viewer: Viewer, { user }: Pick<Notification, 'user'>): boolean {
  return viewer.id === user;
}
