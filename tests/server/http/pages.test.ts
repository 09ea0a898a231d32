import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { sizeOf } from '#base/file-size.ts';
import { IMPORT_BYTES } from '#rules/valid/import-file.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

describe('what a browser is given', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers });

  it('keeps files with a digest in their name for ever, and asks about all others', async () => {
    const file = await ask('/static/first.client.abc.js');
    expect(file.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(file.headers.get('content-type')).to.match(/javascript/);
    for (const path of ['/', '/index.html', '/service-worker.js', '/assets/language/langtags.json'])
      expect((await ask(path)).headers.get('cache-control'), path).to.equal('no-cache');
  });

  it('compresses what is long, and not what is short', async () => {
    const long = await ask('/static/first.client.abc.js', { 'Accept-Encoding': 'br' });
    expect(long.headers.get('content-encoding')).to.equal('br');
    expect(await long.text()).to.include('const filler');
    const gzip = await ask('/static/first.client.abc.js', { 'Accept-Encoding': 'gzip' });
    expect(gzip.headers.get('content-encoding')).to.equal('gzip');
    expect((await ask('/', { 'Accept-Encoding': 'br' })).headers.get('content-encoding')).to.equal(
      null,
    );
  });

  it('sends a file as the build has compressed it, to who takes that', async () => {
    const best = brotliCompressSync('const filler = 1;\n'.repeat(200));
    const path = '/static/best.abc.js';
    writeFileSync(join(server.dataDir, 'app', path), 'const filler = 1;\n'.repeat(200));
    writeFileSync(join(server.dataDir, 'app', `${path}.br`), best);
    const answer = await ask(path, { 'Accept-Encoding': 'gzip, deflate, br' });
    const { headers } = answer;
    expect([headers.get('content-encoding'), headers.get('content-length')]).to.deep.equal([
      'br',
      String(best.length),
    ]);
    expect(headers.get('vary')).to.match(/accept-encoding/i);
    expect(headers.get('content-type')).to.match(/javascript/);
    expect(headers.get('cache-control')).to.match(/immutable/);
    expect(await answer.text()).to.include('const filler = 1;');
    const plain = await ask(path, { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).to.equal(null);
  });

  it('runs no script but our own, and talks to nobody but us and the hub by its name', async () => {
    const policy = (await ask('/projects/own')).headers.get('content-security-policy') ?? '';
    const directives = new Map(
      policy.split(';').map((each) => {
        const [name = '', ...values] = each.trim().split(' ');
        return [name, values] as const;
      }),
    );
    expect(policy).not.to.include('unsafe');
    expect(directives.get('default-src')).to.deep.equal(["'none'"]);
    expect(directives.get('script-src')).to.deep.equal(["'self'"]);
    expect(directives.get('style-src')).to.deep.equal(["'self'"]);
    expect(directives.get('frame-ancestors')).to.deep.equal(["'none'"]);
    expect(directives.get('worker-src')).to.deep.equal(["'self'"]);
    expect(directives.get('connect-src')).to.deep.equal([
      "'self'",
      server.url.replace('http', 'ws'),
    ]);
  });

  it('sends the sign-in form to an outside issuer where there is one', async () => {
    const other = await startServer({
      env: {
        OIDC_ISSUER: 'https://issuer.test/x',
        OIDC_CLIENT_ID: 'slipway',
        OIDC_AUDIENCE: 'api',
      },
    });
    try {
      const policy = (await fetch(other.url)).headers.get('content-security-policy') ?? '';
      expect(policy).to.match(/form-action 'self' https:\/\/issuer\.test(;|$)/);
      expect(policy).to.match(/connect-src [^;]* https:\/\/issuer\.test(;|$)/);
      const config = (await (await fetch(`${other.url}/api/config`)).json()) as { auth: unknown };
      expect(config.auth).to.deep.equal({
        issuer: 'https://issuer.test/x',
        clientId: 'slipway',
        audience: 'api',
        scope: 'openid profile email offline_access',
        redirectPath: '/login',
      });
      expect((await fetch(`${other.url}/oidc/jwks`)).headers.get('content-type')).to.match(/html/);
    } finally {
      await other.stop();
    }
  });

  it('gives nothing outside its folder and no hidden file', async () => {
    for (const path of [
      '/%2e%2e/mail',
      '/..%2f..%2fetc/passwd',
      '/.built-from',
      '/static/%2e%2e/.hidden',
    ])
      expect(await (await ask(path)).text(), path).to.include('<title>Slipway</title>');
  });

  for (const [accepted, language, title] of [
    ['es-MX,es;q=0.9', 'es-419', 'Archivo de importación'],
    ['de, fr-CA;q=0.8, en;q=0.5', 'fr-FR', 'Fichier d’importation'],
    ['de', 'en-US', 'Import file'],
  ] as const)
    it(`helps who accepts ${accepted} in ${language} [R93]`, async () => {
      const answer = await ask('/help/import', { 'Accept-Language': accepted });
      const html = await answer.text();
      expect(answer.headers.get('content-language')).to.equal(language);
      expect(html).to.include(`<html lang="${language}">`).and.include(title);
      expect(html).not.to.match(/<script|style=/);
    });

  it('states the limit of an import in the unit that its page states it in [screens 7.2]', async () => {
    for (const language of ['en-US', 'es-419', 'fr-FR']) {
      const answer = await ask('/help/import', { 'Accept-Language': language });
      expect(await answer.text()).to.include(sizeOf(IMPORT_BYTES, language));
    }
  });

  it('has every help page that the configuration names [R43, R93]', async () => {
    const { links } = (await (await ask('/api/config')).json()) as {
      links: Record<string, string | null>;
    };
    for (const name of ['community', 'help', 'importHelp'])
      expect((await fetch(links[name] ?? '')).status, name).to.equal(200);
    expect(links.workflowAdmin).to.equal(null);
  });
});
