import { invalid } from '#protocol/problem.ts';
import { isEmail } from '#rules/valid/value.ts';
import type { Of } from '#schema/index.ts';
import { userIdBySignInAddress } from '../accounts/person.ts';
import { pointerOf } from '../writes/check.ts';
import { countInvitation } from './count-invitation.ts';
import type { Effects } from './effects.ts';
import { mailLater, newToken } from './invite-token.ts';
import { nameOf } from '../notifications/notify.ts';
import { languageFor } from './organization-invite.ts';

const TYPE = 'organizationMembershipInvite';
type Invite = Of<typeof TYPE>;

/** An invitation to an organization (domain 9.2): its token travels in the mail alone. */
export const organizationMembershipInvite: Effects = {
  check: async ({ write }, { after, stated }) => {
    const { email, organization } = after as unknown as Invite;
    if (typeof email !== 'string' || !isEmail(email)) return [];
    const user = await userIdBySignInAddress(write, email);
    if (user === null) return [];
    const held = await write.all('organizationMembership', { user, organization });
    return held.length === 0 ? [] : [invalid(pointerOf(TYPE, 'email', stated), 'already-member')];
  },
  created: async (context, record) => {
    const { id, email, organization, invitedBy, expiresAt } = record as unknown as Invite;
    await countInvitation(context, organization, email);
    const token = await newToken(context, 'membership', id);
    const to = await context.write.one('organization', organization);
    const path = `/invitations/organization-membership/${token}`;
    mailLater(context, {
      to: email,
      language: await languageFor(context, email),
      template: 'membershipInvite',
      values: {
        organization: to?.name ?? '',
        inviter: await nameOf(context, invitedBy ?? context.viewer.id),
        link: `${context.services.config.publicUrl}${path}`,
        until: expiresAt ?? context.at,
      },
    });
  },
};
