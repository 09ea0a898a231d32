import { bool, email, instant, line, resource, url } from './define.ts';
import type { RecordOf } from './define.ts';

export const INVITE_LASTS_MS = 24 * 3_600_000;

/** Returns the end of an invitation that states none. */
export const inviteEnd = (at: string) => new Date(Date.parse(at) + INVITE_LASTS_MS).toISOString();

/** An invitation to create an organization; its token travels only in the mail. */
export const organizationInvite = resource(
  'organizationInvite',
  'LGCUD',
  {
    name: line(250),
    ownerEmail: email().required(),
    /** The organization's website. */
    url: url(),
    expiresAt: instant(),
    redeemed: bool().orElse(false).by('server'),
  },
  { load: 'ask', isCommand: true, predict: (_, { at }) => ({ expiresAt: inviteEnd(at) }) },
);

export type OrganizationInvite = RecordOf<typeof organizationInvite>;
