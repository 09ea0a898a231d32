import { expect } from 'chai';
import { WebSocket } from 'ws';
import { paths } from '#protocol/paths.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const PUBLIC_URL = 'https://slipway.test';

/** One address of each part of the server, some that lead to nothing and one that cannot be read. */
const ANSWERS = [
  '/',
  '/service-worker.js',
  '/static/first.client.abc.js',
  '/assets/language/langtags.json',
  '/assets/nothing',
  '/help/',
  '/api/config',
  '/api/health/live',
  '/api/projects',
  '/api/nothing',
  '/hubs/data',
  '/files/x/y',
  '/downloads/apk/nothing/published',
  '/oidc/forgot',
  '/oidc/verify',
  '/oidc/pages.css',
  '/oidc/jwks',
  '/oidc/.well-known/openid-configuration',
  '/oidc/auth',
  '/oidc/session/end',
  paths.taskForms,
  '/%zz',
] as const;

const TYPE =
  /^(application\/([\w.-]+\+)?json(; ?charset=utf-8)?|(text\/[\w-]+|application\/javascript); ?charset=utf-8)$/i;

describe('every kind of answer', () => {
  let server: TestServer;
  let here: string;
  before(async () => {
    server = await startServer({ env: { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' } });
    here = `http://127.0.0.1:${String(server.parts.config.port)}`;
  });
  after(() => server.stop());

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${here}${path}`, { headers, redirect: 'manual' });
  const headerOfAll = async (name: string) => {
    const found = new Map<string, string | null>();
    for (const path of ANSWERS) found.set(path, (await ask(path)).headers.get(name));
    return found;
  };

  it('tells browsers to stay on TLS for a year, on all subdomains too', async () => {
    for (const [path, policy] of await headerOfAll('strict-transport-security'))
      expect(policy, path).to.equal('max-age=31536000; includeSubDomains');
  });

  it('keeps the address of a page from every other site', async () => {
    for (const [path, policy] of await headerOfAll('referrer-policy'))
      expect(policy, path).to.equal('no-referrer');
  });

  it('cannot be framed, is no other type than it says, and loads nothing by default', async () => {
    for (const [path, type] of await headerOfAll('x-content-type-options'))
      expect(type, path).to.equal('nosniff');
    for (const [path, policy] of await headerOfAll('content-security-policy'))
      expect(policy, path)
        .to.match(/(^|; ?)default-src 'none'/)
        .and.match(/frame-ancestors 'none'/);
  });

  it('names its type, and of text the charset', async () => {
    for (const path of ANSWERS) {
      const answer = await ask(path);
      const type = answer.headers.get('content-type') ?? 'none';
      const text = await answer.text();
      if (text === '') continue;
      // JSON has one charset, and its types have no such parameter.
      expect(type, path).to.match(TYPE);
    }
  });

  it('is the same over plain HTTP: the server itself leads no call on to TLS', async () => {
    const plain = { 'X-Forwarded-Proto': 'http', Host: 'slipway.test' };
    for (const path of ANSWERS.filter((each) => /^\/(api|hubs|files|oidc\/jwks)/.test(each))) {
      const answer = await ask(path, plain);
      expect(answer.status, path).not.to.be.within(300, 399);
      expect(answer.headers.get('location'), path).to.equal(null);
    }
  });

  it('lets a page open WebSockets to us alone, and over TLS alone', async () => {
    const policy = (await ask('/')).headers.get('content-security-policy') ?? '';
    const [, sources = ''] = /connect-src ([^;]*)/.exec(policy) ?? [];
    expect(sources.split(' ')).to.deep.equal(["'self'", 'wss://slipway.test']);
  });
});

describe('a WebSocket of the hub', () => {
  let server: TestServer;
  let local: TestServer;
  let token: string;
  let localToken: string;
  before(async () => {
    server = await startServer({ env: { PUBLIC_URL } });
    local = await startServer();
    token = await tokenFor(server.parts, 'pages@sockets.test');
    localToken = await tokenFor(local.parts, 'pages@sockets.test');
  });
  after(async () => {
    await server.stop();
    await local.stop();
  });

  /** `open`, or the status of the refusal. */
  const connect = ({ parts: services }: TestServer, access: string, origin?: string) =>
    new Promise<number | 'open'>((done, fail) => {
      const { port } = services.config;
      const address = `ws://127.0.0.1:${String(port)}/hubs/data?access_token=${access}`;
      const socket = new WebSocket(address, origin === undefined ? {} : { origin });
      socket.once('open', () => {
        socket.close();
        done('open');
      });
      socket.once('unexpected-response', (_request, answer) => {
        answer.resume();
        done(answer.statusCode ?? 0);
      });
      socket.once('error', fail);
    });

  for (const origin of [
    'https://evil.test',
    'http://slipway.test',
    'https://slipway.test:444',
    'https://slipway.test.evil.test',
    'http://localhost:3000',
    'null',
  ])
    it(`is refused to a page of ${origin}, whatever token it brings`, async () => {
      expect(await connect(server, token, origin)).to.equal(403);
    });

  it('opens for our own pages, and for programs, which name no origin', async () => {
    expect(await connect(server, token, PUBLIC_URL)).to.equal('open');
    expect(await connect(server, token)).to.equal('open');
  });

  it('opens for pages of this machine where the server is on this machine alone', async () => {
    expect(await connect(local, localToken, 'http://localhost:9876')).to.equal('open');
    expect(await connect(local, localToken, 'http://127.0.0.1:3000')).to.equal('open');
    expect(await connect(local, localToken, 'https://evil.test')).to.equal(403);
  });
});
