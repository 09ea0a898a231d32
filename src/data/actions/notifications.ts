import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';
import { removeForNow } from './removing.ts';

type Notification = Of<'notification'>;

/** @param message what it says, in the reader's words */
export const markRead = (data: Data, { id }: Notification, message: string): Promise<void> =>
  data.edit('notification', id, { dateRead: new Date(data.clock()).toISOString() }, [
    'changes.notification.read',
    { message },
  ]);

/** Returns and throws as `removeForNow`; undoing does not send the notification again. */
export const removeNotification = (data: Data, { id }: Notification, message: string) =>
  removeForNow(
    data,
    { type: 'notification', id },
    ['changes.notification.remove', { message }],
    () => Promise.resolve(),
  );
