import { storedTypes } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { addressOf } from './address.ts';
import { Backup } from './backup.ts';
import type { Restored } from './backup.ts';
import { CatchUp } from './catch-up.ts';
import { ChangeList } from './changes.ts';
import type { Watched } from './data.ts';
import type { Environment } from './environment.ts';
import { drawFlow } from './flow.ts';
import { Gate } from './gate.ts';
import { Lists } from './lists.ts';
import { Live } from './live.ts';
import { Merge } from './merge.ts';
import { Outbox } from './outbox.ts';
import type { Draft } from './outbox.ts';
import { Records } from './records.ts';
import { keyOf } from './record.ts';
import type { StoreRecord } from './record.ts';
import { Remote } from './remote.ts';
import { Retry } from './retry.ts';
import { Sender } from './sender.ts';
import { StandingWatch } from './standing.ts';
import { Store } from './store.ts';
import { Tabs } from './tabs.ts';
import type { Standing } from './use-viewer.ts';

/** Everything that one user's local copy consists of, put together and started. */
export interface Pieces {
  readonly store: Store;
  readonly records: Records;
  readonly lists: Lists;
  readonly changes: ChangeList;
  readonly standing: Watched<Standing>;
  readonly restored: Promise<void>;
  readonly look: (organization: string | null) => void;
  readonly close: () => Promise<void>;
  readonly clear: () => Promise<void>;
}

/** Types of the first screen (who is here, and lists of projects), which are restored first. */
const FIRST_SCREEN: readonly TypeName[] = [
  'user',
  'role',
  'userRole',
  'organization',
  'organizationMembership',
  'group',
  'groupMembership',
  'project',
];

