import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Clock, Random } from '#base/id.ts';
import { BadStart } from '../kernel/bad-start.ts';
import { lockNumberOf } from './lock-numbers.ts';
import type { MigrationContext } from './migrations/migration-context.ts';

/** One step of the tables. Once released it never changes, whatever becomes of the schema. */
interface Migration {
  readonly name: string;
  readonly up: (client: pg.ClientBase, context: MigrationContext) => Promise<void>;
}

const FOLDER = new URL('./migrations/', import.meta.url);

/**
 * Finds the numbered files of the folder, in the order of their names: of SQL its statements are
 * run, of TypeScript the one function that it exports. A file without one has data for others.
 */
export async function findMigrations(): Promise<readonly Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{3}-.*\.(sql|ts)$/.test(file)).sort();
  const found = await Promise.all(files.map(migrationIn));
  return found.filter((migration) => migration !== null);
}

async function migrationIn(file: string): Promise<Migration | null> {
  const url = new URL(file, FOLDER);
  const name = file.replace(/\.\w+$/, '');
  if (file.endsWith('.sql')) {
    const run: Migration['up'] = async (client) => {
      await client.query(await readFile(url, 'utf8'));
    };
    return { name, up: run };
  }
  const exported = Object.values((await import(url.href)) as Readonly<Record<string, unknown>>);
  const [up, ...more] = exported.filter((value) => typeof value === 'function');
  if (more.length > 0) throw new Error(`${file} exports more than one function`);
  return up === undefined ? null : { name, up: up as Migration['up'] };
}

/**
 * Brings the tables up to date in one transaction. Of several processes that start at once one
 * does it and the others wait. @throws BadStart when a newer version has been here
 */
export async function migrate(pool: pg.Pool, clock: Clock, random: Random): Promise<void> {
  const migrations = await findMigrations();
  const client = await pool.connect();
  try {
    await client.query(`begin; set local statement_timeout = 0;
      select pg_advisory_xact_lock(${lockNumberOf('migrations')});
      create table if not exists migrations (name text primary key, at timestamptz not null)`);
    const { rows } = await client.query<{ name: string }>(
      'select name from migrations order by name',
    );
    const done = new Set(rows.map(({ name }) => name));
    refuseUnknown(done, migrations);
    for (const { name, up } of migrations) {
      if (done.has(name)) continue;
      await up(client, { clock, random });
      await client.query('insert into migrations (name, at) values ($1, $2)', [
        name,
        isoOf(clock()),
      ]);
    }
    await client.query('commit');
  } finally {
    // Nothing else is done on it: where migrations have a connection of their own, it is over.
    client.release(true);
  }
}

function refuseUnknown(done: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...done].find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new BadStart(
    `The database was written by a newer version (${unknown}); start that version or a newer one.`,
  );
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
