import { expect } from 'chai';
import { limits } from '#protocol/limits.ts';
import type { FeedDocument } from '#protocol/operations.ts';
import { prune } from '#server/db/prune.ts';
import { aCause, aMember, newId } from '../support/make.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { listen, toldBy } from './http/hub/listener.ts';
import { Line, Writer } from './writer.ts';

/** The server's half of faults: what a client may rely on when it sends, asks and listens again. */
describe('through faults, the server', () => {
  let server: TestServer;
  let writer: Writer;
  before(async () => {
    server = await startServer();
  });
  beforeEach(async () => {
    writer = await Writer.on(server);
  });
  after(() => server.stop());

  const idsOf = (...changes: readonly { readonly meta?: { readonly id?: string } }[]) =>
    changes.map(({ meta }) => meta?.id);
  /** Resolves once the project is called `name`; the bus tells of what others commit too. */
  const untilNamed = (name: string) =>
    new Promise<void>((done) => {
      const stop = server.parts.bus.subscribe(() => {
        void writer.nameNow().then((now) => {
          if (now !== name) return;
          stop();
          done();
        });
      });
    });
  const refusalOf = async (answer: Response) => {
    const { errors } = (await answer.json()) as {
      readonly errors: readonly { readonly code: string; readonly meta?: unknown }[];
    };
    return { status: answer.status, code: errors[0]?.code, meta: errors[0]?.meta };
  };
  const feedSince = async (cursor: string) => {
    const answer = await writer.get(`/api/changes?since=${cursor}`);
    if (answer.status !== 200) return refusalOf(answer);
    return (await answer.json()) as FeedDocument;
  };
  /** Reads all there is; the cursor at which this person is level with the server. */
  const level = async () => {
    for (let cursor = '', more = true; ;) {
      const document = (await feedSince(cursor)) as FeedDocument;
      ({ cursor, more } = document.meta);
      if (!more) return cursor;
    }
  };
  const setLock = (isLocked: boolean) =>
    server.parts.db.write(aCause(), (w) => w.change('user', writer.user, { isLocked }));

  it('[fault 1] answers from the record when the first answer never arrived', async () => {
    const change = writer.rename('Committed');
    const line = new Line(server);
    const committed = untilNamed('Committed');
    line.send(writer.request([change]));
    await committed;
    line.cut();

    const [verdict] = await writer.verdicts([change]);
    expect(verdict?.meta).to.deep.include({ status: 200, replayed: true });
    expect(await writer.renames()).to.deep.equal(idsOf(change));
  });

  it('[fault 2] does nothing of a request that broke off, and all of it in order when it comes again', async () => {
    const changes = [writer.rename('First'), writer.rename('Second', 'First')];
    const line = new Line(server);
    line.send(writer.request(changes).slice(0, -3));
    line.cut();

    const verdicts = await writer.verdicts(changes);
    expect(verdicts.map(({ meta }) => [meta.status, meta.replayed])).to.deep.equal([
      [200, undefined],
      [200, undefined],
    ]);
    expect(await writer.renames()).to.deep.equal(idsOf(...changes));
  });

  it('[fault 3] does once what comes several times, at once or late', async () => {
    const [first, second, third] = [writer.rename('A'), writer.rename('B'), writer.rename('C')];
    await Promise.all([1, 2, 3].map(() => writer.verdicts([first, second])));
    await writer.verdicts([third]);
    const late = await writer.verdicts([first, second]);

    expect(late.map(({ meta }) => meta.replayed)).to.deep.equal([true, true]);
    expect(await writer.renames()).to.deep.equal(idsOf(first, second, third));
    expect(await writer.nameNow()).to.equal('C');
  });

  it('[fault 20] stops at a token that is over, and goes on from the same row for the same person', async () => {
    const changes = [writer.rename('Before'), writer.rename('After', 'Before')];
    const { email } = writer;
    writer.token = await tokenFor(server.parts, { email }, { lastsSeconds: -120 });
    const refused = await writer.post(changes);

    expect(refused.headers.get('www-authenticate')).to.contain('Bearer');
    expect(await refusalOf(refused)).to.deep.equal({
      status: 401,
      code: 'not-signed-in',
      meta: { reason: 'expired' },
    });
    const other = await Writer.on(server);
    const theirs = await other.verdicts(changes);
    expect(theirs.map(({ meta }) => meta.status)).to.deep.equal([403, 403]);

    writer.token = await tokenFor(server.parts, { email });
    const verdicts = await writer.verdicts(changes);
    expect(verdicts.map(({ meta }) => [meta.status, meta.replayed])).to.deep.equal([
      [200, undefined],
      [200, undefined],
    ]);
    expect(await writer.renames()).to.deep.equal(idsOf(...changes));
  });

  it('[fault 28] gives a client that missed messages the same by its feed', async () => {
    const listener = await listen(server.url, writer.token);
    await listener.subscribe('changes');
    const changes = [writer.rename('One'), writer.rename('Two'), writer.rename('Three')];
    for (const change of changes) await writer.verdicts([change]);
    const [first, second, third] = [
      await listener.next(),
      await listener.next(),
      await listener.next(),
    ];
    await listener.stop();

    expect(second.meta.previous).to.equal(first.meta.cursor);
    expect(third.meta.previous).to.equal(second.meta.cursor);
    expect([first, second, third].flatMap(({ meta }) => meta.changes)).to.deep.equal(
      idsOf(...changes),
    );
    const feed = await feedSince(first.meta.cursor);
    expect(feed).to.deep.include({ operations: third.operations });
    expect(feed.meta).to.deep.include({ cursor: third.meta.cursor, more: false });
  });

  it('[fault 31] sends who was away for too long to begin again, and still knows their changes', async () => {
    const cursor = await level();
    const change = writer.rename('While away');
    await writer.verdicts([change]);
    await writer.verdicts([writer.rename('Later')]);
    const { db } = server.parts;
    await prune(db, Date.now() + (limits.feedKeptDays + 1) * 86_400_000);

    expect(await feedSince(cursor)).to.deep.equal({
      status: 410,
      code: 'cursor-expired',
      meta: { reason: 'too-old' },
    });
    const fresh = (await feedSince('')) as FeedDocument;
    const project = fresh.operations.find(
      (operation) => operation.op !== 'remove' && operation.data.id === writer.project,
    );
    expect(project).to.have.nested.property('data.attributes.name', 'Later');
    const [again] = await writer.verdicts([change]);
    expect(again?.meta.replayed).to.equal(true);
  });

  it('[fault 34] shows and does nothing for who was locked meanwhile, and all when they are let in again', async () => {
    const cursor = await level();
    const change = writer.rename('While locked');
    const negotiate = () =>
      fetch(`${server.url}/hubs/data/negotiate?negotiateVersion=1`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${writer.token}` },
      });
    await setLock(true);

    for (const answer of [
      await writer.get(`/api/changes?since=${cursor}`),
      await writer.get('/api/projects'),
      await writer.post([change]),
      await negotiate(),
    ])
      expect(await refusalOf(answer)).to.deep.include({ status: 403, code: 'user-locked' });
    await setLock(false);
    const [verdict] = await writer.verdicts([change]);
    expect([verdict?.meta.status, verdict?.meta.replayed]).to.deep.equal([200, undefined]);
    expect((await negotiate()).status).to.equal(200);
  });

  it('[fault 38] refuses what it does not know by itself, and does the rest', async () => {
    const good = writer.rename('Known');
    const verdicts = await writer.verdicts([
      { op: 'add', data: { type: 'spaceships', id: newId() }, meta: { id: newId() } },
      { ...writer.rename('Jumped'), op: 'jump' },
      {
        op: 'update',
        data: { type: 'projects', id: writer.project, attributes: { warp: 9 } },
        meta: { id: newId() },
      },
      null,
      good,
    ]);

    expect(verdicts.map(({ meta }) => meta.status)).to.deep.equal([404, 400, 422, 400, 200]);
    expect(await writer.renames()).to.deep.equal(idsOf(good));
  });

  it('[fault 39] names the owner of a project also to who no longer sees that person', async () => {
    const { db } = server.parts;
    const { organization, project } = writer;
    const owner = await aMember(db, organization, {});
    await db.write(aCause(), (w) => w.change('project', project, { owner: owner.id }));
    const cursor = await level();
    await db.write(aCause(), async (w) => {
      const [held] = await w.all('organizationMembership', { user: owner.id, organization });
      await w.remove('organizationMembership', held?.id ?? '');
    });

    const { operations } = (await feedSince(cursor)) as FeedDocument;
    const told = toldBy({ operations } as never);
    expect(told).to.include(`remove users/${owner.id}`);
    expect(told).to.not.include(`remove projects/${project}`);
    const answer = await writer.get(`/api/projects/${project}`);
    const named = { data: { type: 'users', id: owner.id } };
    expect(await answer.json()).to.have.deep.nested.property('data.relationships.owner', named);

    const relationships = { owner: { data: { type: 'users', id: writer.user } } };
    const meta = { id: newId(), base: { relationships: { owner: named } } };
    const data = { type: 'projects', id: project, relationships };
    const [verdict] = await writer.verdicts([{ op: 'update', data, meta }]);
    expect(verdict?.errors).to.equal(undefined);
  });
});

describe('[fault 32] a server that starts again', () => {
  it('takes up connections, cursors and changes where the last one left them', async () => {
    const first = await startServer();
    const writer = await Writer.on(first);
    const listener = await listen(first.url, writer.token, {
      reconnect: { nextRetryDelayInMilliseconds: () => 20 },
    });
    const reconnected = new Promise<void>((done) => {
      listener.hub.onreconnected(() => {
        done();
      });
    });
    const { cursor } = await listener.subscribe('changes');
    const change = writer.rename('Before the restart');
    await writer.verdicts([change]);
    await listener.next();
    await first.stop();

    const second = await startServer({ env: { PORT: new URL(first.url).port } });
    const [again] = await writer.verdicts([change]);
    expect(again?.meta.replayed).to.equal(true);
    const feed = await writer.get(`/api/changes?since=${cursor}`);
    expect((await feed.json()) as FeedDocument).to.have.nested.property(
      'operations[0].data.attributes.name',
      'Before the restart',
    );
    await reconnected;
    await listener.subscribe('changes');
    const later = writer.rename('After the restart');
    await writer.verdicts([later]);
    expect((await listener.next()).meta.changes).to.deep.equal([later.meta?.id]);
    await listener.stop();
    await second.stop();
  });
});
