import { expect } from 'chai';
import pg from 'pg';
import type { NewsOperation } from '#protocol/operations.ts';
import { listen } from './listener.ts';
import type { Listener } from './listener.ts';
import { freshPlace } from '../../support/database.ts';
import type { Place } from '../../support/database.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const POSTGRES = process.env.SLIPWAY_TEST_POSTGRES ?? 'postgres://root@127.0.0.1:5432/test';

const nameIn = (news: NewsOperation) => (news.op === 'remove' ? null : news.data.attributes?.name);

/** Two servers on one PostgreSQL; a person listens at one, and things happen at the other. */
describe('[wire 10.3] two servers on one database', () => {
  let place: Place;
  let here: TestServer;
  let there: TestServer;
  let listener: Listener;
  let organization: string;

  before(async () => {
    const given = process.env.DATABASE_URL;
    process.env.DATABASE_URL = given === undefined || given === '' ? POSTGRES : given;
    place = await freshPlace().finally(() => {
      if (given === undefined) delete process.env.DATABASE_URL;
      else process.env.DATABASE_URL = given;
    });
    const env = { DATABASE_URL: place.databaseUrl ?? '' };
    here = await startServer({ env, isFresh: true });
    there = await startServer({ env, isFresh: true });

    const token = await tokenFor(here.parts, { email: 'ana@x.test' });
    listener = await listen(here.url, token);
    const me = await fetch(`${here.url}/api/users/current-user`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { data } = (await me.json()) as { data: { id: string } };
    organization = crypto.randomUUID();
    await there.parts.db.write({ at: Date.now(), by: null, changes: [] }, async (w) => {
      await w.insert('organization', { id: organization, name: 'Lakeside', owner: data.id });
      await w.insert('organizationMembership', {
        id: crypto.randomUUID(),
        user: data.id,
        organization,
      });
    });
    await listener.subscribe('changes');
  });
  after(async () => {
    await listener.stop();
    await here.stop();
    await there.stop();
    await place.remove();
  });

  /** Renames the organization at the other server; how long until the listener is told. */
  const tookMs = async (name: string): Promise<number> => {
    await there.parts.db.write({ at: Date.now(), by: null, changes: [] }, (w) =>
      w.change('organization', organization, { name }),
    );
    const begin = performance.now();
    while (!(await listener.next()).operations.some((news) => nameIn(news) === name));
    return performance.now() - begin;
  };

  it('bring a change at one to a client of the other within 1 s', async () => {
    expect(await tookMs('Lakeside Press')).to.be.below(1_000);
  });

  it('do so too after the connection that listens was cut', async () => {
    const client = new pg.Client(place.databaseUrl ?? '');
    await client.connect();
    // Connections of the pool have ended with a commit; those that listen do something else.
    const { rows } = await client.query<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        and query not in ('commit', 'rollback')`,
    );
    await client.end();
    expect(rows).to.have.length(2);
    expect(await tookMs('Lakeside Books')).to.be.below(1_000);
  });
});
