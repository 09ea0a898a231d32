import type pg from 'pg';
import type { Clock, Random } from '#base/id.ts';
import { BadStart } from '../kernel/bad-start.ts';
import { lockNumberOf } from './lock-numbers.ts';
import { migrations } from './migrations/migrations.ts';

/**
 * Brings the tables up to date in one transaction. Of several processes that start at once one
 * does it and the others wait. @throws BadStart when a newer version has been here
 */
export async function migrate(pool: pg.Pool, clock: Clock, random: Random): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`begin; set local statement_timeout = 0;
      select pg_advisory_xact_lock(${lockNumberOf('migrations')});
      create table if not exists migrations (name text primary key, at timestamptz not null)`);
    const { rows } = await client.query<{ name: string }>(
      'select name from migrations order by name',
    );
    const done = new Set(rows.map(({ name }) => name));
    refuseUnknown(done);
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

function refuseUnknown(done: ReadonlySet<string>): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...done].find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new BadStart(
    `The database was written by a newer version (${unknown}); start that version or a newer one.`,
  );
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
