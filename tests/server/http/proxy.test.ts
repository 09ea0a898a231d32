import { expect } from 'chai';
import { authorizeAddress, PlainBrowser } from '../../support/sign-in.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { newId } from '../../support/make.ts';
import { anAccount, PASSWORD } from './identity/people.ts';

describe('behind a proxy [F9]', () => {
  let now = Date.UTC(2026, 5, 1, 12);
  let server: TestServer;
  let here: string;

  before(async () => {
    server = await startServer({
      clock: () => now,
      env: {
        PUBLIC_URL: 'https://slipway.test',
        TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
      },
      limits: { requestsOfAddress: 8 },
    });
    here = `http://127.0.0.1:${String(server.parts.config.port)}`;
  });
  after(() => server.stop());
  beforeEach(() => {
    now += 60_000;
  });

  const status = async (forwarded: string) => {
    const headers = { 'X-Forwarded-For': forwarded };
    return (await fetch(`${here}/api/config`, { headers })).status;
  };
  const useUp = async (forwarded: string) => {
    for (let n = 0; n < 8; n += 1) expect(await status(forwarded)).to.equal(200);
    expect(await status(forwarded)).to.equal(429);
  };

  it('each visitor has an address of their own', async () => {
    await useUp('203.0.113.1');
    expect(await status('203.0.113.2')).to.equal(200);
  });

  it('the address of a visitor is the last that is no trusted proxy, whatever they claim before it', async () => {
    await useUp('203.0.113.1');
    expect(await status('198.51.100.7, 203.0.113.1')).to.equal(429);
    expect(await status('203.0.113.1, 10.1.2.3')).to.equal(429);
    expect(await status('203.0.113.1, 203.0.113.2')).to.equal(200);
  });

  it('the addresses of one IPv6 network count as one visitor', async () => {
    await useUp('2001:db8:1:2::1');
    expect(await status('2001:db8:1:2:ffff::9')).to.equal(429);
    expect(await status('2001:db8:1:3::1')).to.equal(200);
  });

  it('what is no address at all is not believed and does no harm', async () => {
    expect(await status('<script>, , ,"')).to.equal(200);
  });

  it('cookies go over TLS alone and are bound to the host, and browsers are told to stay on TLS', async () => {
    const email = `cookies-${newId()}@proxy.test`;
    await anAccount(server, email);
    const browser = new PlainBrowser(here);
    const { address } = authorizeAddress(server.parts.config.auth);
    const begun = await browser.ask(address);
    const page = await browser.ask(begun.location ?? '');
    expect(page.headers.get('strict-transport-security')).to.include('max-age=31536000');
    const signedIn = await browser.send(begun.location ?? '', { email, password: PASSWORD });
    const resumed = await browser.ask(signedIn.location ?? '');
    expect(resumed.location).to.include('code=');

    const all = [begun, page, signedIn, resumed].flatMap(({ headers }) => headers.getSetCookie());
    const names = new Set(all.map((cookie) => cookie.split('=')[0] ?? ''));
    expect([...names]).to.include.members([
      '__Host-slipway_session',
      '__Host-slipway_form',
      '__Secure-slipway_interaction',
      '__Secure-slipway_resume',
    ]);
    for (const cookie of all) {
      expect(cookie)
        .to.match(/; *secure/i)
        .and.match(/; *httponly/i)
        .and.match(/; *samesite=lax/i);
      if (cookie.startsWith('__Host-')) expect(cookie).to.match(/; *path=\/(;|$)/i);
      else expect(cookie).to.match(/^__Secure-.*; *path=\/oidc/i);
      expect(cookie).not.to.match(/; *domain=/i);
    }
  });

  /** A browser in which a new account of that address has signed in. */
  const signedIn = async (email: string): Promise<PlainBrowser> => {
    await anAccount(server, email);
    const browser = new PlainBrowser(here);
    const page = await browser.open(authorizeAddress(server.parts.config.auth).address);
    const answer = await browser.send(page.address, { email, password: PASSWORD });
    await browser.open(answer.location ?? '');
    return browser;
  };

  it('changing the password gives the session a new cookie that is bound to the host too', async () => {
    const browser = await signedIn(`changing-${newId()}@proxy.test`);
    const { auth } = server.parts.config;
    const before = browser.cookies.get('__Host-slipway_session');

    const form = { password: PASSWORD, new_password: 'battery staple' };
    const { headers } = await browser.send('/oidc/password', form);
    for (const cookie of headers.getSetCookie())
      expect(cookie)
        .to.match(/^__Host-slipway_session(\.sig)?=[^;]+; path=\//)
        .and.match(/; secure/)
        .and.match(/; httponly/)
        .and.match(/; samesite=lax/);
    expect(browser.cookies.get('__Host-slipway_session')).to.not.equal(before);
    const again = await browser.open(authorizeAddress(auth, { prompt: 'none' }).address);
    expect(again.location).to.include('code=');
  });

  it('signing out ends the session cookie too', async () => {
    const browser = await signedIn(`leaving-${newId()}@proxy.test`);
    expect([...browser.cookies.keys()]).to.include('__Host-slipway_session');
    const asked = await browser.ask('/oidc/session/end');
    expect(asked.status).to.equal(200);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(asked.html)?.[1] ?? '';
    await browser.ask('/oidc/session/end/confirm', { xsrf, logout: 'yes' });
    expect([...browser.cookies.keys()]).not.to.include('__Host-slipway_session');
  });
});

describe('without a trusted proxy [F9]', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ limits: { requestsOfAddress: 3 } });
  });
  after(() => server.stop());

  it('an address that a visitor claims does not count', async () => {
    const statuses: number[] = [];
    for (let n = 1; n <= 4; n += 1) {
      const headers = { 'X-Forwarded-For': `203.0.113.${String(n)}` };
      statuses.push((await fetch(`${server.url}/api/config`, { headers })).status);
    }
    expect(statuses).to.deep.equal([200, 200, 200, 429]);
  });
});
