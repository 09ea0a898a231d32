import { bool, instant, line, map, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** A message to a person: the text in their language then, its key and values for others. */
export const notification = resource(
  'notification',
  'LGUD',
  {
    message: text().by('server'),
    messageId: line().by('server'),
    messageValues: map().by('server'),
    linkUrl: line().by('server'),
    dateRead: instant().by('update'),
    dateEmailSent: instant().by('server'),
    sendEmail: bool().orElse(false).by('server'),
    user: one('user').by('server'),
  },
  { below: ['user'], load: 'first', delaysRemoval: true },
);

export type Notification = RecordOf<typeof notification>;
