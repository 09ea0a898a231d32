import type { Clock, Random } from '#base/id.ts';
import type { Bus } from '../bus/bus.ts';
import type { Cause, Database, Tx, Write } from './database.ts';
import { openEmbedded } from './embedded.ts';
import type { Server } from './embedded.ts';
import { EpochNote, settleEpoch } from './epoch.ts';
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
  const { databaseUrl, dataDir } = opening;
  const kind = databaseUrl === null ? 'embedded' : 'postgres';
  const server =
    databaseUrl === null
      ? await openEmbedded(dataDir, opening.lost)
      : await openPostgres(databaseUrl, opening.broken);
  const note = new EpochNote(dataDir);
  try {
    return await openOn(server, kind, { ...opening, note });
  } catch (error) {
    note.close();
    await server.close();
    throw error;
  }
}

interface Means extends Pick<Opening, 'bus' | 'clock' | 'random'> {
  /** What was seen of the database before; closed with it. */
  readonly note?: EpochNote | null;
}

/** The same on a PostgreSQL that is there already, however it is reached. */
export async function openOn(
  server: Server,
  kind: Database['kind'],
  { bus, clock, random, note = null }: Means,
): Promise<Database> {
  await migrate(server.pool, clock, random);
  const { identity, head } = await settleEpoch(server.pool, note, kind === 'embedded', random);
  if (note === null) return databaseOn(server, kind, identity, bus);

  note.see(identity, head);
  const unsubscribe = bus.subscribe((n) => {
    note.see(identity, n);
  });
  const close = async () => {
    unsubscribe();
    await server.close();
    note.close();
  };
  return databaseOn({ pool: server.pool, close }, kind, identity, bus);
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
          const isTold = await tellFeed(tx, writing.journal, cause, writing.n);
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
