import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#server/db/database.ts';
import { openAt } from './database.ts';
import type { Place } from './database.ts';

export interface Round {
  /** Writes acknowledged before the kill. */
  readonly acknowledged: readonly string[];
  /** Acknowledged writes that are not there. */
  readonly lost: readonly string[];
  /** Writes of which only a part is there. */
  readonly torn: readonly string[];
  /** Whether the feed has every number once, up to its head. */
  readonly isGapless: boolean;
  readonly writesPerSecond: number;
}

/** Kills a writer (SIGKILL) once `after` writes are acknowledged, and looks at what is left. */
export async function killAndLook(place: Place, after: number): Promise<Round> {
  const { acknowledged, ms } = await writeUntilKilled(place, after);
  const { db, close } = await openAt(place);
  try {
    return await db.read(async (tx) => ({
      acknowledged,
      lost: await missing(tx, acknowledged),
      torn: await torn(tx),
      isGapless: await isGapless(tx),
      writesPerSecond: Math.round((acknowledged.length * 1_000) / ms),
    }));
  } finally {
    await close();
  }
}

async function writeUntilKilled({ dataDir, databaseUrl }: Place, after: number) {
  const script = new URL('./durable-writer.ts', import.meta.url).pathname;
  const writer = spawn(process.execPath, ['--import', 'tsx', script, dataDir, databaseUrl ?? ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: string[] = [];
  let first = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    if (acknowledged.length === 0) first = performance.now();
    acknowledged.push(line);
    if (acknowledged.length === after) writer.kill('SIGKILL');
  }
  const ms = performance.now() - first;
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
  if (writer.signalCode !== 'SIGKILL')
    throw new Error(`The writer ended by itself (${writer.exitCode})`);
  return { acknowledged, ms };
}

async function missing(tx: DatabaseTransaction, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query(sql<{
    readonly id: string;
  }>`select id from unnest(${ids}::uuid[]) as t(id)
    where id not in (select id from organizations) or id not in (select id from users)`);
  return rows.map(({ id }) => id);
}

/** A person without their organization or the other way round, or either without their feed rows. */
async function torn(tx: DatabaseTransaction): Promise<string[]> {
  const rows = await tx.query(sql<{ readonly id: string }>`
    select coalesce(users.id, organizations.id) as id
    from users full join organizations on organizations.id = users.id
    where users.id is null or organizations.id is null
      or users.version <> organizations.version
      or (select count(*) from feed where feed.id = users.id and feed.n = users.version) <> 2`);
  return rows.map(({ id }) => id);
}

/** Whether the feed has every number once, up to its head. */
export async function isGapless(tx: DatabaseTransaction): Promise<boolean> {
  const [row] = await tx.query(sql<{ readonly ok: boolean }>`
    select (select count(distinct n) from feed) = n - 1
      and (select max(n) from feed) = n as ok from feed_head`);
  return row?.ok ?? false;
}
