import { email, line, resource, url } from './define.ts';
import type { RecordOf } from './define.ts';

/** The request of a visitor who wants an organization; mailed to super admins, not stored. */
export const organizationInviteRequest = resource(
  'organizationInviteRequest',
  'C',
  {
    name: line(250).required().by('create'),
    orgAdminEmail: email().required().by('create'),
    websiteUrl: url().required().by('create'),
  },
  { isStored: false, isCreatedByCall: true },
);

export type OrganizationInviteRequest = RecordOf<typeof organizationInviteRequest>;
