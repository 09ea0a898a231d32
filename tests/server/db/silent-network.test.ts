import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { sql } from 'kysely';
import { ProblemError } from '#protocol/problem.ts';
import { localBus } from '#server/kernel/bus/local-bus.ts';
import { openOn } from '#server/db/open-database.ts';
import { feedRecorder } from '#server/feed/feed-recorder.ts';
import { openPostgres } from '#server/db/connections/postgres.ts';
import { freshPlace } from '../../support/database.ts';
import { aCause, newId } from '../../support/make.ts';
import { testSecrets } from '../../support/test-key.ts';

const url = process.env.DATABASE_URL ?? '';
/** There is no network before the embedded database. */
const onPostgres = (title: string, body: () => Promise<void>) => {
  if (url !== '') it(title, body);
};

/** A way to the PostgreSQL at `there`, whose connections can be lost as by a network: nothing is said. */
async function openRelay(there: string) {
  const far = new URL(there);
  const open: Socket[] = [];
  const relay = createServer((near) => {
    const beyond = connect(Number(far.port === '' ? 5432 : far.port), far.hostname);
    open.push(near, beyond);
    near.on('error', () => beyond.destroy());
    beyond.on('error', () => near.destroy());
    near.pipe(beyond).pipe(near);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const address = new URL(there);
  address.hostname = '127.0.0.1';
  address.port = String((relay.address() as AddressInfo).port);
  return {
    url: address.href,
    /** Open connections transmit nothing more; new ones go through. */
    fallSilent: () => {
      for (const end of open) end.unpipe().pause();
    },
    close: () => {
      for (const end of open) end.destroy();
      relay.close();
    },
  };
}

const codeOf = (error: unknown) => (error instanceof ProblemError ? error.problem.code : error);

describe('a PostgreSQL that nothing more is heard of', () => {
  onPostgres('is given up with 503, and the next asks it over another connection', async () => {
    const place = await freshPlace();
    const relay = await openRelay(place.databaseUrl ?? '');
    const times = { readWithinMs: 1_000, writeWithinMs: 1_000, silentAfterMs: 100 };
    const server = await openPostgres(relay.url, () => undefined, times);
    const random = (bytes: Uint8Array) => randomFillSync(bytes);
    const options = {
      bus: localBus(),
      clock: Date.now,
      random,
      secrets: testSecrets,
      recorder: feedRecorder,
    };
    const db = await openOn(server, 'postgres', options);
    const read = () => db.read((tx) => tx.query(sql`select 1 as one`));
    const write = () => db.write(aCause(), (w) => w.insert('user', { id: newId() }));
    await read();
    await write();

    relay.fallSilent();
    expect(await read().catch(codeOf)).to.equal('unavailable');
    expect(await write().catch(codeOf)).to.equal('unavailable');
    expect(await read()).to.deep.equal([{ one: 1 }]);
    await write();
    relay.close();
    await db.close();
    await place.remove();
  });
});
