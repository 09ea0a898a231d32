import { expect } from 'chai';
import { WebSocket as Socket } from 'ws';
import { signalrHub } from '#data/hub.ts';
import { changesChannel, hubMethods } from '#protocol/hub.ts';
import { aMember, aProject } from '../support/make.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';

/** A socket that a proxy does not let through. */
class Blocked extends EventTarget {
  constructor() {
    super();
    throw new Error('Blocked');
  }
}
const blocked = Blocked as unknown as typeof EventSource & typeof WebSocket;

describe('the connection to the hub', () => {
  let server: TestServer;
  let token: string;

  before(async () => {
    server = await startServer();
    const { organization } = await aProject(server.parts.db, { name: 'Harvest' });
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

  it('[fault 32] falls back where sockets are not let through, and subscribes all the same', async () => {
    const hub = open({ WebSocket: blocked, EventSource: blocked });
    await hub.start();
    expect(hub.transport?.()).to.equal('LongPolling');
    const answer = await hub.invoke(hubMethods.subscribe, changesChannel(null));
    expect(answer).to.have.property('cursor');
    await hub.stop();
  });
});
