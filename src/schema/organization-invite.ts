import { bool, email, instant, line, resource, url } from './define.ts';
import type { RecordOf } from './define.ts';

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
  { load: 'ask' },
);

export type OrganizationInvite = RecordOf<typeof organizationInvite>;
