import type pg from 'pg';
import { randomName } from '../random-name.ts';
import type { MigrationContext } from './migration-context.ts';

/** Gives the database the random name by which cursors tell it from every other. */
export async function nameDatabase(
  client: pg.ClientBase,
  { random }: MigrationContext,
): Promise<void> {
  await client.query('insert into database_identity (single, identity) values (true, $1)', [
    randomName(random),
  ]);
}
