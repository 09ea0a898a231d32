import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import fastify from 'fastify';
import { limits } from '#protocol/limits.ts';
import type { ProblemError } from '#protocol/problem.ts';
import { readBody } from '#server/http/media.ts';
import { answerProblem } from '#server/http/problems.ts';
import { FILE_WITHIN_MS, refuseSlowBodies } from '#server/http/slow-bodies.ts';
import { newId } from '../../support/make.ts';
import { OwnTime } from '../../support/own-time.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

describe('a body', () => {
  it('in small pieces is kept once, and nothing of the memory that they came in [issue 14]', async () => {
    const text = 'What comes in pieces of one byte'.repeat(100);
    // Its memory is used again for each, as if it were kept nowhere else.
    const piece = Buffer.alloc(1);
    const body = new EventEmitter() as unknown as Readable;
    const whole = readBody(body, 1_000_000, new OwnTime());
    for (const byte of Buffer.from(text)) {
      piece[0] = byte;
      body.emit('data', piece);
    }
    body.emit('end');
    expect((await whole).toString()).to.equal(text);
  });

  it('may be as long as the limit and not longer', async () => {
    for (const [length, isRead] of [
      [8, true],
      [9, false],
    ] as const) {
      const body = Readable.from([Buffer.from('12345'), Buffer.alloc(length - 5)]);
      const code = await readBody(body, 8, new OwnTime()).then(
        (bytes) => bytes.length,
        (error: unknown) => (error as ProblemError).problems[0].code,
      );
      expect(code).to.equal(isRead ? 8 : 'too-large');
    }
  });
});

describe('a body that does not come', () => {
  const time = new OwnTime();
  let server: TestServer;
  let token = '';
  const open: Socket[] = [];

  before(async () => {
    server = await startServer({ timers: time });
    token = await tokenFor(server.parts, `slow-${newId()}@limits.test`);
  });
  after(async () => {
    for (const socket of open) socket.destroy();
    await server.stop();
  });

  /**
   * Sends `head` and the first byte of a body of 100; returns what is answered until the connection
   * ends.
   */
  const begin = (
    method: string,
    path: string,
    type: string,
    port = server.parts.config.port,
    bearer = token,
  ) => {
    const socket = connect(port, '127.0.0.1');
    open.push(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = new Promise<string>((done) => {
      socket.once('close', () => {
        done(text);
      });
    });
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${bearer}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: 100\r\n\r\n{`,
    );
    return { ended, socket };
  };

  const routes: readonly (readonly [string, string, string])[] = [
    ['POST', '/oidc/sign-up', 'application/x-www-form-urlencoded'],
    ['POST', '/oidc/forgot', 'application/x-www-form-urlencoded'],
    ['POST', '/oidc/token', 'application/x-www-form-urlencoded'],
    ['POST', '/oidc/token/revocation', 'application/x-www-form-urlencoded'],
    ['POST', '/oidc/verification', 'text/plain'],
    ['POST', '/hubs/data/negotiate', 'text/plain'],
    ['POST', '/hubs/data?id=nobody', 'text/plain'],
    ['POST', '/api/groups', 'application/vnd.api+json'],
  ];
  for (const [method, path, type] of routes)
    it(`at ${path} is waited for 30 s and no longer [F12]`, async () => {
      const { ended } = begin(method, path, type);
      await time.until(limits.bodyWithinMs);
      time.pass(limits.bodyWithinMs);
      expect(await ended)
        .to.match(/^HTTP\/1\.1 408 /)
        .and.to.include('"timed-out"');
      expect(await ended).to.match(/\r\nconnection: close\r\n/i);
    });

  it('keeps no connection open whose request was refused before its body came [F12]', async () => {
    const { ended, socket } = begin('POST', '/projects/own', 'text/plain');
    await new Promise((done) => socket.once('data', done));
    time.pass(limits.bodyWithinMs);
    expect(await ended).to.match(/^HTTP\/1\.1 405 /);
  });

  for (const path of ['/hubs/data?id=nobody', '/hubs/data/negotiate'])
    it(`at ${path} is not waited for when the token is bad [wire 10.1]`, async () => {
      const { socket } = begin('POST', path, 'text/plain', server.parts.config.port, 'bad');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).to.match(/^HTTP\/1\.1 401 /);
      socket.destroy();
    });

  it('of a file may come slowly, but not for ever [F12]', async () => {
    const app = fastify();
    app.setErrorHandler(answerProblem);
    refuseSlowBodies(app, time);
    app.addContentTypeParser('application/zip', { parseAs: 'buffer' }, (_, body, done) => {
      done(null, body);
    });
    app.put('/file', { config: { takes: 'application/zip' } }, () => 'taken');
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const { ended, socket } = begin('PUT', '/file', 'application/zip', port);
    let isOver = false;
    socket.once('close', () => (isOver = true));
    await time.until(FILE_WITHIN_MS);
    time.pass(limits.bodyWithinMs);
    await new Promise(setImmediate);
    expect(isOver).to.equal(false);
    time.pass(FILE_WITHIN_MS);
    expect(await ended).to.match(/^HTTP\/1\.1 408 /);
    await app.close();
  });

  it('keeps nobody else from being answered [F12]', async () => {
    const late = begin('POST', '/oidc/sign-up', 'application/x-www-form-urlencoded');
    await time.until(limits.bodyWithinMs);
    expect((await fetch(`${server.url}/api/health/live`)).status).to.equal(200);
    time.pass(limits.bodyWithinMs);
    await late.ended;
  });

  it('leaves nothing that waits when the body came in time [F12]', async () => {
    const { socket } = begin('POST', '/oidc/token', 'application/x-www-form-urlencoded');
    await time.until(limits.bodyWithinMs);
    const answered = new Promise((done) => socket.once('data', done));
    socket.write('x'.repeat(99));
    await answered;
    time.pass(limits.bodyWithinMs);
    expect((await fetch(`${server.url}/api/health/live`)).status).to.equal(200);
    expect(socket.destroyed).to.equal(false);
  });
});
