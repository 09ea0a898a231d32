import { email, instant, one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/** Says that a person belongs to an organization. */
export const organizationMembership = resource(
  'organizationMembership',
  'LGCUD',
  {
    /** Names the person by their sign-in address, instead of `user`. */
    email: email().writeOnly().by('create'),
    user: one('user').required().by('create'),
    organization: one('organization').required().by('create'),
    /**
     * The moment at which the person agreed to it. Until then it opens nothing of theirs to the
     * organization.
     */
    dateAccepted: instant().by('update'),
    /**
     * The person who added or invited them; null: they founded the organization, or nobody knows
     * any more.
     */
    addedBy: one('user').by('server'),
  },
  {
    belongsTo: 'organization',
    below: ['user', 'organization'],
    load: 'first',
    unique: ['user', 'organization'],
    isShownFirst: true,
    // People who add themselves agree to it; everybody else is asked (domain 2.8).
    predict: ({ user }, { at, viewer }) => ({
      addedBy: viewer.id,
      ...(user === viewer.id ? { dateAccepted: at } : {}),
    }),
  },
);

export type OrganizationMembership = RecordOf<typeof organizationMembership>;
