import { choice, one, resource } from './define.ts';
import type { RecordOf } from './define.ts';
import { ROLE_NAMES } from './role.ts';

/** A role that a person holds: in one organization, or, SuperAdmin, in the whole installation. */
export const userRole = resource(
  'userRole',
  'LGCD',
  {
    /** A copy of the role's. */
    roleName: choice(...ROLE_NAMES).by('server'),
    user: one('user').required().by('create'),
    role: one('role').required().by('create'),
    organization: one('organization').by('create'),
  },
  {
    belongsTo: 'organization',
    below: ['user', 'organization'],
    load: 'first',
    unique: ['user', 'role', 'organization'],
    isShownFirst: true,
    predict: ({ role }, { find }) => ({ roleName: find('role', role)?.roleName }),
  },
);

export type UserRole = RecordOf<typeof userRole>;
