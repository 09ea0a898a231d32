import { sql } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import type { Bus } from '../bus/bus.ts';
import type { Cause, Database, Tx, Write } from './database.ts';
import { openEmbedded } from './embedded.ts';
import type { Server } from './embedded.ts';
import { tellFeed } from './feed.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { begin, transaction } from './session.ts';
import { Writing } from './writing.ts';

export interface Opening {
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  /** An idle connection broke; another is opened when needed. */
  readonly broken: (error: Error) => void;
  /** The embedded database died; nothing can be done but to stop. */
  readonly lost: (error: Error) => void;
}

/** Opens the database and brings its tables up to date. @throws BadStart */
export async function openDatabase(opening: Opening): Promise<Database> {
  const { databaseUrl, dataDir, bus, clock, random } = opening;
  const server =
    databaseUrl === null
      ? await openEmbedded(dataDir, opening.lost)
      : await openPostgres(databaseUrl, opening.broken);
  try {
    await migrate(server.pool, clock, random);
    const identity = await identityIn(server);
    return databaseOn(server, databaseUrl === null ? 'embedded' : 'postgres', identity, bus);
  } catch (error) {
    await server.close();
    throw error;
  }
}

function identityIn({ pool }: Server): Promise<string> {
  return transaction(pool, begin.read, async (tx) => {
    const [row] = await tx.query(
      sql<{ readonly identity: string }>`select identity from database_identity`,
    );
    if (row === undefined) throw new Error('The database has no name');
    return row.identity;
  });
}

function databaseOn(server: Server, kind: Database['kind'], identity: string, bus: Bus): Database {
  const { pool } = server;
  return {
    kind,
    identity,
    read: (work: (tx: Tx) => Promise<never>) => transaction(pool, begin.read, work),
    transact: (work: (tx: Tx) => Promise<never>) => transaction(pool, begin.transact, work),
    async write<T>(cause: Cause, work: (write: Write) => Promise<T>): Promise<T> {
      const { result, writing, isTold } = await transaction(
        pool,
        begin.write,
        async (tx, opened) => {
          const head = opened.at(-1)?.rows[0] as { n: number } | undefined;
          if (head === undefined) throw new Error('The feed has no head');
          const writing = new Writing(tx, cause, head.n + 1);
          const result = await work(writing);
          const isTold = writing.journal.all().length > 0;
          if (isTold) await tellFeed(tx, writing.journal, cause, writing.n);
          return { result, writing, isTold };
        },
      );
      if (isTold) bus.publish(writing.n);
      for (const act of writing.afterwards) act();
      return result;
    },
    close: () => server.close(),
  };
}
