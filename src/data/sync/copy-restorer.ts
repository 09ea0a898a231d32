import { resourceOf, storedTypes } from '#schema/index.ts';
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
const FIRST_SCREEN = storedTypes.filter((type) => resourceOf(type).isShownFirst);

/** Reading so many takes less than a frame. */
const CHUNKS_AT_ONCE = 2;

/** The copy may be compacted while it is read, but hardly so often in a row. */
const MOST_TRIES = 5;

/** Reads the copy on the disk: at the start, and again after another tab wrote. */
export class CopyRestorer {
  readonly #dependencies: CopyRestorerDependencies;

  constructor(dependencies: CopyRestorerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Shows the backup and returns its metadata; calls `onMetadata` before anything shows. */
  async restore(onMetadata: (facts: CopyMetadata) => void): Promise<CopyMetadata> {
    return this.#retryIfCompacted(() => this.#restore(onMetadata));
  }

  async #restore(onMetadata: (facts: CopyMetadata) => void): Promise<CopyMetadata> {
    const { backup, outbox, serverState, account } = this.#dependencies;
    const found = await backup.restore();
    onMetadata(found.facts);
    // fault 6
    outbox.restore(found.changes.filter((row) => row.userId === account));
    await this.#restoreTypes(found, FIRST_SCREEN);
    serverState.showPendingChanges();
    const rest = storedTypes.filter((type) => !FIRST_SCREEN.includes(type));
    for (const type of rest) await this.#restoreBehind(found, type);
    serverState.showPendingChanges();
    return this.#requireResyncIfDamaged(found.facts);
  }

  /** After damaged records were removed, everything has to be requested again. */
  async #requireResyncIfDamaged(facts: CopyMetadata): Promise<CopyMetadata> {
    return (await this.#dependencies.backup.removeDamaged()) ? { ...facts, cursor: null } : facts;
  }

  /** Reads from the start when the leader has compacted the copy meanwhile. */
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
    const { backup, serverState } = this.#dependencies;
    const all = await recordsOf(backup, found, types);
    if (all.length > 0) serverState.restore(all);
  }

  /**
   * Reads in parts, so that the screen can be painted between them; rows win over chunks here, too.
   */
  async #restoreBehind({ chunks, rows }: RestoredCopy, type: TypeName): Promise<void> {
    const { backup, serverState } = this.#dependencies;
    const keys = chunks.get(type) ?? [];
    for (let at = 0; at < keys.length; at += CHUNKS_AT_ONCE) {
      const read = await backup.chunks(keys.slice(at, at + CHUNKS_AT_ONCE));
      serverState.restore(read.filter((record) => !rows.has(keyOf(record))));
    }
    const changed = [...rows.values()].filter((record) => record?.type === type);
    if (changed.length > 0) serverState.restore(changed as readonly StoreRecord[]);
  }

  /**
   * Reads what another tab wrote to the outbox: anything, or the rows of `seqs`. Returns the rows
   * that are further on here than on the disk.
   */
  async readRows(seqs: readonly number[] | null = null): Promise<readonly Change[]> {
    const { backup, outbox, serverState, account } = this.#dependencies;
    const { changed, ahead } = await outbox.reload(async () => {
      await backup.flush();
      return (await backup.changes(seqs)).filter((row) => row.userId === account);
    }, seqs);
    serverState.rebase(changed);
    return ahead;
  }

  /**
   * Applies the records as the leader wrote them, without `unsavedKeys`, which it has yet to write.
   */
  async readRecords(unsavedKeys: ReadonlySet<string>): Promise<CopyMetadata> {
    const { backup, serverState } = this.#dependencies;
    const [found, read] = await this.#retryIfCompacted(async () => {
      const found = await backup.restore();
      return [found, await recordsOf(backup, found, storedTypes)] as const;
    });
    const facts = await this.#requireResyncIfDamaged(found.facts);
    const all = read.filter((record) => !unsavedKeys.has(keyOf(record)));
    const known = new Set(all.map(keyOf));
    const gone = serverState
      .allServerRecords()
      .filter((record) => !known.has(keyOf(record)) && !unsavedKeys.has(keyOf(record)))
      // Records that are damaged on the disk are not removed.
      .filter(() => facts === found.facts);
    const items: ServerUpdateItem[] = [
      ...gone.map(({ type, id }) => ({ is: 'remove' as const, record: { type, id } })),
      ...all.map((record) => ({ is: 'update' as const, record })),
    ];
    serverState.beginResync();
    serverState.apply({ items, facts, isRelayed: true });
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
