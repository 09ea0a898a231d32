import { invalid } from '#protocol/problem.ts';
import { isEmail } from '#rules/valid/value.ts';
import type { Of } from '#schema/index.ts';
import { userIdBySignInAddress } from '../accounts/person.ts';
import { pointerOf } from '../writes/check.ts';
import { countAddition } from './count-invitation.ts';
import type { Effects } from './effects.ts';
import { handOver } from './handing-over.ts';
import { hasDeclined, noteDeclined, notifyAdded } from './joining.ts';

const TYPE = 'organizationMembership';
type Membership = Of<typeof TYPE>;

/** A member named by their verified sign-in address, and whether they agree to be one. */
export const organizationMembership: Effects = {
  complete: async ({ write }, { fields }) => {
    // Nobody agrees in another's name.
    const given = Object.fromEntries(
      Object.entries(fields).filter(([name]) => name !== 'dateAccepted'),
    );
    const { email, user } = given;
    if (!isAddress(email)) return given;
    // The contact address never counts.
    const known = await userIdBySignInAddress(write, email);
    return known === null ? given : { ...given, user: user ?? known };
  },
  check: async (act, { before, after, fields, stated }) => {
    if (before !== null) return [];
    const { write, viewer, at } = act;
    const { user, organization } = after as unknown as Membership;
    const { email } = fields;
    const isNamed = isAddress(email);
    const pointer = pointerOf(TYPE, isNamed ? 'email' : 'user', stated);
    if (isNamed) {
      await countAddition(act, organization, email);
      const known = await userIdBySignInAddress(write, email);
      if (known === null) return [invalid(pointer, 'no-such-user')];
      if (user !== known) return [invalid(pointer, 'mismatch')];
    }
    if (user === viewer.id || !(await hasDeclined(write, { user, organization }, at))) return [];
    return [invalid(pointer, 'declined')];
  },
  created: (act, record, { email }) => {
    const membership = record as unknown as Membership;
    // A refusal on account of another address of theirs would tell that they have it.
    return isAddress(email)
      ? notifyAdded(act, membership, 'leave-mail-out', email)
      : notifyAdded(act, membership, 'refuse');
  },
  changed: async ({ write, at }, _before, { id }, fields) => {
    // A device says that they agree; when, the server says.
    if ('dateAccepted' in fields) await write.change(TYPE, id, { dateAccepted: at });
  },
  removing: async (act, record) => {
    const membership = record as unknown as Membership;
    if (membership.user !== act.viewer.id || membership.dateAccepted !== null) return;
    await noteDeclined(act, membership);
    await handOver(act, membership);
  },
};

const isAddress = (email: unknown): email is string => typeof email === 'string' && isEmail(email);
