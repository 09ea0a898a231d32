import { endSessions } from '../../identity/accounts.ts';
import { isUuid } from '#base/id.ts';
import type { Effects } from './effects.ts';

/** Whoever is locked is signed out everywhere (domain 9.5); the feed closes their connections. */
export const user: Effects = {
  changed: async ({ write }, _, after, fields) => {
    if (fields.isLocked !== true || !isUuid(after.authId)) return;
    await endSessions(write, after.authId);
  },
};
