import { request } from 'node:http';
import { expect } from 'chai';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

describe('what strangers find of the server itself', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ limits: { requestsOfAddress: 1_000 } });
  });
  after(() => server.stop());

  const ask = (path: string) => fetch(`${server.url}${path}`, { redirect: 'manual' });

  /** Sends a request that `fetch` refuses to send. */
  const trace = (path: string) =>
    new Promise<{ readonly status: number; readonly text: string }>((done, fail) => {
      const headers = { Cookie: 'slipway_session=abc', Authorization: 'Bearer abc' };
      const clientRequest = request(
        `${server.url}${path}`,
        { method: 'TRACE', headers },
        (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
          answer.on('end', () => {
            done({ status: answer.statusCode ?? 0, text });
          });
        },
      );
      clientRequest.once('error', fail);
      clientRequest.end();
    });

  for (const path of ['/', '/api/projects', '/oidc/auth', '/hubs/data', '/help/'])
    it(`is no echo of their request by TRACE at ${path}`, async () => {
      const { status, text } = await trace(path);
      expect(status).to.be.within(400, 499);
      expect(text).not.to.match(/slipway_session|Bearer|TRACE/);
    });

  for (const path of ['/static', '/static/', '/assets/', '/assets/language/', '/files/', '/help'])
    it(`is no list of the files at ${path}`, async () => {
      const text = await (await ask(path)).text();
      expect(text).not.to.match(/first\.client|langtags\.json|Index of/);
    });

  for (const path of ['/.git/config', '/.git/HEAD', '/.env', '/.svn/entries', '/package.json'])
    it(`is nothing of the source at ${path}`, async () => {
      const text = await (await ask(path)).text();
      expect(text).to.include('<title>Slipway</title>');
    });

  for (const path of [
    '/metrics',
    '/api/metrics',
    '/docs',
    '/api/docs',
    '/swagger.json',
    '/debug/pprof/',
    '/server-status',
    '/graphql',
    '/oidc/me',
    '/oidc/reg',
    '/oidc/token/introspection',
    '/oidc/device/auth',
  ])
    it(`is neither documents nor figures of its inside at ${path}`, async () => {
      const answer = await ask(path);
      const isApp = (await answer.text()).includes('<title>Slipway</title>');
      if (!isApp) expect(answer.status).to.equal(404);
    });

  it('is that it lives and can work, and no more', async () => {
    for (const path of ['/api/health/live', '/api/health/ready']) {
      const text = await (await ask(path)).text();
      expect(text).not.to.match(/postgres|pglite|node|127\.0\.0\.1|\/tmp|version|host/i);
    }
  });

  it('is no name or version of what it is built with', async () => {
    for (const path of ['/', '/api/config', '/api/nothing', '/oidc/auth', '/oidc/jwks']) {
      const { headers } = await ask(path);
      for (const name of ['server', 'x-powered-by', 'x-aspnet-version'])
        expect(headers.get(name), path).to.equal(null);
    }
  });

  it('is told to no other host by the links on its pages', async () => {
    for (const path of ['/', '/projects/own', '/oidc/sign-up', '/help/import'])
      expect((await ask(path)).headers.get('referrer-policy'), path).to.equal('no-referrer');
  });
});
