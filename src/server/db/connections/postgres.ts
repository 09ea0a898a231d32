import pg from 'pg';
import { BadStart } from '../../kernel/bad-start.ts';
import type { Server } from './embedded.ts';
import { types } from './transaction-session.ts';

/** The connections for reads and for what is no resource: a waiting writer takes none of them. */
const CONNECTIONS = 10;
/**
 * This is longer than for a read: waiting for the writers of other processes is a statement too.
 */
const WRITE_WITHIN_MS = 50_000;
/** A read of one person must not hold up everybody (wire 15.2). */
const READ_WITHIN_MS = 10_000;
/**
 * This long after the time limit of a statement an answer must be here, if only that it was given
 * up.
 */
const SILENT_AFTER_MS = 5_000;
const OLDEST = 130_000;

/** The time limits of statements. */
export interface StatementTimes {
  /** After this time the database gives up a statement that is no writer's. */
  readonly readWithinMs?: number;
  /** The time limit for a writer's statements. */
  readonly writeWithinMs?: number;
  /** A connection that has not answered so long after that is given up: the network lost it. */
  readonly silentAfterMs?: number;
}

/**
 * Connections to the PostgreSQL at `url`, which several processes may share.
 *
 * @param broken called when an idle connection breaks before `close`; the pool opens another by itself
 * @throws BadStart when it cannot be reached or is not fit
 */
export async function openPostgres(
  url: string,
  broken: (error: Error) => void,
  times: StatementTimes = {},
): Promise<Server> {
  const { silentAfterMs = SILENT_AFTER_MS } = times;
  let isClosing = false;
  const connect = (max: number, statementWithinMs: number | null) => {
    const pool = new pg.Pool({
      connectionString: url,
      max,
      types,
      connectionTimeoutMillis: 10_000,
      // A process that hangs in a transaction must not hold the others' writes for ever.
      idle_in_transaction_session_timeout: 30_000,
      ...(statementWithinMs === null
        ? {}
        : {
            statement_timeout: statementWithinMs,
            query_timeout: statementWithinMs + silentAfterMs,
          }),
      keepAlive: true,
      // Our statements are short: compiling one takes longer than any of them.
      // One total must not take every processor; without helpers the planner counts in the covering index.
      options: '-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0',
    });
    pool.on('error', (error) => {
      if (!isClosing) broken(error);
    });
    // The pool reports nothing about a connection that is in use; whoever uses it gets the error
    // anyway.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const pool = connect(CONNECTIONS, times.readWithinMs ?? READ_WITHIN_MS);
  try {
    await refuseUnfit(pool);
  } catch (error) {
    await pool.end();
    throw error instanceof BadStart ? error : unreachable(error);
  }
  const writer = connect(1, times.writeWithinMs ?? WRITE_WITHIN_MS);
  const migrator = connect(1, null);
  const close = async () => {
    isClosing = true;
    await Promise.all([pool.end(), writer.end(), migrator.end()]);
  };
  return { pool, writer, migrator, close };
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
