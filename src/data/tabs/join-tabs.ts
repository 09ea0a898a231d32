import type { Environment } from '../model/environment.ts';
import type { Following } from './following.ts';
import { follow, outlookOf } from './outlook.ts';
import type { OutlookParts } from './outlook.ts';
import type { Backup } from '../storage/backup.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { AnsweredCommits } from '../sync/answered.ts';
import type { Asking } from '../sync/asking.ts';
import type { Merge } from '../sync/merge.ts';
import type { Leading } from './leading.ts';
import { Tabs } from './tabs.ts';

interface Made extends OutlookParts {
  readonly backup: Backup;
  readonly outbox: Outbox;
  readonly merge: Merge;
  readonly leading: Leading;
  readonly asking: Asking;
  readonly answered: AnsweredCommits;
}

interface Life {
  readonly following: Following;
  readonly close: () => Promise<void>;
}

/** Joins the tabs of one user: this one leads or follows, and is told when that changes. */
export function joinTabs(
  environment: Environment,
  account: string,
  made: Made,
  { following, close }: Life,
): Tabs {
  const { backup, outbox, merge, leading, asking, answered } = made;
  const tabs = new Tabs(environment, account, {
    claim: (isMissing, lead) => following.takeOver(isMissing, lead),
    lead: () => {
      // What the one before found may have ended since, and would never end here.
      made.gate.follow(null, null);
      leading.start();
      leading.fold();
    },
    robbed: () => {
      leading.stop();
      backup.follow();
    },
    merged: (news) => {
      following.merged(tabs, news);
    },
    heard: ({ items, answer, facts }) => {
      answered.note(facts?.answered ?? []);
      const own = { answered: answered.commits };
      // What was removed here meanwhile does not come back.
      merge.merge({ items, facts: own, ...(answer === undefined ? {} : { answer }) }, 0);
    },
    wished: (wish) => {
      leading.grant(wish);
    },
    outlook: (outlook) => {
      follow(made, outlook);
    },
    changed: () => {
      for (const news of asking.unkept) tabs.tellHeard(news);
    },
    level: (level, isMissing) => {
      following.level(tabs, level, isMissing);
    },
    wrote: (seqs) => {
      following.rows(tabs, seqs);
    },
    cleared: () => {
      void close();
    },
    hasToSend: () => outbox.rows.counts.waiting > 0,
    lookOut: () => outlookOf(made),
    settling: () => {
      leading.fold();
      return backup.level();
    },
  });
  // A tab that read the outbox before has missed it: it reads again.
  backup.onWritten = (seqs) => {
    tabs.tellWrote(seqs);
  };
  backup.onRobbed = () => {
    tabs.robbed();
  };
  return tabs;
}
