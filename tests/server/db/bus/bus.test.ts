import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { sql } from 'kysely';
import { localBus } from '#server/kernel/bus/local-bus.ts';
import { headOf } from '#server/feed/write-feed.ts';
import { freshPlace, openAt } from '../../../support/database.ts';
import type { Place } from '../../../support/database.ts';
import { aCause, newId } from '../../../support/make.ts';

describe('the bus', () => {
  it('tells every listener of every commit, until the listener stops', () => {
    const bus = localBus();
    const received: string[] = [];
    const stop = bus.subscribe((n) => received.push(`a${n}`));
    bus.subscribe((n) => received.push(`b${n}`));
    bus.publish(1);
    stop();
    bus.publish(2);

    expect(received).to.deep.equal(['a1', 'b1', 'b2']);
  });
});

describe('two servers on one PostgreSQL', () => {
  let place: Place;
  type Server = Awaited<ReturnType<typeof openAt>>;
  let servers: Server[] = [];

  before(async () => {
    place = await freshPlace();
    // The embedded database serves one: both ends of this story are then the same server.
    const one = await openAt(place);
    servers = [one, place.databaseUrl === null ? one : await openAt(place)];
  });

  after(async () => {
    for (const server of new Set(servers)) await server.close();
    await place.remove();
  });

  const ends = (): [Server, Server] => {
    const [here, there] = servers;
    if (here === undefined || there === undefined) throw new Error('The servers did not start');
    return [here, there];
  };

  /**
   * Writes through one; resolves once the other has received a hint of that commit or a later one.
   */
  async function tellAcross(): Promise<void> {
    const [here, there] = ends();
    const told = new EventEmitter();
    let head = Infinity;
    let newest = 0;
    const stop = there.bus.subscribe((n) => {
      newest = Math.max(newest, n);
      if (newest >= head) told.emit('told');
    });
    head = await here.db.write(aCause(), async (w) => {
      await w.insert('user', { id: newId() });
      return w.n;
    });
    if (newest < head) await once(told, 'told');
    stop();
    expect((await there.db.read(headOf)).n).to.be.at.least(head);
  }

  it('tell each other of commits', async () => {
    await tellAcross();
  });

  it('tell each other again after their listening connections were cut', async () => {
    const [here, there] = ends();
    const isPostgres = here.db.kind === 'postgres';
    const cuts = await here.db.transact((tx) =>
      tx.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'slipway-bus'`),
    );
    await tellAcross();

    expect(cuts.length).to.equal(isPostgres ? 2 : 0);
    expect(there.broken.length > 0).to.equal(isPostgres);
  });
});
