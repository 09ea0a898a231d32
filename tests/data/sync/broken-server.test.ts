import { expect } from 'chai';
import { machineOf } from '#data/actions/workflows.ts';
import { JSON_API } from '#protocol/document.ts';
import { AtWork } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import type { Network } from '../../support/device.ts';

const PROXY_PAGE = `<html><head><style>body { color: red }</style><title>502 Bad Gateway</title></head>
  <body><h1>502   Bad Gateway</h1><script>track('all');</script>${'<p>Please wait.</p>'.repeat(50)}</body></html>`;

/** What a proxy says whose server is away. */
const badGateway = () =>
  new Response(PROXY_PAGE, { status: 502, headers: { 'Content-Type': 'text/html' } });
const INTERNAL = { status: '500', code: 'internal', title: 'Something went wrong' };
const UNAVAILABLE = { status: '503', code: 'unavailable', title: 'Come again' };
const problemOf = (error: typeof INTERNAL) =>
  new Response(JSON.stringify({ errors: [{ id: 'e', ...error }] }), {
    status: Number(error.status),
    headers: { 'Content-Type': JSON_API },
  });
const problem500 = () => problemOf(INTERNAL);

describe('a server that is broken', () => {
  let work: AtWork;
  let product: string;

  beforeEach(async () => {
    work = await AtWork.begin();
    product = work.server.put('product', { project: work.world.project });
    await until(() => work.data.find.one('product', product) !== null, 'the product');
  });
  afterEach(() => work.data.close());

  /** From now on every request is answered by `answer`, and no hub connects. */
  const breakServer = (answer: Network['fetch']) => {
    work.server.hangUp();
    work.device.network = { hub: () => Promise.reject(new Error('502')), fetch: answer };
  };
  const mendServer = () => {
    work.device.network = work.server;
  };
  const openHistory = () => {
    const list = work.data.lists.open('productTransition', { product });
    list.subscribe(() => undefined);
    return list;
  };

  it('is told by the status and what can be read of the page that a proxy sends [R374]', async () => {
    work.server.faults.push(badGateway());
    const result = await machineOf(work.data, product);
    expect(result).to.have.nested.property('serverError.status', '502');
    expect(result).to.have.nested.property('serverError.code', '');
    const { title = '' } = result.is === 'no-answer' ? (result.serverError ?? {}) : {};
    expect(title).to.match(/^502 Bad Gateway Please wait\. Please/);
    expect(title).to.have.length(200);
  });

  it('is told without the styles of a page that ends within them, and in any case', async () => {
    const page = `<HTML><HEAD><TITLE>x</TITLE></HEAD>Away<STYLE>${'body{color:red}'.repeat(200)}`;
    work.server.faults.push(new Response(page, { status: 502 }));
    const result = await machineOf(work.data, product);
    expect(result).to.have.nested.property('serverError.title', 'Away');
  });

  it('is told by its status alone where its problem is none', async () => {
    for (const errors of [[null], [{ title: {}, code: 7 }], 'none', []]) {
      const headers = { 'Content-Type': JSON_API };
      work.server.faults.push(new Response(JSON.stringify({ errors }), { status: 500, headers }));
      const result = await machineOf(work.data, product);
      expect(result).to.deep.equal({
        is: 'no-answer',
        serverError: { status: '500', code: '', title: '' },
      });
    }
  });

  it('is no news of a person who has to do something first', async () => {
    breakServer(() => Promise.resolve(problem500()));
    await work.device.pass(5_000);
    await until(() => work.changes.serverError !== undefined, 'what the server said');
    const tooOld = { status: '426', code: 'client-too-old', title: 'Too old' };
    breakServer(() => Promise.resolve(problemOf(tooOld)));
    await work.device.pass(70_000);
    await until(() => work.data.viewerStatus.view() === 'client-too-old', 'that it is too old');
    expect(work.changes.serverError).to.equal(undefined);
  });

  it('is told by the title of its problem [R374]', async () => {
    work.server.faults.push(problem500());
    const result = await machineOf(work.data, product);
    expect(result).to.deep.equal({ is: 'no-answer', serverError: INTERNAL });
  });

  it('is no broken one that asks to wait with 429, or says nothing', async () => {
    work.server.faults.push(new Response('Slow down', { status: 429 }), 'cut-after');
    for (let n = 0; n < 2; n += 1)
      expect(await machineOf(work.data, product)).to.deep.equal({
        is: 'no-answer',
        serverError: undefined,
      });
  });

  it('is what a list says that was fetched in vain, until trying again brings it [R374]', async () => {
    work.server.faults.push(problem500());
    const list = openHistory();
    await until(() => list.view().state !== 'loading', 'the answer');
    expect(list.view()).to.include({ state: 'not-here', total: 0 });
    expect(list.view().serverError).to.deep.equal(INTERNAL);
    work.server.put('productTransition', { product, initialState: 'Approval' });
    work.data.changes.sendNow();
    await until(() => list.view().rows.length === 1, 'the step');
    await until(() => list.view().serverError === undefined, 'nothing said any more');
  });

  it('is what every tab says, of what the leader heard, until it answers again [R374]', async () => {
    const other = work.device.open(work.world.me);
    await until(() => other.find.one('product', product) !== null, 'the second tab');
    for (const error of [INTERNAL, UNAVAILABLE]) {
      breakServer(() => Promise.resolve(problemOf(error)));
      await work.device.pass(70_000);
      for (const data of [work.data, other]) {
        await until(() => data.changes.view().serverError?.code === error.code, error.title);
        expect(data.changes.view()).to.deep.include({ status: 'offline', serverError: error });
      }
    }
    mendServer();
    await work.device.pass(70_000);
    for (const data of [work.data, other])
      await until(() => data.changes.view().serverError === undefined, 'an answer');
    await other.close();
  });

  it('stays broken, and is said to be, when the live connection alone comes back [R374]', async () => {
    breakServer(() => Promise.resolve(problem500()));
    await work.device.pass(5_000);
    await until(() => work.changes.serverError !== undefined, 'what the server said');
    const said: unknown[] = [];
    const stop = work.data.changes.subscribe(() => said.push(work.changes.serverError));
    const connected = new Promise<void>((resolve) => {
      work.device.network = {
        fetch: () => Promise.resolve(problem500()),
        hub: () => {
          resolve();
          return work.server.hub();
        },
      };
    });
    await work.device.pass(70_000);
    await connected;
    await work.device.pass(70_000);
    expect(said.filter((error) => error === undefined)).to.deep.equal([]);
    stop();
  });

  it('that answers slowly is known in every tab after half a second, until it has [1.1]', async () => {
    const other = work.device.open(work.world.me);
    await until(() => other.find.one('product', product) !== null, 'the second tab');
    const both = () => [work.data, other].map(({ refreshing }) => refreshing.view());
    work.server.holds = (address) => address.startsWith('/api/changes');
    work.server.hangUp();
    await work.device.pass(3_000);
    await until(() => both().every((isSlow) => isSlow), 'slow in both tabs');
    work.server.letThrough();
    await until(() => both().every((isSlow) => !isSlow), 'nothing under way');
    await other.close();
  });

  it('that answers at once is never said to be slow', async () => {
    const said: boolean[] = [];
    const stop = work.data.refreshing.subscribe(() => said.push(work.data.refreshing.view()));
    work.server.hangUp();
    await work.device.pass(10_000);
    openHistory();
    await turns(20);
    await work.device.pass(1_000);
    expect(said).to.deep.equal([]);
    stop();
  });

  it('that is slow to bring a list is known from half a second on, in this tab', async () => {
    work.server.holds = (address) => address.startsWith('/api/product-transitions');
    const list = openHistory();
    await turns(20);
    await work.device.pass(499);
    expect(work.data.refreshing.view()).to.equal(false);
    await work.device.pass(1);
    expect(work.data.refreshing.view()).to.equal(true);
    work.server.letThrough();
    await until(() => list.view().state === 'ready', 'the answer');
    await until(() => !work.data.refreshing.view(), 'nothing under way');
  });
});
