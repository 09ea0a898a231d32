import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * These ports lie below those that systems give by themselves to whoever connects: one of those
 * can be taken between here and the start of the server that is to have it. Browsers refuse none
 * of these.
 */
const FIRST = 20_000;
const COUNT = 12_000;

/** Processes begin anywhere among them, so that two hardly ask for the same one at once. */
const begin = randomInt(COUNT);
let asked = 0;

/** A port that was free a moment ago, that nothing gets by chance, and that browsers do not refuse. */
export async function freePort(): Promise<number> {
  while (asked < COUNT) {
    const port = FIRST + ((begin + asked) % COUNT);
    asked += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('Every port was asked for');
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const isListening = await new Promise<boolean>((done) => {
    probe.once('error', () => {
      done(false);
    });
    probe.listen(port, '127.0.0.1', () => {
      done(true);
    });
  });
  if (isListening) await new Promise((done) => probe.close(done));
  return isListening;
}
