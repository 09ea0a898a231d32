import pg from 'pg';
import { BadStart } from '../bad-start.ts';
import type { Server } from './embedded.ts';
import { types } from './session.ts';

const CONNECTIONS = 10;
const OLDEST = 130_000;

/**
 * Connections to the PostgreSQL at `url`, which several processes may share.
 *
 * @param broken told when an idle connection breaks; the pool opens another by itself
 * @throws BadStart when it cannot be reached or is not fit
 */
export async function openPostgres(url: string, broken: (error: Error) => void): Promise<Server> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    types,
    connectionTimeoutMillis: 10_000,
    // A process that hangs in a transaction must not hold the others' writes for ever.
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: 50_000,
    keepAlive: true,
    options: '-c timezone=UTC',
  });
  pool.on('error', broken);
  try {
    await refuseUnfit(pool);
  } catch (error) {
    await pool.end();
    throw error instanceof BadStart ? error : unreachable(error);
  }
  return { pool, close: () => pool.end() };
}

async function refuseUnfit(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string; number: string; encoding: string }>(
    `select current_setting('server_version') as version,
      current_setting('server_version_num') as number, current_setting('server_encoding') as encoding`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no answer');
  if (Number(row.number) < OLDEST)
    throw new BadStart(
      `DATABASE_URL is a PostgreSQL ${row.version}; version 13 or newer is needed.`,
    );
  if (row.encoding !== 'UTF8')
    throw new BadStart(
      `DATABASE_URL is a database in ${row.encoding}; make one with "create database … encoding 'UTF8'".`,
    );
}

function unreachable(error: unknown): BadStart {
  const reason =
    error instanceof AggregateError
      ? error.errors.map((one) => (one as Error).message).join(', ')
      : (error as Error).message;
  return new BadStart(
    `DATABASE_URL cannot be reached (${reason}); start that PostgreSQL, or correct the address.`,
  );
}
