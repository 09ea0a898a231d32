import { AnsweredCommits } from './sync/answered.ts';
import { Asking } from './sync/asking.ts';
import type { Online, Watched, InsightActions, Standing } from './model/views.ts';
import { Backup, LOCAL_SCHEMA } from './storage/backup.ts';
import { CatchUp } from './sync/catch-up.ts';
import { ChangeList } from './outbox/changes.ts';
import type { Environment } from './model/environment.ts';
import { drawFlow } from './sync/flow.ts';
import type { Ends } from './sync/flow.ts';
import { Following } from './tabs/following.ts';
import { Gate } from './sync/gate.ts';
import type { HealthWatch } from './storage/health.ts';
import type { InsightParts } from './sync/insight.ts';
import { joinTabs } from './tabs/join-tabs.ts';
import { Leading } from './tabs/leading.ts';
import { Lists } from './store/lists.ts';
import { Live } from './sync/live.ts';
import { Merge } from './sync/merge.ts';
import { Outbox } from './outbox/outbox.ts';
import type { Change } from './model/change.ts';
import type { Draft } from './outbox/coalesce.ts';
import type { StoreRecord } from './model/record.ts';
import { Records } from './store/records.ts';
import { Remote } from './sync/remote.ts';
import { Reports } from './sync/reports.ts';
import { Restoring } from './sync/restoring.ts';
import { Retry } from './sync/retry.ts';
import { Sender } from './sync/sender.ts';
import { StandingWatch } from './sync/standing.ts';
import { Store } from './store/store.ts';
import { UnreadableChanges } from './outbox/unreadable.ts';
import { Upkeep } from './tabs/upkeep.ts';
import type { Tabs } from './tabs/tabs.ts';

/** Everything that one user's local copy consists of, put together and started. */
export interface Pieces {
  readonly store: Store;
  readonly records: Records;
  readonly lists: Lists;
  readonly changes: ChangeList;
  readonly health: HealthWatch;
  readonly insight: InsightActions;
  readonly online: Online;
  readonly standing: Watched<Standing>;
  readonly restored: Promise<void>;
  readonly look: (organization: string | null) => void;
  readonly close: () => Promise<void>;
  readonly clear: () => Promise<void>;
}

/** Makes the pieces; nothing runs yet. */
function makePieces(environment: Environment, account: string) {
  const { clock, random, timers, page, idle, report } = environment;
  const store = new Store();
  const backup = new Backup(environment, account);
  const answered = new AnsweredCommits(timers);
  const remote = new Remote(environment, answered);
  const outbox = new Outbox(backup);
  const merge = new Merge(store, outbox, backup);
  const retry = new Retry(timers, page, random);
  const gate = new Gate();
  const asking = new Asking({ environment, store, remote, answered, merge, gate });
  const lists = new Lists(store, asking, environment.frame);
  const askAgain = (): void => {
    lists.askAgain();
  };
  const wasAskedFor = (record: StoreRecord): boolean => lists.wasAskedFor(record);
  const catchUp = new CatchUp({
    ...{ remote, answered, merge, retry, gate, clock, report, askAgain, wasAskedFor },
  });
  const probe = (): void => {
    catchUp.soon();
  };
  const isLoaded = (): boolean => catchUp.cursor !== null;
  const sender = new Sender({
    ...{ outbox, remote, answered, merge, retry, gate, clock, timers, report, probe, isLoaded },
  });
  const live = new Live({ environment, catchUp, retry, gate });
  const leading = new Leading({
    ...{ account, store, backup, merge, asking, answered, catchUp, sender, live, retry, gate },
    ...{ idle, report },
  });
  return {
    ...{ store, backup, remote, outbox, merge, retry, gate, catchUp, sender, leading, live },
    ...{ asking, answered, lists },
    restoring: new Restoring({ account, backup, outbox, merge }),
    unreadable: new UnreadableChanges(backup, account),
    upkeep: new Upkeep(environment, account, { backup, outbox, gate, leading, sender }),
    records: new Records(store, merge, outbox),
    standing: new StandingWatch(gate, store, account),
  };
}

type Made = ReturnType<typeof makePieces>;

