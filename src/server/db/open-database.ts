import { sql } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import type { Bus } from '../kernel/bus/bus.ts';
import type { WriteCause, Database, DatabaseTransaction, WriteTransaction } from './database.ts';
import { openEmbedded } from './connections/embedded.ts';
import type { Server } from './connections/embedded.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './connections/postgres.ts';
import { ensureSecretsKey } from './secrets.ts';
import type { Secrets } from './secret-places.ts';
import { Semaphore } from './connections/semaphore.ts';
import { begin, refuseInside, transaction } from './connections/transaction-session.ts';
import type { ChangeRecorder } from './writer/change-recorder.ts';
import { Writer } from './writer/writer.ts';

/** Transactions may wait for locks of each other, so they leave the other connections to reads. */
const MOST_TRANSACTIONS = 6;

export interface DatabaseOptions {
  /** Null means the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: Secrets;
  readonly recorder: ChangeRecorder;
  /** An idle connection broke; another is opened when needed. */
  readonly broken: (error: Error) => void;
  /** The embedded database died; nothing can be done but to stop. */
  readonly lost: (error: Error) => void;
}

/** Opens the database and brings its tables up to date. @throws BadStart */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir } = options;
  const kind = databaseUrl === null ? 'embedded' : 'postgres';
  const server =
    databaseUrl === null
      ? await openEmbedded(dataDir, options.lost)
      : await openPostgres(databaseUrl, options.broken);
  try {
    return await openOn(server, kind, options);
  } catch (error) {
    await server.close();
    throw error;
  }
}

type SharedServices = Pick<DatabaseOptions, 'bus' | 'clock' | 'random' | 'secrets' | 'recorder'>;

/** Does the same on a PostgreSQL that runs already, however it is reached. */
export async function openOn(
  server: Server,
  kind: Database['kind'],
  { bus, clock, random, secrets, recorder }: SharedServices,
): Promise<Database> {
  await migrate(server.migrator ?? server.pool, clock, random);
  const alone = { pool: server.pool, transactionQueue: null };
  await transaction(alone, begin.transact, (tx) => ensureSecretsKey(tx, secrets));
  const identity = await transaction(alone, begin.read, identityOf);
  return databaseOn(server, { kind, identity, secrets }, { bus, clock, random, recorder });
}

/** The database was given a random name when it was made. */
async function identityOf(tx: DatabaseTransaction): Promise<string> {
  const [row] = await tx.query(
    sql<{ readonly identity: string }>`select identity from database_identity`,
  );
  if (row === undefined) throw new Error('The database has no name');
  return row.identity;
}

function databaseOn(
  server: Server,
  known: Pick<Database, 'kind' | 'identity' | 'secrets'>,
  { bus, clock, random, recorder }: Omit<SharedServices, 'secrets'>,
): Database {
  const connections = { pool: server.pool, transactionQueue: server.transactionQueue ?? null };
  const writer = new Writer({
    ...connections,
    pool: server.writer ?? server.pool,
    committed: (n) => {
      bus.publish(n);
    },
    clock,
    random,
    recorder,
  });
  const transactions = new Semaphore(MOST_TRANSACTIONS);
  return {
    ...known,
    read: (work: (tx: DatabaseTransaction) => Promise<never>) =>
      transaction(connections, begin.read, work),
    transact: async (work: (tx: DatabaseTransaction) => Promise<never>) => {
      // A transaction inside another would wait for the place that the other holds.
      refuseInside();
      return transactions.run(() => transaction(connections, begin.transact, work));
    },
    write: (cause: WriteCause, work: (write: WriteTransaction) => Promise<never>) =>
      writer.write(cause, work),
    close: () => server.close(),
  };
}
