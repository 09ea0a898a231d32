import { expect } from 'chai';
import { WebSocket } from 'ws';
import { makeWorld } from '../api/world.ts';
import type { Name, World } from '../api/world.ts';

const END = '\u001e';
const HELLO = `{"protocol":"json","version":1}${END}`;

interface Negotiated {
  readonly connectionId: string;
  readonly connectionToken: string;
}

describe('[wire 10.1] the hub', () => {
  let world: World;
  before(async () => {
    world = await makeWorld();
  });

  const ask = (method: string, path: string, name: Name | null, body?: string) =>
    fetch(`${world.server.url}/hubs/data${path}`, {
      method,
      headers: name === null ? {} : { Authorization: `Bearer ${world.people[name].token}` },
      ...(body === undefined ? {} : { body }),
    });
  const negotiate = async (name: Name): Promise<string> => {
    const answer = await ask('POST', '/negotiate?negotiateVersion=1', name);
    return ((await answer.json()) as Negotiated).connectionToken;
  };
  /** A socket, and its frames in order. */
  const socket = async (query = '', headers: Record<string, string> = {}) => {
    const ws = new WebSocket(`${world.server.url.replace('http', 'ws')}/hubs/data${query}`, {
      headers,
    });
    const frames: string[] = [];
    let wake: () => void = () => undefined;
    ws.on('message', (data: Buffer) => {
      frames.push(...data.toString().split(END).slice(0, -1));
      wake();
    });
    const closed = new Promise<void>((done) => {
      ws.on('close', () => {
        wake();
        done();
      });
    });
    await new Promise((done, fail) => {
      ws.once('open', done);
      ws.once('error', fail);
    });
    const next = async (): Promise<unknown> => {
      while (frames.length === 0) await new Promise<void>((done) => (wake = done));
      return JSON.parse(frames.shift() ?? '');
    };
    return { ws, next, closed };
  };
  const bearer = (name: Name) => ({ Authorization: `Bearer ${world.people[name].token}` });

  it('negotiates all three transports, with a token that is not the id [R343]', async () => {
    const answer = await ask('POST', '/negotiate?negotiateVersion=1', 'member');
    const body = (await answer.json()) as Negotiated;
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^application\/json/);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(body).to.deep.include({
      negotiateVersion: 1,
      availableTransports: ['WebSockets', 'ServerSentEvents', 'LongPolling'].map((transport) => ({
        transport,
        transferFormats: ['Text'],
      })),
    });
    expect(body.connectionId).not.to.equal(body.connectionToken);
  });

  it('lets nobody in without a token, and knows no connection of somebody else [R343]', async () => {
    const refusal = await ask('POST', '/negotiate?negotiateVersion=1', null);
    expect(refusal.status).to.equal(401);
    expect(refusal.headers.get('www-authenticate')).to.equal('Bearer');
    expect(refusal.headers.get('content-type')).to.equal('application/vnd.api+json');

    const token = await negotiate('member');
    expect((await ask('GET', `?id=${token}`, 'admin')).status).to.equal(404);
    expect((await ask('POST', '?id=unknown', 'member', HELLO)).status).to.equal(404);
    expect((await ask('DELETE', '?id=unknown', 'member')).status).to.equal(404);
    const upgrade = await socket('?id=unknown', bearer('member')).catch(String);
    expect(upgrade).to.contain('404');
    expect(await socket().catch(String)).to.contain('401');
  });

  it('answers the first poll at once and empty, the next with what there is, the last with 204 [R343]', async () => {
    const token = await negotiate('member');
    const poll = () => ask('GET', `?id=${token}`, 'member');
    const first = await poll();
    expect([first.status, await first.text()]).to.deep.equal([200, '']);

    const second = poll();
    expect((await ask('POST', `?id=${token}`, 'member', HELLO)).status).to.equal(200);
    expect(await (await second).text()).to.equal(`{}${END}`);

    // The older of two ends, so the other is there by then.
    const last = [poll(), poll()];
    expect((await Promise.race(last)).status).to.equal(204);
    expect((await ask('DELETE', `?id=${token}`, 'member')).status).to.equal(202);
    for (const one of last) expect((await one).status).to.equal(204);
    expect((await poll()).status).to.equal(404);
  });

  it('sends events to who accepts them [R343]', async () => {
    const token = await negotiate('member');
    const stop = new AbortController();
    const events = await fetch(
      `${world.server.url}/hubs/data?id=${token}&access_token=${world.people.member.token}`,
      { headers: { Accept: 'text/event-stream' }, signal: stop.signal },
    );
    expect(events.headers.get('content-type')).to.equal('text/event-stream');
    expect(events.headers.get('x-content-type-options')).to.equal('nosniff');
    await ask('POST', `?id=${token}`, 'member', HELLO);
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('data:')) text += (await reader?.read())?.value ?? '';
    expect(text).to.equal(`:\r\n\r\ndata: {}${END}\r\n\r\n`);
    stop.abort();
  });

  it('takes a WebSocket without negotiation, with the token in the address [R343]', async () => {
    const { ws, next, closed } = await socket(`?access_token=${world.people.member.token}`);
    ws.send(HELLO);
    expect(await next()).to.deep.equal({});
    // Frames may be cut anywhere, and come several at once.
    const call = (id: string) =>
      JSON.stringify({ type: 1, invocationId: id, target: 'UnsubscribeFrom', arguments: ['x'] }) +
      END;
    const both = call('a') + call('b');
    ws.send(both.slice(0, 20));
    ws.send(both.slice(20));
    expect([await next(), await next()]).to.deep.equal([
      { type: 3, invocationId: 'a', result: null },
      { type: 3, invocationId: 'b', result: null },
    ]);
    ws.close();
    await closed;
  });

  it('refuses another protocol in the handshake', async () => {
    const { ws, next, closed } = await socket('', bearer('member'));
    ws.send(`{"protocol":"messagepack","version":1}${END}`);
    expect(await next()).to.have.property('error');
    await closed;
  });

  const unreadable = [
    ['invalid-document', 'what is not JSON', `nonsense${END}`],
    ['invalid-document', 'what is no message', `[1]${END}`],
    ['too-large', 'a frame over 1 MiB', `{"type":6,"more":"${'x'.repeat(1_048_576)}"}${END}`],
  ] as const;
  for (const [error, what, frame] of unreadable)
    it(`closes on ${what}, and lets the client come back`, async () => {
      const { ws, next, closed } = await socket('', bearer('member'));
      ws.send(HELLO);
      await next();
      ws.send(frame);
      expect(await next()).to.deep.equal({ type: 7, error, allowReconnect: true });
      await closed;
    });

  it('answers a refused batch as a result', async () => {
    const { ws, next, closed } = await socket('', bearer('member'));
    ws.send(HELLO);
    await next();
    const call = { type: 1, invocationId: '1', target: 'PerformOperations', arguments: ['{'] };
    ws.send(JSON.stringify(call) + END);
    const { result } = (await next()) as { result: string };
    expect(JSON.parse(result)).to.have.nested.property('errors[0].code', 'invalid-document');
    ws.close();
    await closed;
  });

  it('gives a user 50 connections', async () => {
    const answers = await Promise.all(
      Array.from({ length: 51 }, () => ask('POST', '/negotiate?negotiateVersion=1', 'author')),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array<number>(50).fill(200), 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).to.be.above(0);
  });
});
