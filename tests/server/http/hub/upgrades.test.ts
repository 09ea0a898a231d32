import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { limits } from '#protocol/limits.ts';
import { acceptSockets } from '#server/http/hub/upgrades.ts';
import type { Sockets } from '#server/http/hub/upgrades.ts';
import { OwnTime } from '../../../support/own-time.ts';

describe('[wire 10.1] a request for a WebSocket', () => {
  const time = new OwnTime();
  let app: FastifyInstance;
  let sockets: Sockets;
  let endSlow: () => void = () => undefined;
  before(async () => {
    app = fastify();
    sockets = acceptSockets(app, time);
    app.get('/never', () => new Promise(() => undefined));
    app.get('/refused', (_, reply) => reply.code(404).send());
    app.get('/slow', (_, reply) => {
      reply.hijack();
      reply.raw.writeHead(200);
      reply.raw.write('It begins');
      endSlow = () => reply.raw.end();
    });
    app.get('/open', (request, reply) => {
      reply.hijack();
      sockets.open(request, (socket) => {
        socket.on('message', (text: Buffer) => {
          socket.send(text);
        });
      });
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(async () => {
    sockets.close();
    await app.close();
  });

  const port = () => (app.server.address() as AddressInfo).port;
  /** Requests a WebSocket at `path`. */
  const ask = (path: string) => {
    const socket = connect(port(), '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    return socket;
  };

  it('is given up when nothing answers it in time', async () => {
    const socket = ask('/never');
    const closed = once(socket, 'close');
    await time.until(limits.answerWithinMs);
    time.pass(limits.answerWithinMs);
    await closed;
    expect(time.waiting).to.equal(0);
  });

  it('leaves nothing that waits when it is refused', async () => {
    const refused = ask('/refused');
    await Promise.all([once(refused, 'data'), once(refused, 'close')]);
    expect(time.waiting).to.equal(0);
  });

  it('that became a WebSocket in time may stay open', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${String(port())}/open`);
    await once(socket, 'open');
    time.pass(limits.answerWithinMs);
    socket.send('Still here');
    const [text] = (await once(socket, 'message')) as [Buffer];
    expect(text.toString()).to.equal('Still here');
    socket.close();
    await once(socket, 'close');
  });

  it('that is answered with something else may take longer, once it has begun', async () => {
    const socket = ask('/slow');
    await once(socket, 'data');
    time.pass(limits.answerWithinMs);
    await new Promise(setImmediate);
    expect(socket.destroyed).to.equal(false);
    endSlow();
    await once(socket, 'close');
  });
});
