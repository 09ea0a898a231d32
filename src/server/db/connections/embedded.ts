import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { BadStart } from '../../kernel/bad-start.ts';
import { lockFolder } from './folder-lock.ts';
import { types } from './transaction-session.ts';
import { TransactionQueue } from './transaction-queue.ts';

export interface WorkerData {
  readonly folder: string;
  readonly socket: string;
  readonly connections: number;
}

export type FromWorker =
  | { readonly is: 'ready' }
  | { readonly is: 'closed' }
  | { readonly is: 'lost'; readonly reason: string };

/** Connections to a PostgreSQL, and how to let go of them. */
export interface Server {
  readonly pool: pg.Pool;
  /** The pool on which resource tables are written; `pool` where nothing waits beside it anyway. */
  readonly writer?: pg.Pool;
  /**
   * The pool on which migrations run, which may take long; `pool` where that has no time limits.
   */
  readonly migrator?: pg.Pool;
  /** The order of transactions, where one has to end before the next begins. */
  readonly transactionQueue?: TransactionQueue;
  close(): Promise<void>;
}

/** It is one session whatever the number: while one works the others wait. */
const CONNECTIONS = 8;
/** The longest address of a socket that the system takes, less some. */
const LONGEST_SOCKET = 100;

/**
 * Starts the embedded database in `dataDir`, which is this process's alone until `close`.
 *
 * @param lost called when the database dies under us; nothing can be done but to stop
 * @throws BadStart when the folder is in use or cannot be written
 */
export async function openEmbedded(dataDir: string, lost: (error: Error) => void): Promise<Server> {
  const unlock = takeFolder(dataDir);
  const run = socketFolder(dataDir);
  const socket = join(run, '.s.PGSQL.5432');
  rmSync(socket, { force: true });
  let worker;
  try {
    worker = await startWorker({
      folder: join(dataDir, 'database'),
      socket,
      connections: CONNECTIONS,
    });
  } catch (error) {
    unlock();
    throw error;
  }
  let isClosing = false;
  const fail = (error: Error) => {
    if (!isClosing) lost(error);
  };
  worker.on('error', (error) => {
    fail(error);
  });
  worker.on('exit', (code) => {
    fail(new Error(`The embedded database ended (${code})`));
  });
  worker.on('message', (message: FromWorker) => {
    if (message.is === 'lost') fail(new Error(message.reason));
  });

  const pool = new pg.Pool({
    host: run,
    user: 'postgres',
    database: 'postgres',
    max: CONNECTIONS,
    types,
  });
  // A pool without this listener ends the process when an idle connection breaks.
  pool.on('error', fail);
  return {
    pool,
    transactionQueue: new TransactionQueue(),
    async close() {
      isClosing = true;
      await pool.end();
      await stopWorker(worker);
      rmSync(socket, { force: true });
      if (run !== socketPlace(dataDir)) rmSync(run, { recursive: true, force: true });
      unlock();
    },
  };
}

function takeFolder(dataDir: string): () => void {
  try {
    mkdirSync(join(dataDir, 'database'), { recursive: true, mode: 0o700 });
    return lockFolder(join(dataDir, 'lock'));
  } catch (error) {
    if (error instanceof BadStart) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadStart(`DATA_DIR cannot be written (${reason}); name a folder that can.`);
  }
}

const socketPlace = (dataDir: string): string => join(dataDir, 'run');

/** Nobody else may reach the socket: it asks for no password. */
function socketFolder(dataDir: string): string {
  const place = socketPlace(dataDir);
  if (Buffer.byteLength(join(place, '.s.PGSQL.5432')) > LONGEST_SOCKET)
    return mkdtempSync(join(tmpdir(), 'slipway-'));
  mkdirSync(place, { recursive: true });
  chmodSync(place, 0o700);
  return place;
}

/** Node's threads know no TypeScript of themselves: the loader is registered before the first import. */
const BOOT = `const { boot } = require('node:worker_threads').workerData;
import(boot.loader).then(({ register }) => { register(); return import(boot.main); })
  .catch((error) => { setImmediate(() => { throw error; }); });`;

async function startWorker(data: WorkerData): Promise<Worker> {
  const tsx = createRequire(import.meta.url).resolve('tsx/package.json');
  const boot = {
    // Not import.meta.resolve: test runners that load files with require() have none.
    loader: new URL('./dist/esm/api/index.mjs', pathToFileURL(tsx)).href,
    main: new URL('./embedded-worker.ts', import.meta.url).href,
  };
  const worker = new Worker(BOOT, { eval: true, workerData: { ...data, boot } });
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => {
      resolve();
    });
    worker.once('error', (error: unknown) => {
      reject(unusable(dirname(data.folder), error));
    });
    worker.once('exit', () => {
      reject(unusable(dirname(data.folder), 'it ended at once'));
    });
  });
  worker.removeAllListeners();
  return worker;
}

function unusable(dataDir: string, reason: unknown): BadStart {
  return new BadStart(
    `The database in ${dataDir} cannot be opened (${reason instanceof Error ? reason.message : String(reason)}); ` +
      'restore it from a backup, or set another DATA_DIR.',
  );
}

async function stopWorker(worker: Worker): Promise<void> {
  await new Promise<void>((resolve) => {
    worker.on('message', (message: FromWorker) => {
      if (message.is === 'closed') resolve();
    });
    worker.once('exit', () => {
      resolve();
    });
    worker.postMessage('close');
  });
  await worker.terminate();
}
