import { storedTypes } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Backup, RestoredCopy } from '../storage/backup.ts';
import type { CopyMetadata, ServerUpdateItem } from '../model/server-update.ts';
import type { Change } from '../model/change.ts';
import { ChunksCompactedError } from '../storage/stored-records.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { keyOf } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';

interface CopyRestorerDependencies {
  readonly account: string;
  readonly backup: Backup;
  readonly outbox: Outbox;
  readonly serverState: MutableServerState;
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

/** What is read of these takes less than a frame. */
const CHUNKS_AT_ONCE = 2;

/** The copy may be folded while it is read; hardly so often in a row. */
const MOST_TRIES = 5;

/** Reads the device's copy: at the start, and again what another tab wrote. */
export class CopyRestorer {
  readonly #parts: CopyRestorerDependencies;

  constructor(parts: CopyRestorerDependencies) {
    this.#parts = parts;
  }

  /** Shows what the backup has, and gives where it stands; tells `begun` before anything shows. */
  async restore(begun: (facts: CopyMetadata) => void): Promise<CopyMetadata> {
    return this.#retryIfCompacted(() => this.#restore(begun));
  }

  async #restore(begun: (facts: CopyMetadata) => void): Promise<CopyMetadata> {
    const { backup, outbox, serverState, account } = this.#parts;
    const found = await backup.restore();
    begun(found.facts);
    // fault 6
    outbox.restore(found.changes.filter((row) => row.userId === account));
    await this.#restoreTypes(found, FIRST_SCREEN);
    serverState.showPendingChanges();
    const rest = storedTypes.filter((type) => !FIRST_SCREEN.includes(type));
    for (const type of rest) await this.#restoreBehind(found, type);
    serverState.showPendingChanges();
    return this.#requireResyncIfDamaged(found.facts);
  }

  /** Once damaged records were set aside, everything is to be asked for again. */
  async #requireResyncIfDamaged(facts: CopyMetadata): Promise<CopyMetadata> {
    return (await this.#parts.backup.removeDamaged()) ? { ...facts, cursor: null } : facts;
  }

  /** Reads from the start when the leading tab has folded meanwhile. */
  async #retryIfCompacted<T>(read: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof ChunksCompactedError) || tries === MOST_TRIES) throw error;
      }
    }
  }

  async #restoreTypes(found: RestoredCopy, types: readonly TypeName[]): Promise<void> {
    const { backup, serverState: merge } = this.#parts;
    const all = await recordsOf(backup, found, types);
    if (all.length > 0) merge.restore(all);
  }

  /** In pieces, so that the screen can be drawn between them; rows win over chunks here, too. */
  async #restoreBehind({ chunks, rows }: RestoredCopy, type: TypeName): Promise<void> {
    const { backup, serverState: merge } = this.#parts;
    const keys = chunks.get(type) ?? [];
    for (let at = 0; at < keys.length; at += CHUNKS_AT_ONCE) {
      const read = await backup.chunks(keys.slice(at, at + CHUNKS_AT_ONCE));
      merge.restore(read.filter((record) => !rows.has(keyOf(record))));
    }
    const changed = [...rows.values()].filter((record) => record?.type === type);
    if (changed.length > 0) merge.restore(changed as readonly StoreRecord[]);
  }

  /**
   * Another tab wrote to the outbox: anything, or the rows of `seqs`. Gives rows of which the disk
   * lacks what is known here.
   */
  async readRows(seqs: readonly number[] | null = null): Promise<readonly Change[]> {
    const { backup, outbox, serverState: merge, account } = this.#parts;
    const { changed, ahead } = await outbox.reload(async () => {
      await backup.flush();
      return (await backup.changes(seqs)).filter((row) => row.userId === account);
    }, seqs);
    merge.rebase(changed);
    return ahead;
  }

  /** Takes in the records as the leading tab wrote them, but those of `unkept`, which it has yet to. */
  async readRecords(unkept: ReadonlySet<string>): Promise<CopyMetadata> {
    const { backup, serverState: merge } = this.#parts;
    const [found, read] = await this.#retryIfCompacted(async () => {
      const found = await backup.restore();
      return [found, await recordsOf(backup, found, storedTypes)] as const;
    });
    const facts = await this.#requireResyncIfDamaged(found.facts);
    const all = read.filter((record) => !unkept.has(keyOf(record)));
    const known = new Set(all.map(keyOf));
    const gone = merge
      .allServerRecords()
      .filter((record) => !known.has(keyOf(record)) && !unkept.has(keyOf(record)))
      // What is damaged there is not gone.
      .filter(() => facts === found.facts);
    const items: ServerUpdateItem[] = [
      ...gone.map(({ type, id }) => ({ is: 'remove' as const, record: { type, id } })),
      ...all.map((record) => ({ is: 'update' as const, record })),
    ];
    merge.beginResync();
    merge.apply({ items, facts, isRelayed: true });
    return facts;
  }
}

/** The records of `types` in the backup; rows win over chunks. */
async function recordsOf(
  backup: Backup,
  { chunks, rows }: RestoredCopy,
  types: readonly TypeName[],
): Promise<StoreRecord[]> {
  const keys = types.flatMap((type) => chunks.get(type) ?? []);
  const all = new Map(types.map((type) => [type, new Map<string, StoreRecord>()]));
  for (const record of await backup.chunks(keys)) all.get(record.type)?.set(record.id, record);
  for (const [key, record] of rows) {
    const [type = '', id = ''] = key.split(':');
    if (record === null) all.get(type as TypeName)?.delete(id);
    else all.get(record.type)?.set(id, record);
  }
  return [...all.values()].flatMap((records) => [...records.values()]);
}
