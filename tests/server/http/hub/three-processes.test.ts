import { expect } from 'chai';
import { sql } from 'kysely';
import { SharedConnectionDirectory } from '#server/http/hub/directory.ts';
import { aMember, aProject, newId } from '../../../support/make.ts';
import { OwnTime } from '../../../support/own-time.ts';
import { startRoundRobin } from '../../../support/round-robin.ts';
import type { RoundRobin } from '../../../support/round-robin.ts';
import { startServer } from '../../../support/server.ts';
import type { TestServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { listen, transports } from './listener.ts';
import { END, HELLO, RawClient } from './raw-client.ts';

/** `CONNECTIONS=100` says how many are made over each transport. */
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 4);

describe('[wire 10.1] three servers behind a balancer without sticky sessions', () => {
  let balancer: RoundRobin;
  const servers: TestServer[] = [];
  let project: string;
  let token: string;
  let client: RawClient;

  before(async () => {
    balancer = await startRoundRobin();
    const env = { PUBLIC_URL: balancer.url };
    for (let n = 0; n < 3; n += 1) servers.push(await startServer({ env }));
    balancer.giveTo(servers.map(({ parts: services }) => services.config.port));
    const [{ parts: services }] = servers as [TestServer];
    const made = await aProject(services.db);
    project = made.id;
    const roles = ['AppBuilder'] as const;
    const groups = [made.group];
    const user = await aMember(services.db, made.organization, { roles, groups });
    token = await tokenFor(services, user.email ?? '');
    client = new RawClient(balancer.url, token);
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await balancer.close();
  });

  /** Connects, changes the project through the hub, receives the update, and stops. */
  const goThrough = async (transport: (typeof transports)[keyof typeof transports]) => {
    const listener = await listen(balancer.url, token, { transport });
    await listener.subscribe(`projects/${project}`);
    const id = newId();
    const data = { type: 'projects', id: project, attributes: { description: id } };
    const operation = { op: 'update', data, meta: { id } };
    const document = JSON.stringify({ operations: [operation] });
    const result = await listener.hub.invoke<string>('PerformOperations', document);
    expect(result).to.contain('"status":200');
    while (!(await listener.next()).meta.changes.includes(id));
    await listener.stop();
    expect(await listener.closed).to.equal(undefined);
  };

  for (const [name, transport] of Object.entries(transports))
    it(`serve ${String(CONNECTIONS)} connections of the stock client over ${name}, and none fails [issue 14, 7]`, async () => {
      const failures: string[] = [];
      for (let n = 0; n < CONNECTIONS; n += 1)
        await goThrough(transport).catch((error: unknown) => failures.push(String(error)));
      expect(failures).to.deep.equal([]);
      if (CONNECTIONS > 4) process.stdout.write(`      failed: 0 of ${String(CONNECTIONS)}\n`);
    });

  it('end the older of two polls that came to two of them, and answer the newer', async () => {
    const connection = await client.negotiate();
    await client.ask('GET', `?id=${connection}`);
    const polls = [0, 1].map(async (n) => ({
      n,
      answer: await client.ask('GET', `?id=${connection}`),
    }));
    const ended = await Promise.race(polls);
    expect(ended.answer.status).to.equal(204);
    await client.ask('POST', `?id=${connection}`, HELLO);
    const newer = await polls[1 - ended.n];
    expect(await newer?.answer.text()).to.equal(`{}${END}`);
    const ends = await client.ask('DELETE', `?id=${connection}`);
    expect(ends.status).to.equal(202);
  });

  it('open a connection once, whichever of them is asked, and for its user only', async () => {
    const connection = await client.negotiate();
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(() =>
        client.greeted(`?id=${connection}`).catch((error: unknown) => String(error)),
      ),
    );
    const opened = answers.filter((answer) => typeof answer !== 'string');
    const refused = answers.filter((answer) => typeof answer === 'string');
    expect(opened).to.have.length(1);
    for (const refusal of refused) expect(refusal).to.contain('409');
    expect((await client.ask('POST', `?id=${connection}`, HELLO)).status).to.equal(405);

    const [{ parts: services }] = servers as [TestServer];
    const other = await tokenFor(services, `other-${newId()}@x.test`);
    const answer = await new RawClient(balancer.url, other).ask('POST', `?id=${connection}`, HELLO);
    expect(answer.status).to.equal(404);
    for (const socket of opened) if (typeof socket !== 'string') socket.close();
  });

  it('count the connections of a user together', async () => {
    const [{ parts: services }] = servers as [TestServer];
    const many = new RawClient(balancer.url, await tokenFor(services, `many-${newId()}@x.test`));
    const answers = await Promise.all(
      Array.from({ length: 51 }, () => many.ask('POST', '/negotiate?negotiateVersion=1')),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array<number>(50).fill(200), 429]);
  });

  it('know no connection any more whose process is gone, and count it no more', async () => {
    const [{ parts: services }] = servers as [TestServer];
    const owner = newId();
    const here = new SharedConnectionDirectory(services, new OwnTime(), 'http://127.0.0.1:1');
    const there = new SharedConnectionDirectory(services, new OwnTime(), 'http://127.0.0.1:2');
    for (let n = 0; n < 50; n += 1) await here.openNew(`of ${owner} ${String(n)}`, owner);
    const place = { is: 'elsewhere', process: here.process, address: 'http://127.0.0.1:1' };
    expect(await there.locationOf(`of ${owner} 7`, owner)).to.deep.equal(place);
    expect(String(await there.reserve('x', owner).catch(String))).to.contain('too-many-requests');

    // The process dies without a word: it gives no sign of life for 30 s of the database's clock.
    await services.db.transact((tx) =>
      tx.query(sql`update hub_processes set seen_at = seen_at - interval '30 s'
        where id = ${here.process}::uuid`),
    );
    await there.openNew(`next of ${owner}`, owner);
    expect(await there.locationOf(`of ${owner} 7`, owner)).to.deep.equal({ is: 'unknown' });
    await there.stop();
    await here.stop();
  });

  it('know a connection though the clocks of their machines are an hour apart', async () => {
    const [{ parts: services }] = servers as [TestServer];
    const [owner, hour] = [newId(), 3_600_000];
    const directory = (lateMs: number, address: string) =>
      new SharedConnectionDirectory(
        { ...services, clock: () => Date.now() - lateMs },
        new OwnTime(),
        address,
      );
    const here = directory(hour, 'http://127.0.0.1:1');
    const there = directory(0, 'http://127.0.0.1:2');
    await here.openNew(`of ${owner}`, owner);
    await here.reserve(`kept for ${owner}`, owner);

    await there.openNew(`next of ${owner}`, owner);
    expect(await there.locationOf(`of ${owner}`, owner)).to.include({ is: 'elsewhere' });
    expect(await there.locationOf(`kept for ${owner}`, owner)).to.deep.equal({ is: 'reserved' });
    await there.stop();
    await here.stop();
  });

  it('know their connections again 10 s after a crash of the database has emptied the tables', async () => {
    const [{ parts: services }] = servers as [TestServer];
    const owner = newId();
    const time = new OwnTime();
    const here = new SharedConnectionDirectory(services, time, 'http://127.0.0.1:1');
    const there = new SharedConnectionDirectory(services, new OwnTime(), 'http://127.0.0.1:2');
    for (let n = 0; n < 50; n += 1) await here.openNew(`of ${owner} ${String(n)}`, owner);
    await here.release(`of ${owner} 8`);
    await here.markLeft(`of ${owner} 9`);
    await services.db.transact((tx) =>
      tx.query(sql`delete from hub_processes where id = ${here.process}::uuid`),
    );
    await services.db.transact((tx) =>
      tx.query(sql`delete from hub_connections where process_id = ${here.process}::uuid`),
    );
    expect(await there.locationOf(`of ${owner} 7`, owner)).to.deep.equal({ is: 'unknown' });

    time.pass(10_000);
    // The beat that has begun is over once the next one is planned.
    await time.until(10_000);
    const place = { is: 'elsewhere', process: here.process, address: 'http://127.0.0.1:1' };
    expect(await there.locationOf(`of ${owner} 7`, owner)).to.deep.equal(place);
    expect(await there.locationOf(`of ${owner} 8`, owner)).to.deep.equal({ is: 'unknown' });
    expect(await there.locationOf(`of ${owner} 9`, owner)).to.deep.equal(place);
    // One of 50 is over and the client of one has left, so two are free.
    await there.reserve(`a of ${owner}`, owner);
    await there.reserve(`b of ${owner}`, owner);
    expect(String(await there.reserve('c', owner).catch(String))).to.contain('too-many-requests');
    await there.stop();
    await here.stop();
  });

  it('answer 404 for a connection whose process cannot be reached', async () => {
    const [{ parts: services }] = servers as [TestServer];
    const email = `gone-${newId()}@x.test`;
    const bearer = await tokenFor(services, email);
    const someone = new RawClient(balancer.url, bearer);
    const connection = await someone.negotiate();
    const [user] = await services.db.read((tx) => tx.all('user', { email }));
    const gone = new SharedConnectionDirectory(services, new OwnTime(), 'http://127.0.0.1:1');
    expect(await gone.open(connection, user?.id ?? '')).to.equal('opened');
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await someone.ask(method, `?id=${connection}`)).status).to.equal(404);
    await gone.stop();
  });
});
