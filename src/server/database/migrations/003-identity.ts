import type pg from 'pg';
import type { Means } from './index.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

/** Gives the database the random name by which cursors tell it from every other. */
export async function nameDatabase(client: pg.ClientBase, { random }: Means): Promise<void> {
  const bytes = random(new Uint8Array(LENGTH));
  const identity = Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
  await client.query('insert into database_identity (single, identity) values (true, $1)', [
    identity,
  ]);
}
