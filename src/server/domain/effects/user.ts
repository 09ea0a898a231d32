import { endSignIns } from '../accounts/sign-ins.ts';
import type { Of } from '#schema/index.ts';
import type { Effects } from './effects.ts';

/**
 * While somebody is locked their tokens are refused and the feed closes their connections; once
 * they are unlocked they sign in anew (domain 9.5).
 */
export const user: Effects = {
  changed: async ({ write }, _, after, fields) => {
    if (fields.isLocked !== false) return;
    const { authId } = after as Of<'user'>;
    if (authId !== null) await endSignIns(write, authId);
  },
};
