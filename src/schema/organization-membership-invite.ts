import { bool, email, instant, list, one, resource } from './define.ts';
import { inviteEnd } from './organization-invite.ts';
import type { RecordOf } from './define.ts';

/** An invitation to join an organization; its token travels only in the mail. */
export const organizationMembershipInvite = resource(
  'organizationMembershipInvite',
  'LGCD',
  {
    email: email().required().by('create'),
    expiresAt: instant().by('create'),
    redeemed: bool().orElse(false).by('server'),
    roleNames: list().orElse([]).by('create'),
    groupIds: list().orElse([]).by('create'),
    organization: one('organization').required().by('create'),
    invitedBy: one('user').by('server'),
  },
  {
    belongsTo: 'organization',
    below: ['organization'],
    load: 'ask',
    narrowed: true,
    isCommand: true,
    predict: (_, { at, viewer }) => ({ expiresAt: inviteEnd(at), invitedBy: viewer.id }),
  },
);

export type OrganizationMembershipInvite = RecordOf<typeof organizationMembershipInvite>;
