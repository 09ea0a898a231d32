import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import fastify from 'fastify';
import { pino } from 'pino';

import { JSON_API } from '#protocol/document.ts';
import { buildApp } from '#server/http/app.ts';
import { answerProblem } from '#server/http/problems.ts';
import { openLog, openLogFile } from '#server/kernel/log.ts';
import { freshFolder, smallApp, startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { signInByForm } from '../../support/sign-in.ts';
import { tokenFor } from '../../support/tokens.ts';
import { anAccount, PASSWORD } from '../http/identity/people.ts';

type Line = Readonly<Record<string, unknown>>;

/** Returns a log as the server keeps it, and what it wrote. */
function aLog() {
  const path = join(freshFolder(), 'log', 'server.log');
  const shown = new PassThrough();
  const file = openLogFile(path);
  return {
    log: openLog(file, shown),
    lines: () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line),
    terminal: () => String(shown.read() ?? ''),
    close: () => {
      file.close();
    },
  };
}

describe('the server’s log', () => {
  it('is a JSON object a line in its file, with the moment in ms of UTC, and nothing on the terminal but warnings', () => {
    const { log, lines, terminal, close } = aLog();
    log.info({ path: '/api/roles' }, 'Answered');
    expect(terminal()).to.equal('');
    log.warn({ reqId: 'r1' }, 'The mail was not sent');
    close();
    expect(lines().map(({ msg }) => msg)).to.deep.equal(['Answered', 'The mail was not sent']);
    for (const { time } of lines()) expect(time).to.be.within(Date.now() - 60_000, Date.now());
    expect(terminal()).to.equal('Warning: The mail was not sent (request r1)\n');
  });

  it('leaves alone what was opened after it was closed, though the system gave that its number', () => {
    const { log, lines, terminal, close } = aLog();
    log.info('Stopping');
    close();
    const path = join(freshFolder(), 'database');
    const opened = openSync(path, 'w');
    log.warn('The connection was cut');
    closeSync(opened);
    expect(readFileSync(path, 'utf8')).to.equal('');
    expect(lines()).to.have.length(1);
    expect(terminal()).to.equal('Warning: The connection was cut\n');
  });

  it('takes no line of its own from a text with line breaks, nor colours and jumps', () => {
    const { log, lines, terminal, close } = aLog();
    const forged = 'x\r\nError: all is lost\u001b[2J\u0085\u2028Warning: too\u009b1m';
    log.warn({ err: new Error(forged) }, `No mail to ${forged}`);
    close();
    expect(lines()).to.have.lengthOf(1);
    const [first = '', ...more] = terminal().split('\n');
    expect(more).to.deep.equal(['']);
    expect(first).not.to.match(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
    expect(first).to.include('all is lost');
  });

  it('has no password and no token in it, however they are named there', () => {
    const { log, lines, close } = aLog();
    log.info({
      ...{ token: 'secret', access_token: 'secret', password: 'secret' },
      headers: { authorization: 'secret' },
      sent: { token: 'secret', access_token: 'secret', password: 'secret' },
      req: { headers: { cookie: 'secret' } },
    });
    close();
    expect(JSON.stringify(lines())).not.to.include('secret');
  });

  it('tells of a bug what broke, and its answer tells nothing but the request', async () => {
    const { log, lines, close } = aLog();
    const app = fastify({ loggerInstance: log, genReqId: () => 'request-7' });
    app.setErrorHandler(answerProblem);
    app.get('/bug', () => {
      throw new Error('relation "users" at 10.0.0.5 has no column x');
    });
    const answer = await app.inject('/bug');
    await app.close();
    close();
    expect(answer.statusCode).to.equal(500);
    expect(answer.headers['content-type']).to.equal(JSON_API);
    const { errors } = answer.json<{ errors: Line[] }>();
    expect(errors[0]).to.include({ id: 'request-7', code: 'internal' });
    expect(answer.body).not.to.match(/users|10\.0\.0\.5|node_modules|\.ts/);
    const bug = lines().find(({ level }) => level === 50);
    expect(JSON.stringify(bug)).to.include('10.0.0.5').and.include('request-7').and.include('.ts');
  });
});

describe('a line of the log', () => {
  let server: TestServer;
  let app: Awaited<ReturnType<typeof buildApp>>;
  let written: Line[] = [];
  let heard: (() => void)[] = [];
  let url = '';
  before(async () => {
    server = await startServer({ limits: { requestsOfAddress: 30 } });
    const write = (text: string) => {
      written.push(JSON.parse(text) as Line);
      for (const wake of heard.splice(0)) wake();
    };
    const log = pino({}, { write });
    app = await buildApp({ ...server.parts, log }, { appDir: smallApp(server.dataDir) });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(async () => {
    await app.close();
    await server.stop();
  });
  beforeEach(() => {
    [written, heard] = [[], []];
  });
  /** The line of the answer to a request, which is written after the answer was sent. */
  const answered = async (path: string, init: RequestInit = {}): Promise<Line> => {
    const { headers } = await fetch(`${url}${path}`, init);
    const id = headers.get('x-request-id');
    for (;;) {
      const line = written.find(({ msg, reqId }) => msg === 'Answered' && reqId === id);
      if (line !== undefined) return line;
      await new Promise<void>((wake) => heard.push(wake));
    }
  };

  it('tells of each answer when, what, who, from where and how it ended, and of its address no query', async () => {
    const token = await tokenFor(server.parts, 'asker@log.test');
    const headers = { Authorization: `Bearer ${token}` };
    const me = await fetch(`${url}/api/users/current-user`, { headers });
    const { data } = (await me.json()) as { readonly data: { readonly id: string } };
    const line = await answered('/api/roles?filter=%5Btyped-secret%5D&access_token=typed-token', {
      headers,
    });
    expect(line).to.include({
      ...{ method: 'GET', path: '/api/roles', status: 400 },
      ...{ user: data.id, address: '127.0.0.1' },
    });
    expect(line.reqId).to.be.a('string');
    expect(line.time).to.be.a('number');
    expect(JSON.stringify(written))
      .not.to.match(/typed-secret|typed-token/)
      .and.not.include(token);
    expect(await answered('/api/config')).to.include({ user: null, status: 200 });
  });

  it('tells who signed in and how, and neither address nor password', async () => {
    const email = 'person@log.test';
    const sub = await anAccount(server, email);
    await signInByForm(url, email, PASSWORD, { auth: server.parts.config.auth });
    const line = written.find(({ msg }) => msg === 'Signed in');
    expect(line).to.include({ account: sub, by: 'password', address: '127.0.0.1' });
    expect(JSON.stringify(written)).not.to.include(email).and.not.include(PASSWORD);
  });

  it('tells of refused values, and of who asks too often', async () => {
    const token = await tokenFor(server.parts, 'tester@log.test');
    const refused = await answered('/api/groups', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': JSON_API },
      body: '{"data":{"type":"groups","attributes":{"name":7}}}',
    });
    expect(refused.status).to.be.within(400, 422);
    expect(refused.user).to.be.a('string');
    let last: Line = {};
    for (let n = 0; n < 31; n += 1) last = await answered('/api/config');
    expect(last).to.include({ status: 429, address: '127.0.0.1', user: null });
  });
});
