import type pg from 'pg';
import { randomName } from '../random-name.ts';
import type { MigrationContext } from './migration-context.ts';

/**
 * Gives every commit that the feed still has, and the newest, a random mark. A cursor carries the
 * mark of what it has seen, so that a restored database is noticed however far it has grown since.
 */
export async function markCommits(
  client: pg.ClientBase,
  { random }: MigrationContext,
): Promise<void> {
  await client.query(`create table feed_marks (
    n bigint primary key,
    mark text not null check (mark ~ '^[a-z0-9]{8}$')
  )`);
  // Hexadecimal digits are letters and digits too; the seed is from our own source of chance.
  await client.query(
    `insert into feed_marks (n, mark)
     select n, left(md5($1::text || n::text), 8)
     from (select n from feed union select n from feed_head) as commits`,
    [randomName(random) + randomName(random) + randomName(random)],
  );
}
