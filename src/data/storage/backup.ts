import { newId } from '#base/id.ts';
import type { Change } from '../model/change.ts';
import type { RestoredCopy } from './write-batch.ts';
import { LocalDatabase } from './database.ts';
import type { Environment } from '../model/environment.ts';
import { copyIdIn, StoredRecords, requireCopyId } from './stored-records.ts';
import { LOCAL_SCHEMA, upgrade } from './migrate.ts';
import type { Unreadable } from './migrate.ts';
import { metadataIn, ServerUpdateWriter } from './server-update-writer.ts';
import { isForgotten } from './eviction-detector.ts';
import type { StoreRecord } from '../model/record.ts';
import type { StorageState } from '../model/views.ts';

export type { CopyWrite, RestoredCopy } from './write-batch.ts';
export { LOCAL_SCHEMA } from './migrate.ts';

type BackupEnvironment = Pick<
  Environment,
  'indexedDB' | 'timers' | 'clock' | 'random' | 'report' | 'copyMarkers'
>;

/**
 * The local copy on the disk: the server state and the person's changes, one database per user.
 * Every tab adds changes (`addChanges`); only the leader writes server updates.
 */
export class Backup extends ServerUpdateWriter {
  readonly #environment: BackupEnvironment;
  readonly #database: LocalDatabase;
  readonly #storedRecords: StoredRecords;
  #copyId: string | null = null;
  #wasRead = false;
  /** Called with the id of the copy when it was read; null: it has none. */
  onRead: (copyId: string | null) => void = () => undefined;
  onUnreadable: (unreadable: readonly Unreadable[]) => void = () => undefined;

  constructor(environment: BackupEnvironment, account: string) {
    const { indexedDB, timers, clock, random, report, copyMarkers } = environment;
    const database = new LocalDatabase({
      ...{ indexedDB, timers, report },
      // fault 33
      name: `slipway-${account}`,
      version: LOCAL_SCHEMA,
      upgrade: (transaction, from) => {
        upgrade(transaction, from, newId(clock, random));
      },
      isForgotten: () => isForgotten(copyMarkers, account),
    });
    super(database, environment);
    this.#environment = environment;
    this.#database = database;
    this.#storedRecords = new StoredRecords(database);
  }

  get storageState(): StorageState {
    return this.#database.storageState;
  }

  /** True if this app may write to it, as soon as it works. */
  get mayWrite(): boolean {
    return this.storageState !== 'blocked' && this.storageState !== 'newer';
  }

  /** True once the copy on the disk has been read. */
  get wasRead(): boolean {
    return this.#wasRead;
  }

  /** Calls `listener` when `storageState` changed, and when the storage was opened again. */
  onChange(listener: () => void): () => void {
    return this.#database.onChange(listener);
  }

  /** Reads everything but the chunks, which are read by type, those of the first screen first. */
  async restore(): Promise<RestoredCopy> {
    const restored = await this.#storedRecords.restore();
    this.#copyId = restored.born;
    this.#wasRead = true;
    this.setDiskState(restored.facts, [...restored.chunks.values()].flat(), restored.rows.size);
    this.onRead(restored.born);
    this.onUnreadable(restored.unreadable);
    return restored;
  }

  /** The records of the given chunks. */
  chunks(keys: readonly string[]): Promise<StoreRecord[]> {
    return this.#storedRecords.chunks(keys);
  }

  /** The changes as they are on disk, after another tab wrote some: all, or those of `seqs`. */
  changes(seqs: readonly number[] | null = null): Promise<readonly Change[]> {
    return this.#storedRecords.changes(this.#copyId, seqs);
  }

  /**
   * Removes records that were found damaged, so that they do no harm again.
   *
   * @returns whether there were any: then everything has to be requested from the server again
   */
  async removeDamaged(): Promise<boolean> {
    const damage = [...this.#storedRecords.damage];
    if (damage.length === 0) return false;
    this.#storedRecords.damage.clear();
    const { report } = this.#environment;
    report('Records on this device were damaged', damage.map(([key]) => key).join(' '));
    const removal = this.#database.transact(
      ['chunks', 'rows', 'facts'],
      'readwrite',
      async (tables) => {
        for (const [key, whole] of damage) {
          if (!key.includes('/')) tables('rows').delete(key);
          else if (whole.length === 0) tables('chunks').delete(key);
          else void tables('chunks').put(whole, key);
        }
        void tables('facts').put({ ...(await metadataIn(tables)), cursor: null }, 'facts');
      },
    );
    await removal.catch((error: unknown) => {
      report('Damaged records could not be moved', error);
    });
    return true;
  }

  /**
   * Saves `changes`, durably, and drops others in the same transaction. A change with `seq` 0 gets
   * its number here; in `dependsOn`, -1 is the first of `changes`, -2 the second. Null when one of
   * `unsent` has been taken to be sent since: nothing is written.
   */
  async addChanges(
    changes: readonly Change[],
    drop: readonly number[],
    unsent: readonly number[],
  ): Promise<readonly Change[] | null> {
    const kept = await this.#database.transact(['outbox', 'facts'], 'readwrite', async (tables) => {
      // The id is checked while the rest is written: nothing is written into another copy.
      const isOurs = requireCopyId(this.#copyId, tables);
      isOurs.catch(() => undefined);
      const outbox = tables('outbox');
      const rows = unsent.map((seq) => outbox.get<Change>(seq));
      if (rows.length > 0 && (await Promise.all(rows)).some((row) => row?.attempts !== 0))
        return null;
      for (const seq of drop) outbox.delete(seq);
      const kept: Change[] = [];
      for (const change of changes) {
        const dependsOn = change.dependsOn.map((seq) =>
          seq < 0 ? (kept[-seq - 1]?.seq ?? 0) : seq,
        );
        const { seq, ...unnumbered } = { ...change, dependsOn };
        const key = await outbox.put(seq === 0 ? unnumbered : { seq, ...unnumbered });
        kept.push({ ...unnumbered, seq: key as number });
      }
      await isOurs;
      return kept;
    });
    if (kept !== null) this.supersede([...drop, ...kept.map(({ seq }) => seq)]);
    return kept;
  }

  /** Restores a change that can't be read, as it was. */
  async restoreUnreadable({ raw }: Unreadable): Promise<void> {
    await this.#database.transact(['outbox'], 'readwrite', (tables) => tables('outbox').put(raw));
  }

  /**
   * Called after the storage was away: when another database is there in place of the previous one,
   * writes `changes` into it, with their numbers.
   *
   * @returns the id of the new copy; null when it is the same
   */
  async reconcile(changes: readonly Change[]): Promise<string | null> {
    const copyId = await this.#database.transact(
      ['outbox', 'facts'],
      'readwrite',
      async (tables) => {
        const copyId = await copyIdIn(tables);
        if (copyId === null || copyId === this.#copyId) return this.#copyId;
        void tables('facts').put(this.newMetadata, 'facts');
        for (const change of changes)
          if ((await tables('outbox').get(change.seq)) === undefined)
            void tables('outbox').put(change);
        return copyId;
      },
    );
    if (copyId === null || copyId === this.#copyId) return null;
    this.#copyId = copyId;
    this.resetDiskState();
    return copyId;
  }

  /** From now on nothing is read or written. */
  async close(): Promise<void> {
    await this.flush();
    this.#database.close();
  }

  /** Removes the database, changes too. */
  async erase(): Promise<void> {
    await this.flush();
    await this.#database.erase();
  }
}
