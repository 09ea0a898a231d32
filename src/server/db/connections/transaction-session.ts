import { AsyncLocalStorage } from 'node:async_hooks';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import type { RawBuilder } from 'kysely';
import pg from 'pg';
import { isUuid } from '#base/id.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../database.ts';
import { columnOf, recordOf, tableOf } from '../tables.ts';
import { isConnectionLost, unavailableProblemOf } from './database-errors.ts';
import type { TransactionQueue } from './transaction-queue.ts';

/** Turns templates into SQL; it never connects. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** The forms of values from PostgreSQL: counts as numbers, moments as ISO text with ms and Z. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    switch (oid as number) {
      case INT8:
        return Number;
      case TIMESTAMPTZ:
        return (text: string) => new Date(isoOf(text)).toISOString();
      default:
        return pg.types.getTypeParser(oid, format) as unknown;
    }
  },
};

/** `2026-01-31 09:30:00.5+00` → `2026-01-31T09:30:00.5+00:00`, which every engine reads alike. */
function isoOf(text: string): string {
  const [date = '', time = ''] = text.split(' ');
  return `${date}T${/[+-]\d\d$/.test(time) ? `${time}:00` : time}`;
}

/** The handle of one transaction. Using it after the end is a bug, and throws. */
export class TransactionSession implements DatabaseTransaction {
  readonly #client: pg.ClientBase;
  #isOver = false;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  over(): void {
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  async query<R>(statement: RawBuilder<R>): Promise<R[]> {
    if (this.#isOver) throw new Error('A transaction was used after its end');
    const { sql: text, parameters } = statement.compile(compiler);
    // Unnamed: named statements of two connections collide in the embedded database.
    const { rows } = await this.#client.query(text, [...parameters]);
    return rows as R[];
  }

  /** Runs statements without parameters, several in one message. */
  async run(statements: string): Promise<void> {
    if (this.#isOver) throw new Error('A transaction was used after its end');
    await this.#client.query(statements);
  }

  async one<T extends TypeName>(type: T, id: string): Promise<Of<T> | null> {
    const [row] = await this.query(
      sql<Record<string, unknown>>`select * from ${sql.id(tableOf(type))} where id = ${id}`,
    );
    return row === undefined ? null : recordOf(type, row);
  }

  async many<T extends TypeName>(type: T, ids: readonly string[]): Promise<Of<T>[]> {
    const known = [...new Set(ids)].filter(isUuid);
    if (known.length === 0) return [];
    const rows = await this.query(
      sql<Record<string, unknown>>`select * from ${sql.id(tableOf(type))}
        where id = any(${known}::uuid[])`,
    );
    return rows.map((row) => recordOf(type, row));
  }

  async all<T extends TypeName>(type: T, where: Partial<Of<T>>): Promise<Of<T>[]> {
    const tests = Object.entries(where).map(([field, value]) => {
      const column = sql.id(columnOf(type, field));
      return value === null ? sql`${column} is null` : sql`${column} = ${value}`;
    });
    const rows = await this.query(
      sql<Record<string, unknown>>`select * from ${sql.id(tableOf(type))}
        where ${sql.join([sql`true`, ...tests], sql` and `)} order by id`,
    );
    return rows.map((row) => recordOf(type, row));
  }
}

/** The ways to begin; each is one message, because single messages are all that may come outside a transaction. */
export const begin = {
  read: 'begin isolation level repeatable read read only',
  transact: 'begin isolation level read committed',
  /** The lock on the head is what makes writes serial; it is held until the commit. */
  write: 'begin isolation level read committed; select n from feed_head for update',
} as const;

/** The transaction that the code now running is in. */
const inside = new AsyncLocalStorage<TransactionSession>();

/** @throws Error inside a transaction: on the embedded database, one session, the inner would wait for the outer for ever */
export function refuseInside(): void {
  if (inside.getStore()?.isOver === false)
    throw new Error('A transaction was begun inside another: use the handle at hand');
}

/** Runs `work` with a handle that ends with it. */
export async function within<T>(
  client: pg.ClientBase,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  const session = new TransactionSession(client);
  try {
    return await inside.run(session, () => work(session));
  } finally {
    session.over();
  }
}

/** The pool on which transactions begin, and their order if that matters. */
export interface Connections {
  readonly pool: pg.Pool;
  /** Null where transactions do not wait for each other. */
  readonly transactionQueue: TransactionQueue | null;
}

/**
 * Runs `work` between `opening` and commit on a connection of its own. What it throws rolls back
 * and is thrown on; a connection that cannot even do that is thrown away.
 *
 * @throws ProblemError 503 when the database could not do it at this moment
 */
export async function transaction<T>(
  { pool, transactionQueue }: Connections,
  begin: string,
  work: (session: TransactionSession) => Promise<T>,
): Promise<T> {
  refuseInside();
  const end = await transactionQueue?.enter('read');
  try {
    return await onConnection(pool, async (client) => {
      await client.query(begin);
      const result = await within(client, work);
      await client.query('commit');
      return result;
    });
  } catch (error) {
    throw unavailableProblemOf(error);
  } finally {
    end?.();
  }
}

/** Runs `work`, which is one transaction, on a connection; an error is rolled back. */
async function onConnection<T>(
  pool: pg.Pool,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isUsable = false;
  try {
    const result = await work(client);
    isUsable = true;
    return result;
  } catch (error) {
    isUsable = !isConnectionLost(error) && (await rolledBack(client));
    throw error;
  } finally {
    client.release(!isUsable);
  }
}

/** Rolls back; returns false when the connection is gone, and with it the transaction. */
export async function rolledBack(client: pg.ClientBase): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}
