import { UnconfirmedCommits } from './sync/unconfirmed-commits.ts';
import { OnlineRequests } from './sync/online-requests.ts';
import type {
  Online,
  ServerRecordState,
  ServerViews,
  Watched,
  Diagnostics,
  ViewerStatus,
} from './model/views.ts';
import { Backup, LOCAL_SCHEMA } from './storage/backup.ts';
import { FeedReader } from './sync/feed-reader.ts';
import { ChangeList } from './outbox/changes.ts';
import type { Environment } from './model/environment.ts';
import { createCoordinator } from './sync/coordinators.ts';
import type { WriteHandlers } from './sync/coordinators.ts';
import { Follower } from './tabs/follower.ts';
import { SyncControl } from './sync/sync-control.ts';
import type { HealthWatch } from './storage/health.ts';
import type { DiagnosticsSources } from './sync/diagnostics.ts';
import type { AskedServerViews, ServerViewSources } from './sync/server-views.ts';
import { joinTabs } from './tabs/join-tabs.ts';
import { Leader } from './tabs/leader.ts';
import { Lists } from './store/lists.ts';
import { HubClient } from './sync/hub-client.ts';
import { MutableServerState } from './sync/mutable-server-state.ts';
import { Outbox } from './outbox/outbox.ts';
import type { NewChange } from './outbox/coalesce.ts';
import { isUuid } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { isInWorkingSet } from './model/record.ts';
import { Records } from './store/records.ts';
import { Remote } from './sync/remote.ts';
import { Reports } from './sync/reports.ts';
import { CopyRestorer } from './sync/copy-restorer.ts';
import { Refreshes } from './sync/refreshes.ts';
import { Retry } from './sync/retry.ts';
import { Sender } from './sync/sender.ts';
import { ViewerStatusWatch } from './sync/viewer-status.ts';
import { RecordStore } from './store/store.ts';
import { viewerOf } from './store/viewer.ts';
import { UnreadableChanges } from './outbox/unreadable.ts';
import { StorageMonitor } from './tabs/storage-monitor.ts';
import type { Tabs } from './tabs/tabs.ts';

/** One user's local copy, put together and started. */
export interface LocalCopy {
  readonly store: RecordStore;
  readonly records: Records;
  readonly lists: Lists;
  readonly changes: ChangeList;
  readonly health: HealthWatch;
  readonly diagnostics: Diagnostics;
  readonly online: Online;
  readonly server: ServerViews;
  readonly viewerStatus: Watched<ViewerStatus>;
  readonly refreshing: Watched<boolean>;
  readonly restored: Promise<void>;
  readonly selectOrganization: (organization: string | null) => void;
  readonly close: () => Promise<void>;
  readonly clear: () => Promise<void>;
}

/** Creates the components, each with those before it; nothing runs yet. */
function createComponents(environment: Environment, account: string) {
  const { clock, random, timers, page, idle, report } = environment;
  const store = new RecordStore();
  const backup = new Backup(environment, account);
  const unconfirmedCommits = new UnconfirmedCommits(timers);
  const remote = new Remote(environment, unconfirmedCommits);
  const outbox = new Outbox(backup);
  const serverState = new MutableServerState(store, outbox, backup);
  const retry = new Retry(timers, page, random);
  const syncControl = new SyncControl();
  const refreshes = new Refreshes(timers);
  const parts = {
    ...{ environment, account, clock, random, timers, page, idle, report },
    ...{ store, backup, unconfirmedCommits, remote, outbox, serverState },
    ...{ retry, syncControl, refreshes },
  };
  const onlineRequests = new OnlineRequests(parts);
  const viewer = () => viewerOf(store.find, account);
  const lists = new Lists(store, onlineRequests, viewer, environment);
  const feedReader = new FeedReader({
    ...parts,
    refetchLists: () => {
      lists.refetch();
    },
    wasFetched: (record) => lists.wasFetched(record),
  });
  const sender = new Sender({
    ...parts,
    requestSync: () => {
      feedReader.requestSync();
    },
    isLoaded: () => feedReader.cursor !== null,
  });
  const hubClient = new HubClient({ ...parts, feedReader });
  const connected = { ...parts, onlineRequests, feedReader, sender, hubClient };
  const leader = new Leader(connected);
  return {
    ...{ ...connected, lists, leader },
    copyRestorer: new CopyRestorer(parts),
    unreadable: new UnreadableChanges(backup, account),
    storageMonitor: new StorageMonitor(environment, account, { ...connected, leader }),
    records: new Records(store, serverState, outbox),
    viewerStatus: new ViewerStatusWatch(syncControl, store, account),
  };
}

type LocalCopyComponents = ReturnType<typeof createComponents>;

