import type { Environment } from '../model/environment.ts';
import type { Follower } from './follower.ts';
import { mirrorLeaderStatus, leaderStatusOf } from './leader-status.ts';
import type { LeaderStatusSources } from './leader-status.ts';
import type { Backup } from '../storage/backup.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { UnconfirmedCommits } from '../sync/unconfirmed-commits.ts';
import type { OnlineRequests } from '../sync/online-requests.ts';
import type { MutableServerState } from '../sync/mutable-server-state.ts';
import type { Leader } from './leader.ts';
import { Tabs } from './tabs.ts';

interface Made extends LeaderStatusSources {
  readonly backup: Backup;
  readonly outbox: Outbox;
  readonly serverState: MutableServerState;
  readonly leader: Leader;
  readonly onlineRequests: OnlineRequests;
  readonly unconfirmedCommits: UnconfirmedCommits;
}

interface TabHandlers {
  readonly follower: Follower;
  readonly close: () => Promise<void>;
}

/** Joins the tabs of one user: this one leads or follows, and is told when that changes. */
export function joinTabs(
  environment: Environment,
  account: string,
  made: Made,
  { follower, close }: TabHandlers,
): Tabs {
  const { backup, outbox, serverState, leader, onlineRequests, unconfirmedCommits } = made;
  const tabs = new Tabs(environment, account, {
    claim: (isMissing, lead) => follower.takeOver(isMissing, lead),
    lead: () => {
      // What the one before found may have ended since, and would never end here.
      made.syncControl.mirrorLeader(null, null);
      leader.start();
      leader.compact();
    },
    leadLost: () => {
      leader.stop();
      backup.stopWriting();
    },
    updateApplied: (news) => {
      follower.applyLeaderUpdate(tabs, news);
    },
    answerReceived: ({ items, answer, facts }) => {
      unconfirmedCommits.add(facts?.answered ?? []);
      const own = { answered: unconfirmedCommits.commits };
      // What was removed here meanwhile does not come back.
      serverState.apply({ items, facts: own, ...(answer === undefined ? {} : { answer }) }, 0);
    },
    requested: (wish) => {
      leader.handleRequest(wish);
    },
    leaderStatusReceived: (outlook) => {
      mirrorLeaderStatus(made, outlook);
    },
    leaderChanged: () => {
      for (const news of onlineRequests.unsavedAnswers) tabs.sendAnswer(news);
    },
    backupWritten: (level, isMissing) => {
      follower.readIfBehind(tabs, level, isMissing);
    },
    outboxWritten: (seqs) => {
      follower.readOutbox(tabs, seqs);
    },
    cleared: () => {
      void close();
    },
    hasToSend: () => outbox.rows.counts.waiting > 0,
    leaderStatus: () => leaderStatusOf(made),
    whenBackupWritten: () => {
      leader.compact();
      return backup.whenWritten();
    },
  });
  // A tab that read the outbox before has missed it: it reads again.
  backup.onWritten = (seqs) => {
    tabs.sendOutboxWritten(seqs);
  };
  backup.onLeadLost = () => {
    tabs.loseLead();
  };
  return tabs;
}
