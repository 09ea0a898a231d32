import { roleNameOf } from '../user-role.ts';
import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';
import { isMember } from './membership.ts';

/** SuperAdmin is held without an organization, the others in one to which the person belongs. */
export const brokenUserRole: RecordRules<'userRole'> = ({ after, find }) => {
  const { user, organization } = after;
  const name = roleNameOf(after, find);
  if (name === null) return [];
  if (name === 'SuperAdmin') {
    return [organization === null ? null : broken('organization', 'mismatch')];
  }
  if (organization === null) return [broken('organization', 'required')];
  if (find.one('user', user) === null) return [];
  return [isMember(find, user, organization) ? null : broken('user', 'no-membership')];
};
