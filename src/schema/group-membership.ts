import { one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/** Says that a person is in a group. */
export const groupMembership = resource(
  'groupMembership',
  'LGCD',
  {
    user: one('user').required().by('create'),
    group: one('group').required().by('create'),
  },
  {
    belongsTo: 'group.owner',
    below: ['user', 'group'],
    load: 'first',
    unique: ['user', 'group'],
    isShownFirst: true,
  },
);

export type GroupMembership = RecordOf<typeof groupMembership>;
