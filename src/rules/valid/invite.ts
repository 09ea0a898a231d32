import { isUuid } from '#base/id.ts';
import { ROLE_NAMES } from '#schema/role.ts';
import { broken } from './broken.ts';
import type { Broken } from './broken.ts';
import type { RecordRules } from './form.ts';

export const INVITE_LASTS_MOST_MS = 30 * 24 * 3_600_000;

export const brokenInvite: RecordRules<'organizationInvite'> = ({ after, written, at }) => [
  written.includes('expiresAt') ? brokenEnd(after.expiresAt, at) : null,
];

/** Its roles are those that belong to an organization, its groups are of this one. */
export const brokenMembershipInvite: RecordRules<'organizationMembershipInvite'> = (checking) => {
  const { after, written, at, find } = checking;
  const { organization, expiresAt } = after;
  const groupIds = listed(after.groupIds);
  return [
    written.includes('expiresAt') ? brokenEnd(expiresAt, at) : null,
    brokenRoles(listed(after.roleNames)),
    groupIds.every((id) => isUuid(id)) ? null : broken('groupIds', 'type'),
    groupIds.every((id) => !isUuid(id) || find.one('group', id)?.owner === organization)
      ? null
      : broken('groupIds', 'reference'),
  ];
};

// A value that is no list has been named as such before.
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function brokenRoles(names: readonly unknown[]): Broken | null {
  const choices = ROLE_NAMES.filter((name) => name !== 'SuperAdmin');
  if (names.some((name) => typeof name !== 'string')) return broken('roleNames', 'type');
  const areKnown = names.every((name) => choices.some((choice) => choice === name));
  return areKnown ? null : broken('roleNames', 'choice', { choices });
}

/** An invitation ends between now and 30 days from now. */
function brokenEnd(end: string | null, at: string): Broken | null {
  const latest = new Date(Date.parse(at) + INVITE_LASTS_MOST_MS).toISOString();
  if (end === null || (end >= at && end <= latest)) return null;
  return broken('expiresAt', 'range', { min: at, max: latest });
}