/** Creates the components of one user's local copy, connects and starts them. */
export function openLocalCopy(outside: Environment, account: string): LocalCopy {
  const reports = new Reports(outside.clock, outside.report);
  const environment = { ...outside, report: reports.report };
  const { report } = environment;
  const components = createComponents(environment, account);
  const {
    store,
    backup,
    outbox,
    serverState,
    retry,
    refreshes,
    syncControl,
    feedReader,
    sender,
    leader,
    copyRestorer,
  } = components;
  const { onlineRequests, records, lists, viewerStatus, storageMonitor } = components;
  const server = lateServerViews({ ...components, recordsMost: limits.outsideRecordsMost });
  const { health } = storageMonitor;

  const wake = (): void => {
    tabs.sendOutboxWritten(outbox.takeUnannounced());
    sender.wake();
  };
  const sendNow = (): void => {
    lists.refetchMissing();
    server.askAll();
    leader.handleRequest('send-now');
    tabs.requestFromLeader('send-now');
  };
  const changes = new ChangeList({ ...components, wake, sendNow });
  const coordinator = createCoordinator(
    store,
    persistHandlers(environment, components, changes, wake),
  );
  onlineRequests.onAnswer = (found, gone = []) => {
    tabs.sendAnswer(onlineRequests.applyAnswer(found, gone, tabs.isLeading));
  };

  /**
   * When the working set was last in sync with the server; undefined while it is not complete here.
   */
  let inSyncAt: string | null | undefined = undefined;
  const updateCompleteness = (): void => {
    const missing = retry.last === null ? 'loading' : 'not-here';
    const emptyState = inSyncAt === undefined ? missing : 'ready';
    for (const each of [lists, records])
      each.setCompleteness({ emptyState, asOf: inSyncAt ?? null });
  };
  const markInSync = (asOf: string | null, scope: string | null): void => {
    if (!leader.isSelected(scope)) return;
    inSyncAt = asOf;
    updateCompleteness();
  };
  const unlistenRetry = retry.onChange(updateCompleteness);

  let wasSuperAdmin = false;
  const restore = async (): Promise<void> => {
    await store.activate();
    try {
      const facts = await copyRestorer.restore((found) => {
        viewerStatus.begun(found, environment);
      });
      leader.restoreOrganization(facts.scope);
      feedReader.restore(facts);
      if (facts.cursor !== null) markInSync(facts.asOf, facts.scope);
    } catch (error) {
      report('The local copy could not be read', error);
      syncControl.reportProblem('copy', error);
    }
    wasSuperAdmin = viewerOf(store.find, account).isSuperAdmin;
    await coordinator.activate();
    viewerStatus.restored();
  };
  const restored = restore();

  const close = async (): Promise<void> => {
    await restored;
    unlisten();
    unlistenRetry();
    storageMonitor.stop();
    leader.stop();
    feedReader.close();
    retry.wake();
    await onlineRequests.close();
    await coordinator.deactivate();
    await backup.close();
    tabs.close();
  };

  const follower = new Follower(components, restored);
  const tabs = joinTabs(environment, account, components, { follower, close });
  const unlisten = listen(environment, components, tabs);
  storageMonitor.start(tabs, follower);

  serverState.onApplied((update, accepted) => {
    if (tabs.isLeading) tabs.sendUpdate(accepted);
    if (update.items.some(({ record }) => record.type === 'userRole')) {
      const { isSuperAdmin } = viewerOf(store.find, account);
      // Who is none any more keeps nobody whom they saw only as one.
      if (wasSuperAdmin && !isSuperAdmin)
        serverState.forget(serverState.allServerRecords().filter((one) => !isInWorkingSet(one)));
      wasSuperAdmin = isSuperAdmin;
    }
    const { cursor, asOf, scope = feedReader.scope } = update.facts ?? {};
    if (cursor === undefined || cursor === null) return;
    markInSync(asOf ?? null, scope);
    if (asOf !== undefined) viewerStatus.release();
    if (!tabs.isLeading) return;
    leader.syncFeedScope();
    leader.compact();
  });

  const selectOrganization = (organization: string | null): void => {
    leader.selectOrganization(organization);
    if (!leader.isSelected(feedReader.scope)) inSyncAt = undefined;
    updateCompleteness();
    void restored.then(() => {
      if (tabs.isLeading) leader.syncFeedScope();
    });
  };

  return {
    ...{ store, records, lists, changes, health, viewerStatus },
    ...{ restored, selectOrganization, close },
    refreshing: refreshes,
    online: onlineRequests,
    server,
    diagnostics: lazyDiagnostics({
      ...{ ...components, reports },
      localSchema: LOCAL_SCHEMA,
      asOf: () => inSyncAt ?? null,
      isLeading: () => tabs.isLeading,
      resync: () => {
        if (tabs.isLeading) leader.handleRequest('resync');
        else tabs.requestFromLeader('resync');
      },
    }),
    clear: async () => {
      tabs.sendCleared();
      storageMonitor.forget();
      await close();
      await backup.erase();
    },
  };
}

