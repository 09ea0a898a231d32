import type { Of } from '#schema/index.ts';
import { userIdBySignInAddress } from '../accounts/person.ts';
import type { MailLanguage } from '#text/say.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import { countInvitation } from './count-invitation.ts';
import type { Effects } from './effects.ts';
import { mailLater, newToken } from './invite-token.ts';

/** An invitation to found an organization: mailed when made, and again when its end is moved (I6). */
export const organizationInvite: Effects = {
  created: (context, record) => invite(context, record as Of<'organizationInvite'>),
  changed: async (context, _, after, fields) => {
    if ('expiresAt' in fields) await invite(context, after as Of<'organizationInvite'>);
  },
};

async function invite(context: ChangeContext, record: Of<'organizationInvite'>): Promise<void> {
  const { id, ownerEmail, name, url, expiresAt } = record;
  await countInvitation(context, null, ownerEmail);
  const token = await newToken(context, 'organization', id);
  const filledIn = new URLSearchParams({ name: name ?? '', websiteUrl: url ?? '' });
  const path = `/invitations/organization/${token}?${filledIn.toString()}`;
  mailLater(context, {
    to: ownerEmail,
    language: await languageFor(context, ownerEmail),
    template: 'organizationInvite',
    values: { link: `${context.services.config.publicUrl}${path}`, until: expiresAt ?? context.at },
  });
}

/** Returns the language of the account with the address; of the inviter when there is none (I2). */
export async function languageFor(
  { write, viewer }: ChangeContext,
  email: string,
): Promise<MailLanguage> {
  const known = await userIdBySignInAddress(write, email);
  const reader = await write.one('user', known ?? viewer.id);
  return reader?.locale ?? 'en-US';
}
