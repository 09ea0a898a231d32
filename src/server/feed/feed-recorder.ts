import { tellAudit } from '../access/audit.ts';
import { goneScopeOf } from '../access/stored-scopes.ts';
import type { ChangeRecorder } from '../db/writer/change-recorder.ts';
import { lastChangeOf, tellFeed, tombstoneOf } from './write-feed.ts';

/** Records the changes of a writer in the feed and in the audit log. */
export const feedRecorder: ChangeRecorder = {
  tellAudit,
  tellFeed,
  goneScopeOf,
  tombstoneOf,
  lastChangeOf,
};