/** The code for diagnostics is loaded only when a developer looks. */
function lazyDiagnostics(sources: DiagnosticsSources): Diagnostics {
  const load = async () => (await import('./sync/diagnostics.ts')).createDiagnostics(sources);
  return {
    snapshot: async () => (await load()).snapshot(),
    resync: sources.resync,
    supportFile: async () => (await load()).supportFile(),
  };
}

/** The code for what is outside the working set is loaded with the first page that shows any. */
function lateServerViews(
  sources: ServerViewSources,
): ServerViews & Pick<AskedServerViews, 'askAll'> {
  let loading: Promise<AskedServerViews> | null = null;
  let views: AskedServerViews | null = null;
  const load = (): Promise<AskedServerViews> =>
    (loading ??= import('./sync/server-views.ts').then(
      ({ createServerViews }) => (views = createServerViews(sources)),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    ));
  return {
    askAll: () => views?.askAll(),
    list: (type, query) =>
      views?.list(type, query) ??
      watchLate(async () => (await load()).list(type, query), NO_ROWS, {
        ...NO_ROWS,
        state: 'no-answer',
      }),
    record: (type, id) => {
      const late = watchLate<ServerRecordState>(
        async () => (await load()).record(type, id),
        'loading',
        'no-answer',
      );
      const isAsked = (): boolean => {
        const record = sources.serverState.serverRecord({ type, id });
        // What the person just created, the server need not know yet.
        if (record === null) return isUuid(id) && sources.store.record({ type, id }) === null;
        return !isInWorkingSet(record);
      };
      return {
        subscribe: (listener) => (isAsked() ? late.subscribe(listener) : () => undefined),
        view: () => (isAsked() ? late.view() : 'not-asked'),
      };
    },
    fetchedAt: (type, id) => sources.serverState.serverRecord({ type, id })?.meta.fetchedAt ?? null,
  };
}

const NO_ROWS = { state: 'loading', rows: [], total: 0 } as const;

/** What `load` resolves with, `first` until then, and `failed` if it cannot be had. */
function watchLate<T>(load: () => Promise<Watched<T>>, first: T, failed: T): Watched<T> {
  let watched: Watched<T> | null = null;
  let instead = first;
  return {
    subscribe: (listener) => {
      let end = (): void => undefined;
      let isOver = false;
      load().then(
        (loaded) => {
          watched = loaded;
          if (isOver) return;
          end = loaded.subscribe(listener);
          listener();
        },
        () => {
          instead = failed;
          listener();
        },
      );
      return () => {
        isOver = true;
        end();
      };
    },
    view: () => watched?.view() ?? instead,
  };
}

/** A person's change is made durable first, then shown, then sent. */
function persistHandlers(
  { storage, page }: Environment,
  { store, outbox, serverState, retry }: LocalCopyComponents,
  changes: ChangeList,
  wake: () => void,
): WriteHandlers {
  let isPersistent = false;
  store.showChange = (operations) => {
    serverState.rebase([{ operations }]);
  };
  return {
    persist: async (transform) => {
      const draft = (transform.options as { readonly change?: NewChange } | undefined)?.change;
      if (draft === undefined) throw new Error('Actions say what they do');
      const { mended } = await outbox.add(draft);
      if (mended !== null) await changes.tryAgain(mended.id);
      // Persistence is requested at the first change that only this device has: some browsers ask
      // the person.
      if (isPersistent || (page.isOnline() && retry.last === null)) return;
      isPersistent = true;
      storage?.persist().catch(() => undefined);
    },
    persisted: wake,
  };
}

/** Reacts to what happens around the tab: sign-ins, the network, and its visibility. */
function listen(environment: Environment, components: LocalCopyComponents, tabs: Tabs): () => void {
  const { syncControl, retry, refreshes, hubClient, leader, viewerStatus, lists } = components;
  const { page } = environment;
  let wasRunning = true;
  const sendLeaderStatus = (): void => {
    tabs.sendLeaderStatus();
  };
  const all = [
    syncControl.onChange(sendLeaderStatus),
    retry.onChange(sendLeaderStatus),
    retry.onChange(() => {
      if (retry.last === null) lists.refetchMissing();
      else viewerStatus.release();
    }),
    hubClient.onChange(sendLeaderStatus),
    refreshes.subscribe(sendLeaderStatus),
    syncControl.onChange(() => {
      const { pauseReason } = syncControl;
      if (pauseReason === 'user-locked' || pauseReason === 'email-not-verified')
        environment.keptOut?.(pauseReason);
      if (syncControl.isRunning === wasRunning) return;
      wasRunning = syncControl.isRunning;
      if (!wasRunning) hubClient.restart();
      else if (tabs.isLeading) leader.wake();
    }),
    environment.onToken(() => {
      if (syncControl.isRunning) return;
      syncControl.resume();
      // The leader may be a hidden tab that does not know of the new token yet.
      tabs.requestFromLeader('send-now');
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