/** Makes the pieces of one user's local copy, joins and starts them. */
export function openPieces(outside: Environment, account: string): Pieces {
  const reports = new Reports(outside.clock, outside.report);
  const environment = { ...outside, report: reports.report };
  const { clock, random, page, report } = environment;
  const made = makePieces(environment, account);
  const { store, backup, outbox, merge, retry, gate, catchUp, sender, leading, restoring } = made;
  const { asking, records, lists, standing, upkeep } = made;
  const { health } = upkeep;

  const wake = (): void => {
    tabs.tellWrote(outbox.untold());
    sender.wake();
  };
  const hurry = (): void => {
    leading.grant('send-now');
    tabs.wish('send-now');
  };
  const changes = new ChangeList({
    ...{ outbox, merge, gate, retry, page, clock, random, wake, hurry },
    unreadable: made.unreadable,
  });
  const flow = drawFlow(store, keeping(environment, made, changes, wake));
  asking.onAnswer = (found) => {
    tabs.tellHeard(asking.heard(found, tabs.isLeading));
  };

  /** When the working set was level with the server; undefined: it is not here whole. */
  let levelAt: string | null | undefined = undefined;
  const tellLevel = (): void => {
    const missing = retry.last === null ? 'loading' : 'not-here';
    const nothing = levelAt === undefined ? missing : 'ready';
    for (const each of [lists, records]) each.complete({ nothing, asOf: levelAt ?? null });
  };
  const isLevel = (asOf: string | null, scope: string | null): void => {
    if (!leading.isWanted(scope)) return;
    levelAt = asOf;
    tellLevel();
  };
  const endTelling = retry.onChange(tellLevel);

  const restore = async (): Promise<void> => {
    await store.activate();
    try {
      const facts = await restoring.restore((found) => {
        standing.begun(found, environment);
      });
      leading.begin(facts.scope);
      catchUp.restore(facts);
      if (facts.cursor !== null) isLevel(facts.asOf, facts.scope);
    } catch (error) {
      report('The local copy could not be read', error);
      gate.hadProblem('copy', error);
    }
    await flow.activate();
    standing.restored();
  };
  const restored = restore();

  const close = async (): Promise<void> => {
    await restored;
    unlisten();
    endTelling();
    upkeep.stop();
    leading.stop();
    catchUp.close();
    retry.wake();
    await asking.close();
    await flow.deactivate();
    await backup.close();
    tabs.close();
  };

  const following = new Following({ ...made, report }, restored);
  const tabs = joinTabs(environment, account, made, { following, close });
  const unlisten = listen(environment, made, tabs);
  upkeep.start(tabs, following);

  merge.onMerged((news, told) => {
    if (tabs.isLeading) tabs.tellMerged(told);
    const { cursor, asOf, scope = catchUp.scope } = news.facts ?? {};
    if (cursor === undefined || cursor === null) return;
    isLevel(asOf ?? null, scope);
    if (asOf !== undefined) standing.release();
    if (!tabs.isLeading) return;
    leading.follow();
    leading.fold();
  });

  const look = (organization: string | null): void => {
    leading.look(organization);
    if (!leading.isWanted(catchUp.scope)) levelAt = undefined;
    tellLevel();
    void restored.then(() => {
      if (tabs.isLeading) leading.follow();
    });
  };

  return {
    ...{ store, records, lists, changes, health, standing, restored, look, close },
    online: asking,
    insight: lateInsight({
      ...{ environment, catchUp, merge, outbox, reports, live: made.live },
      localSchema: LOCAL_SCHEMA,
      asOf: () => levelAt ?? null,
      isLeading: () => tabs.isLeading,
      resync: () => {
        if (tabs.isLeading) leading.grant('resync');
        else tabs.wish('resync');
      },
    }),
    clear: async () => {
      tabs.tellCleared();
      upkeep.forget();
      await close();
      await backup.erase();
    },
  };
}

/** The script that looks into the pieces comes when a developer does. */
function lateInsight(parts: InsightParts): InsightActions {
  const insight = async () => (await import('./sync/insight.ts')).insightOf(parts);
  return {
    look: async () => (await insight()).look(),
    resync: parts.resync,
    supportFile: async () => (await insight()).supportFile(),
  };
}

/** What a person did is durable first, then shown, then sent. */
function keeping(
  { storage, page }: Environment,
  { outbox, merge, retry }: Made,
  changes: ChangeList,
  wake: () => void,
): Ends {
  let isPersistent = false;
  let justKept: readonly Change[] = [];
  return {
    keep: async (transform) => {
      const draft = (transform.options as { readonly change?: Draft } | undefined)?.change;
      if (draft === undefined)
        throw new Error('Changes are made by actions: they say what they do');
      const { changed, mended } = await outbox.keep(draft);
      merge.cover(draft.operations);
      justKept = changed;
      if (mended !== null) await changes.tryAgain(mended.id);
      // Asked for at the first change that only this device has: some browsers ask the person.
      if (isPersistent || (page.isOnline() && retry.last === null)) return;
      isPersistent = true;
      storage?.persist().catch(() => undefined);
    },
    kept: () => {
      merge.reshow(justKept);
      wake();
    },
  };
}

/** What happens around the tab: who is signed in, whether there is a network, who looks. */
function listen(environment: Environment, made: Made, tabs: Tabs): () => void {
  const { gate, retry, live, leading, standing, lists } = made;
  const { page } = environment;
  let wasOpen = true;
  const tellOutlook = (): void => {
    tabs.tellOutlook();
  };
  const all = [
    gate.onChange(tellOutlook),
    retry.onChange(tellOutlook),
    retry.onChange(() => {
      if (retry.last === null) lists.askMissing();
      else standing.release();
    }),
    live.onChange(tellOutlook),
    gate.onChange(() => {
      const { closed } = gate;
      if (closed === 'user-locked' || closed === 'email-not-verified')
        environment.keptOut?.(closed);
      if (gate.isOpen === wasOpen) return;
      wasOpen = gate.isOpen;
      if (!wasOpen) live.restart();
      else if (tabs.isLeading) leading.wake();
    }),
    environment.onToken(() => {
      if (gate.isOpen) return;
      gate.open();
      // The leading tab may be one that nobody looks at: it has not heard of it yet.
      tabs.wish('send-now');
    }),
    page.onChange(() => {
      if (page.isOnline()) retry.wake();
      if (page.isVisible()) tabs.check();
    }),
  ];
  return () => {
    for (const end of all) end();
  };
}
