import { newId } from '#base/id.ts';
import type { Of } from '#schema/index.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../db/database.ts';
import { keyOf } from '../accounts/person.ts';
import { nameOf, notify } from '../notifications/notify.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import { countInvitation, mayMail } from './count-invitation.ts';
import { mailLater } from './invite-token.ts';

type Membership = Of<'organizationMembership'>;
type PersonInOrganization = Pick<Membership, 'user' | 'organization'>;

/** People join an organization here, and are asked whether they agree (domain 2.8). */

/**
 * Decides what happens once the person's address has had its mails of the day (wire 15.2): the
 * change is refused, or only the mail is left out.
 */
export type BeyondLimit = 'refuse' | 'leave-mail-out';

/**
 * Makes the person a member unless they are one; a person who adds themself agrees to it. @throws
 * ProblemError 429
 */
export async function addMember(
  context: ChangeContext,
  place: PersonInOrganization,
  beyond: BeyondLimit,
): Promise<void> {
  const { services, write, viewer, at } = context;
  if ((await write.all('organizationMembership', place)).length > 0) return;
  const isOwn = place.user === viewer.id;
  const membership = {
    id: newId(services.clock, services.random),
    ...place,
    dateAccepted: isOwn ? at : null,
    addedBy: isOwn ? null : viewer.id,
  };
  await write.insert('organizationMembership', membership);
  await notifyAdded(context, membership, beyond);
}

/**
 * Asks the added person, by a notification and at once by a mail, whether they stay.
 *
 * @param counted the address for which the mail was counted before, if it was
 * @throws ProblemError 429
 */
export async function notifyAdded(
  context: ChangeContext,
  membership: PersonInOrganization & Pick<Membership, 'dateAccepted'>,
  beyond: BeyondLimit,
  counted: string | null = null,
): Promise<void> {
  const { user, organization, dateAccepted } = membership;
  if (dateAccepted !== null) return;
  const { write, viewer } = context;
  const orgName = (await write.one('organization', organization))?.name ?? '';
  const userName = await nameOf(context, viewer.id);
  const values = { userName, orgName };
  await notify(context, user, { id: 'membershipAdded', organization, values, linkUrl: LINK });

  const person = await write.one('user', user);
  const to = person?.email ?? null;
  if (person === null || to === null || person.isLocked) return;
  if (!(await mayMailTo(context, to, membership, beyond, counted))) return;
  mailLater(context, {
    to,
    language: person.locale ?? 'en-US',
    template: 'membershipAdded',
    values: {
      organization: orgName,
      inviter: userName,
      link: `${context.services.config.publicUrl}${LINK}`,
    },
  });
}

const LINK = '/tasks';

/** Counts the mail as an invitation to `to`, unless it was counted for that address before. */
async function mayMailTo(
  context: ChangeContext,
  to: string,
  { organization }: PersonInOrganization,
  beyond: BeyondLimit,
  counted: string | null,
): Promise<boolean> {
  if (keyOf(to) === keyOf(counted)) return true;
  if (beyond === 'leave-mail-out') return mayMail(context, to);
  await countInvitation(context, organization, to);
  return true;
}

const DECLINED_FOR_MS = 30 * 86_400_000;

/** Remembers that they left an organization to which they had never agreed. */
export async function noteDeclined(
  { write, at }: ChangeContext,
  { user, organization }: PersonInOrganization,
) {
  await write.query(sql`insert into declined_memberships (user_id, organization_id, declined_at)
    values (${user}, ${organization}, ${at}::timestamptz)
    on conflict (user_id, organization_id) do update set declined_at = excluded.declined_at`);
}

/**
 * Returns true when they left such an addition lately: then they can be invited, and not be added.
 */
export async function hasDeclined(
  tx: DatabaseTransaction,
  { user, organization }: PersonInOrganization,
  at: string,
): Promise<boolean> {
  const since = new Date(Date.parse(at) - DECLINED_FOR_MS).toISOString();
  const rows = await tx.query(sql`select 1 from declined_memberships where user_id = ${user}
    and organization_id = ${organization} and declined_at > ${since}::timestamptz`);
  return rows.length > 0;
}
