import { sql } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import type { Logger } from 'pino';
import type { Bus } from '../bus/bus.ts';
import { openBus } from '../bus/open.ts';
import type { Config } from '../config.ts';
import type { Cause, Database, Tx, Write } from './database.ts';
import { openEmbedded } from './embedded.ts';
import type { Server } from './embedded.ts';
import { tellFeed } from './feed.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { begin, transaction } from './session.ts';
import { Writing } from './writing.ts';

export interface Opening {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Logger, 'warn' | 'fatal'>;
}

export interface OpenedDatabase {
  readonly db: Database;
  readonly bus: Bus;
}

/** Opens the database and its bus, and brings the tables up to date. @throws BadStart */
export async function openDatabase(opening: Opening): Promise<OpenedDatabase> {
  const { databaseUrl } = opening.config;
  const server = await openServer(opening);
  try {
    await migrate(server.pool, opening.clock, opening.random);
    const identity = await identityIn(server);
    const bus = openBus(databaseUrl, (error) => {
      opening.log.warn({ err: error }, 'The connection to the other servers was cut; trying again');
    });
    const kind = databaseUrl === null ? 'embedded' : 'postgres';
    return { db: databaseOn(server, kind, identity, bus), bus };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function openServer({ config, log }: Opening): Promise<Server> {
  if (config.databaseUrl !== null)
    return openPostgres(config.databaseUrl, (error) => {
      log.warn({ err: error }, 'A connection to the database broke; another is made when needed');
    });
  return openEmbedded(config.dataDir, (error) => {
    log.fatal({ err: error }, 'The embedded database died');
    // Nothing can be done without it: this ends the process, and the next start recovers.
    setImmediate(() => {
      throw error;
    });
  });
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
