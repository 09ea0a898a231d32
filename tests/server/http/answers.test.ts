import { connect } from 'node:net';
import { expect } from 'chai';
import { isUuid } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const JSON_API = 'application/vnd.api+json';

interface ErrorDocument {
  readonly errors: readonly {
    readonly id: string;
    readonly status: string;
    readonly code: string;
    readonly meta?: Readonly<Record<string, unknown>>;
    readonly source?: Readonly<Record<string, unknown>>;
  }[];
}

describe('what the server answers', () => {
  let now = Date.UTC(2026, 5, 1, 12);
  let server: TestServer;
  let token = '';

  before(async () => {
    server = await startServer({ clock: () => now });
    token = await tokenFor(server.parts, 'asker@answers.test');
  });
  after(() => server.stop());

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { redirect: 'manual', ...init });
  const askAs = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    ask(path, { ...init, headers: { Authorization: `Bearer ${token}`, ...headers } });
  const refusalOf = async (answer: Response) => {
    expect(answer.headers.get('content-type')).to.equal(JSON_API);
    const [first] = ((await answer.json()) as ErrorDocument).errors;
    expect(first?.status).to.equal(String(answer.status));
    expect(first?.id).to.equal(answer.headers.get('x-request-id'));
    return first;
  };

  describe('[wire 1.1] addresses', () => {
    for (const path of [
      '/api/nothing',
      '/hubs/nothing',
      '/files/x/y',
      '/ui/form/nothing.js',
      '/ui',
      '/assets/nothing',
      '/help/nothing',
      '/api',
      '/api/%ff',
    ])
      it(`is a problem and never the app at ${path}`, async () => {
        const answer = await ask(path);
        expect(answer.status).to.equal(404);
        expect((await refusalOf(answer))?.code).to.equal('not-found');
      });

    for (const path of ['/', '/projects/own', '/login?code=abc', '/apiary', '/static/gone.js'])
      it(`is the app's HTML at ${path}`, async () => {
        const answer = await ask(path);
        expect(answer.status).to.equal(200);
        expect(answer.headers.get('content-type')).to.match(/^text\/html/);
        expect(answer.headers.get('cache-control')).to.equal('no-cache');
        expect(await answer.text()).to.include('<title>Slipway</title>');
      });

    it('answers an address that cannot be read with the headers of any other [F19]', async () => {
      const [odd, other] = [await ask('/%zz?a=1'), await ask('/api/nothing')];
      const same = [...other.headers.keys()].filter((name) => name !== 'x-request-id');
      expect(odd.status).to.equal(404);
      expect((await refusalOf(odd))?.code).to.equal('not-found');
      for (const name of same)
        expect(odd.headers.get(name), name).to.equal(other.headers.get(name));
      expect(same).to.include.members([
        'content-security-policy',
        'permissions-policy',
        'x-content-type-options',
        'x-frame-options',
      ]);
    });

    for (const path of ['/', '/api/config', '/api/nothing', '/help/', '/oidc/forgot', '/oidc/jwks'])
      it(`lets no page use a camera, a place or a purse at ${path} [F19]`, async () => {
        const policy = (await ask(path)).headers.get('permissions-policy') ?? '';
        expect(policy.split(', ')).to.include.members([
          'camera=()',
          'geolocation=()',
          'payment=()',
        ]);
      });

    it('knows nothing at an address with U+0000 in its path, or longer than a file’s name [F17]', async () => {
      for (const path of ['/downloads/apk/%00/published', '/api/users/%00', '/%00'])
        expect((await ask(path)).status, path).to.equal(404);
      expect((await ask(`/${'a'.repeat(16_000)}`)).status).to.equal(200);
      expect((await ask(`/assets/${'a'.repeat(16_000)}`)).status).to.equal(404);
    });

    it('gives the app whole, whatever part or version of it is asked for [F17]', async () => {
      for (const headers of [{ Range: 'bytes=9-1,-' }, { 'If-Match': '"x"' }])
        expect((await ask('/', { headers })).status).to.equal(200);
    });

    it('unpacks no body, of the hub and of forms neither [F17] [wire 1.2]', async () => {
      for (const path of ['/hubs/data/negotiate', '/oidc/sign-up']) {
        const headers = {
          'Content-Encoding': 'gzip',
          'Content-Type': 'application/x-www-form-urlencoded',
        };
        const answer = await ask(path, {
          method: 'POST',
          headers,
          body: new TextEncoder().encode('name=a'),
        });
        expect(answer.status, path).to.be.within(400, 499);
      }
    });

    it('refuses a method that a path does not know, and says which it knows', async () => {
      const answer = await ask('/api/projects', { method: 'DELETE' });
      expect(answer.status).to.equal(405);
      expect(answer.headers.get('allow')).to.equal('GET, HEAD, POST, OPTIONS');
      expect((await refusalOf(answer))?.code).to.equal('method-not-allowed');
    });

    it('answers OPTIONS with the methods alone, and 404 where nothing is', async () => {
      const answer = await ask('/api/projects/0197c1de-7a4e-7c10-9d0c-2f6f1b0c9a11', {
        method: 'OPTIONS',
      });
      expect(answer.status).to.equal(204);
      expect(answer.headers.get('allow')).to.equal('GET, HEAD, PATCH, OPTIONS');
      expect((await ask('/api/nothing', { method: 'OPTIONS' })).status).to.equal(404);
      expect((await ask('/projects', { method: 'POST' })).headers.get('allow')).to.equal(
        'GET, HEAD, OPTIONS',
      );
    });

    it('answers HEAD wherever GET works, without a body', async () => {
      const answer = await ask('/api/config', { method: 'HEAD' });
      expect(answer.status).to.equal(200);
      expect(await answer.text()).to.equal('');
      expect(Number(answer.headers.get('content-length'))).to.be.greaterThan(100);
    });

    it('refuses an address longer than 16 KiB', async () => {
      expect((await ask(`/api/projects?x=${'a'.repeat(limits.addressBytes)}`)).status).to.equal(
        400,
      );
    });
  });

  describe('[wire 1.2] media types', () => {
    const post = (type: string | null, more: Record<string, string> = {}) =>
      askAs(
        '/api/groups',
        { ...(type === null ? {} : { 'Content-Type': type }), ...more },
        {
          method: 'POST',
          body: new TextEncoder().encode('{}'),
        },
      );

    it('reads the JSON:API type alone or with a profile', async () => {
      for (const type of [JSON_API, `${JSON_API}; profile="https://x.test/p"`])
        expect((await refusalOf(await post(type)))?.code, type).not.to.equal(
          'unsupported-media-type',
        );
    });

    for (const type of [
      null,
      'application/json',
      'text/plain',
      `${JSON_API}; charset=utf-8`,
      `${JSON_API}; ext="x"`,
      'nonsense',
    ])
      it(`does not read ${type ?? 'a body of no type'}`, async () => {
        const answer = await post(type);
        expect(answer.status).to.equal(415);
        expect((await refusalOf(answer))?.code).to.equal('unsupported-media-type');
      });

    it('does not read an encoded body', async () => {
      expect((await post(JSON_API, { 'Content-Encoding': 'gzip' })).status).to.equal(415);
    });

    for (const accept of [
      '*/*',
      JSON_API,
      `${JSON_API};q=0.5`,
      `${JSON_API}; profile="a,b"`,
      'text/html',
      `${JSON_API}; ext="x", ${JSON_API}`,
    ])
      it(`answers an Accept of ${accept}`, async () => {
        const answer = await askAs('/api/users/current-user', { Accept: accept });
        expect(answer.status).to.equal(200);
        expect(answer.headers.get('content-type')).to.equal(JSON_API);
        expect(answer.headers.get('vary')).to.match(/\bAccept\b/);
      });

    for (const accept of [`${JSON_API}; ext="x"`, `${JSON_API}; charset=utf-8, text/html`])
      it(`has nothing for an Accept of ${accept}`, async () => {
        expect((await askAs('/api/users/current-user', { Accept: accept })).status).to.equal(406);
      });
  });

  describe('[wire 15] headers and limits', () => {
    it('names the request, the moment and its version, and lets nobody keep the answer', async () => {
      const { headers } = await ask('/api/config');
      expect(isUuid(headers.get('x-request-id'))).to.equal(true);
      expect(headers.get('date')).to.equal('Mon, 01 Jun 2026 12:00:00 GMT');
      expect(headers.get('x-slipway-version')).to.equal('1.0.0');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).to.deep.equal(
        [],
      );
    });

    it('answers 304 to who has it already, and not to someone else', async () => {
      const first = await askAs('/api/roles');
      const tag = first.headers.get('etag') ?? '';
      expect(tag).to.match(/^"[\w.-]+"$/);
      const again = await askAs('/api/roles', { 'If-None-Match': `"other", W/${tag}` });
      expect(again.status).to.equal(304);
      expect(await again.text()).to.equal('');
      expect(again.headers.get('etag')).to.equal(tag);

      const other = await tokenFor(server.parts, 'other@answers.test');
      const theirs = await askAs('/api/roles', {
        Authorization: `Bearer ${other}`,
        'If-None-Match': tag,
      });
      expect(theirs.status).to.equal(200);
    });

    it('refuses a client that is too old, but tells it the configuration', async () => {
      const old = { 'X-Slipway-Version': '0.9.9' };
      const answer = await askAs('/api/roles', old);
      expect(answer.status).to.equal(426);
      expect((await refusalOf(answer))?.meta).to.deep.equal({ minimum: '1.0.0' });
      expect((await ask('/api/config', { headers: old })).status).to.equal(200);
      expect((await ask('/api/health/ready', { headers: old })).status).to.equal(200);
      expect(
        (await refusalOf(await askAs('/api/roles', { 'X-Slipway-Version': 'one' })))?.source,
      ).to.deep.equal({ header: 'X-Slipway-Version' });
    });

    it('refuses a body beyond 1 MiB, and takes 2 MiB of operations', async () => {
      const send = (path: string, bytes: number) =>
        askAs(
          path,
          { 'Content-Type': JSON_API },
          { method: 'POST', body: `"${'a'.repeat(bytes - 2)}"` },
        );
      const answer = await send('/api/groups', limits.bodyBytes + 1);
      expect(answer.status).to.equal(413);
      expect((await refusalOf(answer))?.meta).to.deep.equal({ limit: limits.bodyBytes });
      expect((await send('/api/groups', limits.bodyBytes)).status).to.equal(400);
      expect((await send('/api/operations', limits.operationsBodyBytes)).status).to.equal(400);
      expect((await send('/api/operations', limits.operationsBodyBytes + 1)).status).to.equal(413);
    });

    it('refuses a body that grows beyond the limit without having said so', async () => {
      const { port } = new URL(server.url);
      const socket = connect(Number(port), '127.0.0.1');
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.on('error', () => socket.destroy());
      socket.write(
        `POST /api/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${JSON_API}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = 'a'.repeat(65_536);
      for (let sent = 0; sent <= limits.bodyBytes; sent += chunk.length)
        socket.write(`10000\r\n${chunk}\r\n`);
      await new Promise((done) => socket.once('close', done));
      expect(received).to.match(/^HTTP\/1\.1 413 /);
    });

    it('refuses a body that is not JSON', async () => {
      for (const body of ['{', '', new Uint8Array([0x22, 0xff, 0x22])]) {
        const answer = await askAs(
          '/api/groups',
          { 'Content-Type': JSON_API },
          { method: 'POST', body },
        );
        expect(answer.status).to.equal(400);
        expect((await refusalOf(answer))?.code).to.equal('invalid-document');
      }
    });

    it('[fault 26] counts requests without a token per address, and says when to come again', async () => {
      const many = Array.from(
        { length: limits.requestsPerAddressAndMinute + 1 },
        () => '/api/config',
      );
      const answers = await Promise.all(many.map((path) => ask(path)));
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).not.to.deep.equal([]);
      expect(Number(refused[0]?.headers.get('retry-after'))).to.be.within(1, 60);
      expect((await askAs('/api/roles')).status).to.equal(200);
      now += 60_000;
      expect((await ask('/api/config')).status).to.equal(200);
    });
  });

  describe('[wire 6.3] which refusal comes first', () => {
    const old = { 'X-Slipway-Version': '0.1.0' };
    const bad = { 'Content-Type': 'text/plain', Organization: 'nonsense' };
    const send = (path: string, headers: Record<string, string>) =>
      ask(path, { method: 'POST', body: 'x', headers });

    it('is path, then version, then token, then media type, then size', async () => {
      expect((await send('/api/nothing', { ...old, ...bad })).status).to.equal(404);
      expect((await send('/api/groups', { ...old, ...bad })).status).to.equal(426);
      expect((await send('/api/groups', bad)).status).to.equal(401);
      expect(
        (await send('/api/groups', { ...bad, Authorization: `Bearer ${token}` })).status,
      ).to.equal(415);
    });
  });
});
