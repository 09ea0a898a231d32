import { invalid } from '#protocol/problem.ts';
import { isEmail } from '#rules/valid/value.ts';
import type { Of } from '#schema/index.ts';
import { leaveSharedViews } from '../accounts/leave-views.ts';
import { userIdBySignInAddress } from '../accounts/person.ts';
import { pointerOf } from '../writes/check.ts';
import { countAddition } from './count-invitation.ts';
import type { Effects } from './effects.ts';
import { handOver } from './handing-over.ts';
import { hasDeclined, noteDeclined, notifyAdded } from './joining.ts';

const TYPE = 'organizationMembership';
type Membership = Of<typeof TYPE>;

/** A member is named by their verified sign-in address, and may agree to be one. */
export const organizationMembership: Effects = {
  complete: async ({ write }, { fields }) => {
    // Nobody agrees in another's name.
    const agreed = Object.fromEntries(
      Object.entries(fields).filter(([name]) => name !== 'dateAccepted'),
    );
    const { email, user } = agreed;
    if (!isAddress(email)) return agreed;
    // The contact address never counts.
    const known = await userIdBySignInAddress(write, email);
    return known === null ? agreed : { ...agreed, user: user ?? known };
  },
  check: async (context, { before, after, fields, stated }) => {
    if (before !== null) return [];
    const { write, viewer, at } = context;
    const { user, organization } = after as unknown as Membership;
    const { email } = fields;
    const isNamed = isAddress(email);
    const pointer = pointerOf(TYPE, isNamed ? 'email' : 'user', stated);
    if (isNamed) {
      await countAddition(context, organization, email);
      const known = await userIdBySignInAddress(write, email);
      if (known === null) return [invalid(pointer, 'no-such-user')];
      if (user !== known) return [invalid(pointer, 'mismatch')];
    }
    if (user === viewer.id || !(await hasDeclined(write, { user, organization }, at))) return [];
    return [invalid(pointer, 'declined')];
  },
  created: (context, record, { email }) => {
    const membership = record as unknown as Membership;
    // A refusal because of another address of theirs would reveal that they have it.
    return isAddress(email)
      ? notifyAdded(context, membership, 'leave-mail-out', email)
      : notifyAdded(context, membership, 'refuse');
  },
  changed: async ({ write, at }, _before, { id }, fields) => {
    // A device says that they agree; the server sets the time.
    if ('dateAccepted' in fields) await write.change(TYPE, id, { dateAccepted: at });
  },
  removing: async (context, record) => {
    const membership = record as unknown as Membership;
    await leaveSharedViews(context.write, membership.user, membership.organization);
    if (membership.user !== context.viewer.id || membership.dateAccepted !== null) return;
    await noteDeclined(context, membership);
    await handOver(context, membership);
  },
};

const isAddress = (email: unknown): email is string => typeof email === 'string' && isEmail(email);
