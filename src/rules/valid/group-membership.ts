import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';
import { isMember } from './membership.ts';

/** A person in a group is a member of its organization. */
export const brokenGroupMembership: RecordRules<'groupMembership'> = ({
  after: { user, group },
  find,
}) => {
  const organization = find.one('group', group)?.owner;
  if (organization === undefined || find.one('user', user) === null) return [];
  return [isMember(find, user, organization) ? null : broken('user', 'no-membership')];
};
