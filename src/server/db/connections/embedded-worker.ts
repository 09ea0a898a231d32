import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { FromWorker, WorkerData } from './embedded.ts';

/** The embedded database, in a thread of its own because it stands still while it works. */
const { folder, socket, connections } = workerData as WorkerData;
const port = parentPort;
if (port === null) throw new Error('The embedded database runs in a worker thread');
const post = (message: FromWorker) => {
  port.postMessage(message);
};

const db = await PGlite.create(folder, { relaxedDurability: false });
const run = db.execProtocolRawStream.bind(db);
db.execProtocolRawStream = async (message, options) => {
  try {
    await run(message, options);
  } catch (error) {
    // Not a refused statement, which is an answer: the engine itself broke, and would hang for ever.
    post({ is: 'lost', reason: String(error) });
    throw error;
  }
};

const server = new PGLiteSocketServer({ db, path: socket, maxConnections: connections });
await server.start();
port.once('message', () => {
  void stop();
});
post({ is: 'ready' });

async function stop(): Promise<void> {
  await server.stop();
  await db.close();
  post({ is: 'closed' });
}
