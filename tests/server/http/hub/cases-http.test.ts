import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import fastify from 'fastify';
import { limits } from '#protocol/limits.ts';
import { acceptSockets } from '#server/http/hub/upgrades.ts';
import { OwnTime } from '../../../support/own-time.ts';
import { startServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { makeWorld } from '../api/world.ts';
import type { World } from '../api/world.ts';
import { END, HELLO, RawClient } from './raw-client.ts';

const EVENTS = { Accept: 'text/event-stream' };

describe('[wire 10.1] the HTTP of the hub', () => {
  let world: World;
  let client: RawClient;
  before(async () => {
    world = await makeWorld();
    client = new RawClient(world.server.url, world.people.member.token);
  });

  /** The token of a connection over server-sent events, and what ends it. */
  const streaming = async (accept = 'text/event-stream') => {
    const token = await client.negotiate();
    const stop = new AbortController();
    const answer = await client.ask(
      'GET',
      `?id=${token}`,
      undefined,
      { Accept: accept },
      stop.signal,
    );
    return {
      token,
      answer,
      stop: () => {
        stop.abort();
      },
    };
  };
  const refusalOf = async (answer: Response) => {
    const { errors } = (await answer.json()) as {
      readonly errors: readonly { readonly code: string }[];
    };
    return [answer.status, errors[0]?.code];
  };

  describe('negotiates', () => {
    const versions: readonly (readonly [query: string, version: number])[] = [
      ['', 0],
      ['?negotiateVersion=0', 0],
      ['?negotiateVersion=1', 1],
      ['?negotiateVersion=2', 1],
      ['?negotiateVersion=99', 1],
    ];
    for (const [query, version] of versions)
      it(`version ${String(version)} for '${query}' [issue 14, 11]`, async () => {
        const answer = await client.ask('POST', `/negotiate${query}`);
        const body = (await answer.json()) as Record<string, unknown>;
        expect(answer.status).to.equal(200);
        expect(body.negotiateVersion).to.equal(version);
        expect('connectionToken' in body).to.equal(version === 1);
        await client.ask('DELETE', `?id=${String(body.connectionToken ?? body.connectionId)}`);
      });

    for (const wrong of ['x', '', '1.5', '-1', '1&negotiateVersion=1'])
      it(`no version called '${wrong}': 400 [issue 14, 11]`, async () => {
        const answer = await client.ask('POST', `/negotiate?negotiateVersion=${wrong}`);
        expect(await refusalOf(answer)).to.deep.equal([400, 'invalid-parameter']);
      });

    it('and connects at a base address with a slash at its end [issue 14, 11]', async () => {
      const answer = await client.ask('POST', '/negotiate?negotiateVersion=1');
      const { connectionToken: token } = (await answer.json()) as {
        readonly connectionToken: string;
      };
      expect((await client.ask('GET', `/?id=${token}`)).status).to.equal(200);
      expect((await client.ask('POST', `/?id=${token}`, HELLO)).status).to.equal(200);
      expect(await (await client.ask('GET', `/?id=${token}`)).text()).to.equal(`{}${END}`);
      expect((await client.ask('DELETE', `/?id=${token}`)).status).to.equal(202);
      const socket = await client.greeted('/');
      socket.close();
      await socket.closed;
    });
  });

  describe('takes one connection for an id', () => {
    it('and answers a second one 409, whatever the transport [issue 14, 11]', async () => {
      const events = await streaming();
      const again = await client.ask('GET', `?id=${events.token}`, undefined, EVENTS);
      expect(await refusalOf(again)).to.deep.equal([409, 'id-taken']);
      expect((await client.ask('GET', `?id=${events.token}`)).status).to.equal(409);
      expect(await client.socket(`?id=${events.token}`).catch(String)).to.contain('409');
      events.stop();

      const polled = await client.poller();
      expect((await client.ask('GET', `?id=${polled}`, undefined, EVENTS)).status).to.equal(409);
      expect(await client.socket(`?id=${polled}`).catch(String)).to.contain('409');
      await client.ask('DELETE', `?id=${polled}`);

      const token = await client.negotiate();
      const socket = await client.greeted(`?id=${token}`);
      expect((await client.ask('GET', `?id=${token}`)).status).to.equal(409);
      expect((await client.ask('GET', `?id=${token}`, undefined, EVENTS)).status).to.equal(409);
      socket.close();
      await socket.closed;
    });

    it('and no POST for a WebSocket: 405 [issue 14, 11]', async () => {
      const token = await client.negotiate();
      const socket = await client.greeted(`?id=${token}`);
      const answer = await client.ask('POST', `?id=${token}`, HELLO);
      expect(await refusalOf(answer)).to.deep.equal([405, 'method-not-allowed']);
      socket.close();
      await socket.closed;
    });

    it('and no DELETE of a WebSocket or of events: 400 [issue 14, 11]', async () => {
      const token = await client.negotiate();
      const socket = await client.greeted(`?id=${token}`);
      expect((await client.ask('DELETE', `?id=${token}`)).status).to.equal(400);
      const events = await streaming();
      expect((await client.ask('DELETE', `?id=${events.token}`)).status).to.equal(400);
      // Both are still there.
      expect((await client.ask('POST', `?id=${events.token}`, HELLO)).status).to.equal(200);
      events.stop();
      socket.close();
      await socket.closed;
    });

    it('which a DELETE gives up before it is opened', async () => {
      const token = await client.negotiate();
      expect((await client.ask('DELETE', `?id=${token}`)).status).to.equal(202);
      expect((await client.ask('GET', `?id=${token}`)).status).to.equal(404);
    });
  });

  it('refuses HEAD with 405 and what is allowed [issue 14, 11]', async () => {
    for (const path of ['', '/', '?id=x', '/negotiate']) {
      const answer = await client.ask('HEAD', path);
      expect(answer.status).to.equal(405);
      expect(answer.headers.get('allow')).to.contain('POST');
    }
  });

  for (const accept of ['TEXT/Event-Stream', 'text/html, Text/Event-Stream; q=0.5'])
    it(`sends events to who accepts '${accept}' [issue 14, 11]`, async () => {
      const { answer, stop } = await streaming(accept);
      expect(answer.headers.get('content-type')).to.equal('text/event-stream');
      stop();
    });

  it('ends the older of two polls of a connection with 204, and the newer hears [issue 14, 11]', async () => {
    const token = await client.negotiate();
    await client.ask('GET', `?id=${token}`);
    // Whichever of the two comes to the server first is the older.
    const polls = [0, 1].map(async (n) => ({ n, answer: await client.ask('GET', `?id=${token}`) }));
    const ended = await Promise.race(polls);
    expect(ended.answer.status).to.equal(204);
    await client.ask('POST', `?id=${token}`, HELLO);
    const newer = await polls[1 - ended.n];
    expect(await newer?.answer.text()).to.equal(`{}${END}`);
    await client.ask('DELETE', `?id=${token}`);
  });

  it('answers 404 to what is posted once a bad frame has closed it [issue 14, 11]', async () => {
    const token = await client.poller();
    expect((await client.ask('POST', `?id=${token}`, `nonsense${END}`)).status).to.equal(200);
    const call = `{"type":1,"target":"UnsubscribeFrom","arguments":["x"]}${END}`;
    const late = await client.ask('POST', `?id=${token}`, call);
    expect(await refusalOf(late)).to.deep.equal([404, 'not-found']);
  });

  it('closes the socket of a refused upgrade, also where the client would keep it [issue 14]', async () => {
    const app = fastify();
    acceptSockets(app, new OwnTime());
    app.get('/', (_, reply) => reply.code(401).send('no'));
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    const there = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    const [socket] = await accepted;
    const closed = once(socket, 'close');
    there.write(
      'GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    const [answer] = (await once(there, 'data')) as [Buffer];
    expect(answer.toString()).to.contain('401');
    await closed;
    there.destroy();
    await app.close();
  });

  it('refuses a body that takes longer than 30 s to arrive with 408 [F12]', async () => {
    const time = new OwnTime();
    const server = await startServer({ timers: time });
    const token = await tokenFor(server.parts, `slow-${crypto.randomUUID()}@x.test`);
    for (const path of ['/hubs/data/negotiate?negotiateVersion=1', '/hubs/data?id=x']) {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(Buffer.from('{'));
        },
      });
      const answer = fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body,
        duplex: 'half',
      } as RequestInit);
      await time.until(limits.bodyWithinMs);
      time.pass(limits.bodyWithinMs);
      expect(await refusalOf(await answer)).to.deep.equal([408, 'timed-out']);
    }
    await server.stop();
  });

  it('takes a POST of 2 MiB and no more [F6]', async () => {
    const token = await client.poller();
    const answer = await client.ask('POST', `?id=${token}`, ' '.repeat(2_097_153));
    expect(await refusalOf(answer)).to.deep.equal([413, 'too-large']);
    await client.ask('DELETE', `?id=${token}`);
  });

  it('closes a WebSocket whose message is over 2 MiB [F6]', async () => {
    const socket = await client.greeted();
    socket.send('x'.repeat(2_097_153));
    await socket.closed;
  });
});
