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

interface TabComponents extends LeaderStatusSources {
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

/** Joins the tabs of one user: this one leads or follows, and reacts when that changes. */
export function joinTabs(
  environment: Environment,
  account: string,
  components: TabComponents,
  { follower, close }: TabHandlers,
): Tabs {
  const { backup, outbox, serverState, leader, onlineRequests, unconfirmedCommits } = components;
  const tabs = new Tabs(environment, account, {
    claim: (isMissing, lead) => follower.takeOver(isMissing, lead),
    lead: () => {
      // A problem of the tab that led before may have ended since, and would never end here.
      components.syncControl.mirrorLeader(null, null);
      leader.start();
      leader.compact();
    },
    leadLost: () => {
      leader.stop();
      backup.stopWriting();
    },
    updateApplied: (update) => {
      follower.applyLeaderUpdate(tabs, update);
    },
    answerReceived: ({ items, answer, facts }) => {
      unconfirmedCommits.add(facts?.answered ?? []);
      const own = { answered: unconfirmedCommits.commits };
      // Records that were removed here meanwhile do not come back.
      serverState.apply({ items, facts: own, ...(answer === undefined ? {} : { answer }) }, 0);
    },
    requested: (request) => {
      leader.handleRequest(request);
    },
    leaderStatusReceived: (status) => {
      mirrorLeaderStatus(components, status);
    },
    leaderChanged: () => {
      for (const update of onlineRequests.unsavedAnswers) tabs.sendAnswer(update);
    },
    backupWritten: (position, isMissing) => {
      follower.readIfBehind(tabs, position, isMissing);
    },
    outboxWritten: (seqs) => {
      follower.readOutbox(tabs, seqs);
    },
    cleared: () => {
      void close();
    },
    hasToSend: () => outbox.rows.counts.waiting > 0,
    leaderStatus: () => leaderStatusOf(components),
    whenBackupWritten: () => {
      leader.compact();
      return backup.whenWritten();
    },
  });
  // A tab that read the outbox before that has missed it: it reads again.
  backup.onWritten = (seqs) => {
    tabs.sendOutboxWritten(seqs);
  };
  backup.onLeadLost = () => {
    tabs.loseLead();
  };
  return tabs;
}
