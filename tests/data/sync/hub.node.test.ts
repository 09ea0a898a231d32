import { expect } from 'chai';
import { WebSocket as Socket } from 'ws';
import { signalrHub } from '#data/sync/hub.ts';
import { changesChannel, hubEvents, hubMethods } from '#protocol/hub.ts';
import { aCause, aMember, aProject } from '../../support/make.ts';
import { startProxy } from '../../support/proxy.ts';
import type { Asked } from '../../support/proxy.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

/** A socket that a proxy does not let through. */
class Blocked extends EventTarget {
  constructor() {
    super();
    throw new Error('Blocked');
  }
}
const blocked = Blocked as unknown as typeof EventSource & typeof WebSocket;

const isNegotiation = ({ url }: Asked): boolean => url.includes('/negotiate');

describe('the connection to the hub [R343]', () => {
  let server: TestServer;
  let token: string;
  let project: string;

  before(async () => {
    server = await startServer();
    const { id, organization } = await aProject(server.parts.db, { name: 'Harvest' });
    project = id;
    const user = await aMember(server.parts.db, organization, { roles: ['AppBuilder'] });
    token = await tokenFor(server.parts, user.email ?? '');
  });
  after(() => server.stop());

  const open = (sockets: Parameters<typeof signalrHub>[2]) =>
    signalrHub(server.url, () => Promise.resolve(token), sockets);

  it('says by which transport it is reached, as long as it is', async () => {
    const hub = open({ WebSocket: Socket as unknown as typeof WebSocket, EventSource: blocked });
    expect(hub.transport?.()).to.equal(null);
    await hub.start();
    expect(hub.transport?.()).to.equal('WebSockets');
    await hub.stop();
    expect(hub.transport?.()).to.equal(null);
  });

  it('opens a WebSocket without asking for one first, so that any process may take it [issue 14, 7] [R344, R346]', async () => {
    const proxy = await startProxy(Number(new URL(server.url).port));
    const hub = signalrHub(proxy.url, () => Promise.resolve(token), {});
    const received = new Promise<string>((done) => {
      hub.on(hubEvents.updated, done);
    });
    await hub.start();
    await hub.invoke(hubMethods.subscribe, changesChannel(null));
    await server.parts.db.write(aCause(), (w) => w.change('project', project, { name: 'Orchard' }));
    expect(await received).to.contain('Orchard');
    await hub.stop();
    expect(proxy.asked.filter(isNegotiation)).to.deep.equal([]);
    await proxy.close();
  });

  it('opens nothing more once it was stopped while it opened', async () => {
    const proxy = await startProxy(Number(new URL(server.url).port));
    const hub = signalrHub(proxy.url, () => Promise.resolve(token), {});
    const start = hub.start().catch(String);
    await hub.stop();
    await start;
    expect(proxy.asked.filter(isNegotiation)).to.deep.equal([]);
    expect(hub.transport?.()).to.equal(null);
    await proxy.close();
  });

  it('[fault 32] falls back where sockets are not let through, and subscribes all the same', async () => {
    const hub = open({ WebSocket: blocked, EventSource: blocked });
    await hub.start();
    expect(hub.transport?.()).to.equal('LongPolling');
    const closed = new Promise((done) => {
      hub.onclose(done);
    });
    const answer = await hub.invoke(hubMethods.subscribe, changesChannel(null));
    expect(answer).to.have.property('cursor');
    await hub.stop();
    expect(await closed).to.equal(undefined);
  });
});
