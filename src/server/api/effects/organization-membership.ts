import { invalid } from '#protocol/problem.ts';
import { isEmail } from '#rules/valid/value.ts';
import { userIdBySignInAddress } from '../../identity/person.ts';
import { pointerOf } from '../check.ts';
import type { Effects } from './effects.ts';

const TYPE = 'organizationMembership';

/** A member named by their verified sign-in address; the contact address never counts. */
export const organizationMembership: Effects = {
  complete: async ({ write }, { fields }) => {
    const { email, user } = fields;
    if (typeof email !== 'string' || !isEmail(email)) return fields;
    const known = await userIdBySignInAddress(write, email);
    return known === null ? fields : { ...fields, user: user ?? known };
  },
  check: async ({ write }, { after, fields, stated }) => {
    const { email } = fields;
    if (typeof email !== 'string' || !isEmail(email)) return [];
    const known = await userIdBySignInAddress(write, email);
    const pointer = pointerOf(TYPE, 'email', stated);
    if (known === null) return [invalid(pointer, 'no-such-user')];
    return after.user === known ? [] : [invalid(pointer, 'mismatch')];
  },
};
