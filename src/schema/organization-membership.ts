import { email, one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/** That a person belongs to an organization. */
export const organizationMembership = resource(
  'organizationMembership',
  'LGCD',
  {
    /** Names the person by their sign-in address, instead of `user`. */
    email: email().writeOnly().by('create'),
    user: one('user').required().by('create'),
    organization: one('organization').required().by('create'),
  },
  {
    belongsTo: 'organization',
    below: ['user', 'organization'],
    load: 'first',
    unique: ['user', 'organization'],
  },
);

export type OrganizationMembership = RecordOf<typeof organizationMembership>;
