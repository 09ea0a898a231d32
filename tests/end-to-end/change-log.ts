import { randomFillSync } from 'node:crypto';
import { sql } from 'kysely';
import { localBus } from '#server/bus/local.ts';
import { openDatabase } from '#server/database/open.ts';

interface FeedRow {
  readonly n: number;
  readonly id: string;
  readonly changes: readonly string[];
}

export interface ChangeLog {
  /** Of every accepted change, in the order of their commits. */
  readonly ids: readonly string[];
  /** How many changes wrote the project since it was first touched by a person here. */
  changesOf(project: string): number;
  /** Whether each change was one commit, and each project's version is that of its newest one. */
  readonly versionsGrewByOnePerChange: boolean;
}

/** Reads the change log and the feed of `projects` in the data folder of a server that has stopped. */
export async function readChangeLog(
  dataDir: string,
  projects: readonly string[],
): Promise<ChangeLog> {
  const db = await openDatabase({
    databaseUrl: null,
    dataDir,
    bus: localBus(),
    clock: Date.now,
    random: (bytes) => randomFillSync(bytes),
    broken: (error) => {
      throw error;
    },
    lost: (error) => {
      throw error;
    },
  });
  try {
    return await db.read(async (tx) => {
      const ids = await tx.query(sql<{ id: string }>`select id from changes`);
      const rows = await tx.query(
        sql<FeedRow>`select n, id, changes from feed where kind = 'record' and type = 'project'
          and id = any(${projects}::uuid[]) and changes <> '[]' order by n, k`,
      );
      const records = await Promise.all(projects.map((id) => tx.one('project', id)));
      const rowsOf = (id: string) => rows.filter((row) => row.id === id);
      return {
        ids: ids.map(({ id }) => id),
        changesOf: (id) => rowsOf(id).length,
        versionsGrewByOnePerChange: records.every((record) => {
          if (record === null) return false;
          const own = rowsOf(record.id);
          const isOneEach = own.every((row) => row.changes.length === 1);
          const commits = new Set(own.map(({ n }) => n));
          return isOneEach && commits.size === own.length && own.at(-1)?.n === record.version;
        }),
      };
    });
  } finally {
    await db.close();
  }
}