export function openPieces(environment: Environment, account: string): Pieces {
  const { clock, random, timers, page, report } = environment;
  const store = new Store();
  const backup = new Backup(store.schema, account, environment.indexedDB, report);
  const remote = new Remote(store.schema, environment);
  const outbox = new Outbox(backup);
  const merge = new Merge(store, outbox, backup);
  const retry = new Retry(timers, page, random);
  const gate = new Gate();
  const catchUp = new CatchUp({ remote, merge, retry, gate, clock, report });
  const probe = (): void => {
    catchUp.soon();
  };
  const sender = new Sender({ outbox, remote, merge, retry, gate, clock, timers, report, probe });
  const live = new Live({ environment, catchUp, retry, gate });
  const records = new Records(store, merge, outbox);
  const standing = new StandingWatch(gate, store, account);
  const asking = new Set<{ readonly since: number }>();
  const lists = new Lists(store, {
    ask: async (type, filter) => {
      const asked = { since: merge.now };
      asking.add(asked);
      try {
        await store.query((q) => q.findRecords(type), {
          sources: { remote: { url: addressOf(type, filter) } },
        } as never);
      } finally {
        asking.delete(asked);
      }
    },
  });
  let isPersistent = false;
  let wanted: string | null = null;

  const flow = drawFlow(store, remote, {
    keep: async (transform) => {
      const draft = (transform.options as { readonly change?: Draft } | undefined)?.change;
      if (draft === undefined)
        throw new Error('Changes are made by actions: they say what they do');
      const mended = await outbox.keep(draft);
      merge.cover(draft.operations.map(({ record }) => record));
      if (mended !== null) await changes.tryAgain(mended.id);
      if (!isPersistent) void environment.persist();
      isPersistent = true;
    },
    kept: () => {
      merge.show(merge.covered());
      wake();
    },
    heard: (found) => {
      const since = Math.min(merge.now, ...[...asking].map((asked) => asked.since));
      merge.merge({
        items: found.map((record) => ({ is: 'update', record })),
        asked: since,
      });
    },
  });

  const restore = async (): Promise<void> => {
    await Promise.all([store.activate(), remote.activate()]);
    try {
      await restoreFrom(await backup.restore());
    } catch (error) {
      report('The local copy could not be read', error);
      gate.hadProblem(error);
    }
    await flow.activate();
    standing.restored();
  };

  const restoreFrom = async (found: Restored): Promise<void> => {
    outbox.restore(found.changes.filter((row) => row.userId === account));
    const rest = storedTypes.filter((type) => !FIRST_SCREEN.includes(type));
    await restoreTypes(found, FIRST_SCREEN);
    // The rest in pieces, so that the first screen can be drawn between them.
    for (const type of rest) await restoreTypes(found, [type]);
    const { cursor, asOf } = found.facts;
    wanted = found.facts.scope;
    catchUp.restore(found.facts);
    if (cursor === null) return;
    lists.complete({ isComplete: true, asOf });
    records.complete();
  };

  const restoreTypes = async (found: Restored, types: readonly TypeName[]): Promise<void> => {
    const all = await recordsOf(backup, found, types);
    if (all.length > 0 || outbox.rows.length > 0) merge.restore(all);
  };

  const restored = restore();

  const tabs = new Tabs(environment, account, {
    lead: () => {
      void restored.then(async () => {
        await readRows();
        sender.start();
        catchUp.start();
        live.start();
      });
    },
    merged: (news) => {
      void restored.then(() => {
        const { cursor } = news.facts ?? {};
        if (cursor !== undefined)
          catchUp.restore({ cursor, scope: news.facts?.scope ?? catchUp.scope });
        merge.merge({ ...news, isRelayed: true });
      });
    },
    missed: () => {
      void restored.then(reread);
    },
    wrote: () => {
      void restored.then(readRows);
    },
    cleared: () => {
      void close();
    },
  });

  const wake = (): void => {
    tabs.tellWrote();
    sender.wake();
  };

  const changes = new ChangeList({ outbox, merge, gate, retry, page, clock, random, wake });

  /** Another tab wrote to the outbox. */
  const readRows = async (): Promise<void> => {
    if (environment.indexedDB === null) return;
    try {
      await outbox.adopt(async () => {
        await backup.settled();
        return (await backup.changes()).filter((row) => row.userId === account);
      });
      merge.resume();
      sender.wake();
    } catch (error) {
      report('The outbox could not be read', error);
      gate.hadProblem(error);
    }
  };

  /** The leading tab told something that did not reach this one. */
  const reread = async (): Promise<void> => {
    const found = await backup.restore();
    const all = await recordsOf(backup, found, storedTypes);
    const known = new Set(all.map(({ type, id }) => `${type}:${id}`));
    const gone = merge.allTruth().filter(({ type, id }) => !known.has(`${type}:${id}`));
    merge.merge({
      items: [
        ...gone.map(({ type, id }) => ({ is: 'remove' as const, record: { type, id } })),
        ...all.map((record) => ({ is: 'update' as const, record })),
      ],
      facts: found.facts,
      isRelayed: true,
    });
    await readRows();
  };

  merge.onMerged((news) => {
    tabs.tellMerged(news);
    // A tab that read the outbox before this was durable has missed the verdict: it reads again.
    const verdicts = (news.verdicts?.length ?? 0) + (news.changes?.length ?? 0);
    if (tabs.isLeading && verdicts > 0)
      void backup.settled().then(() => {
        tabs.tellWrote();
      });
    const { cursor, asOf } = news.facts ?? {};
    if (cursor === undefined || cursor === null) return;
    lists.complete({ isComplete: true, asOf: asOf ?? null });
    records.complete();
    follow();
    if (tabs.isLeading && backup.wantsFold) fold();
  });

  const fold = (): void => {
    backup
      .fold(() => merge.allTruth())
      .catch((error: unknown) => {
        report('The local copy could not be folded', error);
      });
  };

  /** A super admin's feed is that of the organization they look at. */
  const follow = (): void => {
    if (!tabs.isLeading || wanted === catchUp.scope) return;
    const isSuperAdmin = store.find
      .all('userRole', { user: account })
      .some(({ roleName }) => roleName === 'SuperAdmin');
    if (!isSuperAdmin) return;
    catchUp.moveTo(wanted);
    live.restart();
  };

  const unlisten = [
    gate.onChange(() => {
      if (!gate.isOpen) live.restart();
      else if (tabs.isLeading) {
        sender.wake();
        catchUp.soon();
        live.start();
      }
    }),
    environment.onToken(() => {
      gate.open();
    }),
    page.onChange(() => {
      if (page.isOnline()) retry.wake();
    }),
  ];

  const stop = (): void => {
    for (const end of unlisten) end();
    sender.stop();
    live.stop();
    catchUp.close();
    retry.wake();
  };

  const close = async (): Promise<void> => {
    await restored;
    stop();
    await flow.deactivate();
    await backup.settled();
    await backup.cache.closeDB();
    tabs.close();
  };

  return {
    store,
    records,
    lists,
    changes,
    standing,
    restored,
    look: (organization) => {
      wanted = organization;
      void restored.then(follow);
    },
    close,
    clear: async () => {
      tabs.tellCleared();
      await close();
      await backup.erase();
    },
  };
}

/** The records of `types` in the backup; rows win over chunks. */
async function recordsOf(
  backup: Backup,
  { chunks, rows }: Restored,
  types: readonly TypeName[],
): Promise<StoreRecord[]> {
  const keys = types.flatMap((type) => chunks.get(type) ?? []);
  const all = new Map((await backup.chunks(keys)).map((record) => [keyOf(record), record]));
  for (const [key, record] of rows) {
    if (!types.includes(key.slice(0, key.indexOf(':')) as TypeName)) continue;
    if (record === null) all.delete(key);
    else all.set(key, record);
  }
  return [...all.values()];
}
