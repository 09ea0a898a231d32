import { auditJournal } from '../access/audit.ts';
import { audienceOfRemoved, loading, RelatedRecords } from '../access/stored-scopes.ts';
import type { ChangeRecorder } from '../db/writer/change-recorder.ts';
import { lastChangeOf, writeFeed, tombstoneOf } from './write-feed.ts';

/** Records the changes of a writer in the feed and in the audit log. */
export const feedRecorder: ChangeRecorder = {
  auditJournal,
  writeFeed,
  audienceOfRemoved: (tx, journal, touched) => {
    const related = new RelatedRecords(tx, journal);
    return loading(related, () => audienceOfRemoved(related, touched));
  },
  tombstoneOf,
  lastChangeOf,
};
