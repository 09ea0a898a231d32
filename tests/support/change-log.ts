import { randomFillSync } from 'node:crypto';
import { sql } from 'kysely';
import { localBus } from '#server/kernel/bus/local-bus.ts';
import type { Database } from '#server/db/database.ts';
import { openDatabase } from '#server/db/open-database.ts';
import { feedRecorder } from '#server/feed/feed-recorder.ts';
import { testSecrets } from './test-key.ts';

/** What the server wrote down of changes by people. */
export interface ChangeLog {
  /** Of every decided change: whether it was done. */
  readonly decided: ReadonlyMap<string, boolean>;
  /** Ids of the changes that wrote the record, in the order of their commits. */
  changesOf(record: string): readonly string[];
}

/** The change log and the feed of `records` as they are now. */
export function changeLogOf(db: Database, records: readonly string[]): Promise<ChangeLog> {
  return db.read(async (tx) => {
    const decided = await tx.query(
      sql<{ id: string; verdict: unknown }>`select id, verdict from changes`,
    );
    const rows = await tx.query(
      sql<{ id: string; changes: readonly string[] }>`select id, changes from feed
        where kind = 'record' and id = any(${records}::uuid[]) order by n, k`,
    );
    return {
      decided: new Map(decided.map(({ id, verdict }) => [id, isDone(verdict)])),
      changesOf: (record) =>
        rows.filter(({ id }) => id === record).flatMap(({ changes }) => changes),
    };
  });
}

function isDone(verdict: unknown): boolean {
  return [verdict].flat().every((result) => (result as { is?: unknown }).is === 'done');
}

/** The same, in the data folder of a server that has stopped. */
export async function readChangeLog(
  dataDir: string,
  records: readonly string[],
): Promise<ChangeLog> {
  const db = await openDatabase({
    databaseUrl: null,
    dataDir,
    bus: localBus(),
    clock: Date.now,
    random: (bytes) => randomFillSync(bytes),
    secrets: testSecrets,
    recorder: feedRecorder,
    broken: (error) => {
      throw error;
    },
    lost: (error) => {
      throw error;
    },
  });
  try {
    return await changeLogOf(db, records);
  } finally {
    await db.close();
  }
}
