import { expect } from 'chai';
import { limitTable } from '#server/db/limits/limit-table.ts';
import { startServer } from '../../../support/server.ts';
import type { TestServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { END, RawClient } from '../../http/hub/raw-client.ts';

const MOST = 6;
const LASTING = { lastsSeconds: 86_400 };
const { requestsOfAddress } = limitTable;

const PUT = { method: 'PUT' };
const OPTIONS = { method: 'OPTIONS' };
const OLD = { headers: { 'X-Slipway-Version': '0.0.1' } };

describe('the server counts requests', () => {
  let now = Date.UTC(2026, 5, 1, 12);
  let server: TestServer;
  let token = '';
  let other = '';

  before(async () => {
    server = await startServer({
      clock: () => now,
      limits: { requestsOfAddress: MOST, requestsOfUser: 2 * MOST },
    });
    token = await tokenFor(server.parts, 'counted@limits.test', LASTING);
    other = await tokenFor(server.parts, 'other@limits.test', LASTING);
    await askAs(other, '/api/roles');
  });
  after(() => server.stop());
  beforeEach(() => {
    now += requestsOfAddress.withinMs;
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { redirect: 'manual', ...init });
  const askAs = (bearer: string, path: string, init: RequestInit = {}) =>
    ask(path, { ...init, headers: { Authorization: `Bearer ${bearer}` } });
  const seen = async (times: number, request: () => Promise<Response>) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const answer = await request();
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    return statuses;
  };
  const same = (status: number, times = MOST) => Array<number>(times).fill(status);

  const uncounted: readonly (readonly [string, number, () => Promise<Response>])[] = [
    ['beginnings of a sign-in', 400, () => ask('/oidc/auth')],
    ['tries at the token endpoint', 400, () => ask('/oidc/token', { method: 'POST' })],
    ['openings of a page of the sign-in', 200, () => ask('/oidc/sign-up')],
    ['requests without a token', 401, () => ask('/api/projects')],
    ['requests with a bad token', 401, () => askAs('no.token.atall', '/api/projects')],
    ['addresses that lead nowhere', 404, () => ask('/api/nowhere')],
    ['addresses that no database could hold', 404, () => ask('/api/projects/%00')],
    ['addresses that are too long', 400, () => ask(`/api/projects?x=${'x'.repeat(20_000)}`)],
    ['methods that an address does not take', 405, () => ask('/api/config', { method: 'PUT' })],
    ['questions which methods an address takes', 204, () => ask('/api/config', OPTIONS)],
    ['methods that a page of the sign-in does not take', 405, () => ask('/oidc/sign-up', PUT)],
    ['requests of an app that is too old', 426, () => ask('/api/projects', OLD)],
    [
      'negotiations of an app that is too old',
      426,
      () => ask('/hubs/data/negotiate', { ...OLD, method: 'POST' }),
    ],
    [
      'negotiations of an unknown kind',
      400,
      () => ask('/hubs/data/negotiate?negotiateVersion=x', { method: 'POST' }),
    ],
    ['negotiations without a token', 401, () => ask('/hubs/data/negotiate', { method: 'POST' })],
    ['negotiations with a bad token', 401, () => ask('/hubs/data?id=x&access_token=bad')],
    [
      'openings of a published file with a bad token',
      401,
      () => askAs('bad', '/downloads/apk/x/published'),
    ],
    ['tickets that lead nowhere', 404, () => ask(`/files/${'x'.repeat(43)}/app.apk`)],
    [
      'verification mails asked for with a bad token',
      401,
      () => askAs('bad', '/oidc/verification', { method: 'POST' }),
    ],
  ];
  for (const [name, status, request] of uncounted)
    it(`refuses ${name} from one address beyond the limit of a minute [F10]`, async () => {
      const statuses = await seen(MOST + 1, request);
      expect(
        statuses.slice(0, MOST).every((each) => each !== 429),
        String(statuses),
      ).to.equal(true);
      expect(statuses[0]).to.equal(name.includes('published file') ? statuses[0] : status);
      expect(statuses.at(-1)).to.equal(429);
      now += requestsOfAddress.withinMs;
      expect((await request()).status).to.equal(statuses[0]);
    });

  it('counts all that is asked from one address without a valid token together [F10]', async () => {
    await seen(2, () => ask('/oidc/auth'));
    await seen(2, () => askAs('bad', '/api/projects'));
    await seen(2, () => ask('/api/config'));
    expect(await seen(1, () => ask('/hubs/data/negotiate', { method: 'POST' }))).to.deep.equal([
      429,
    ]);
  });

  it('counts what a person asks in vain as theirs, not as their address’s [F10]', async () => {
    expect(await seen(2 * MOST, () => askAs(token, '/api/nowhere'))).to.deep.equal(
      same(404, 2 * MOST),
    );
    expect(await seen(1, () => askAs(token, '/api/nowhere'))).to.deep.equal([429]);
    expect(await seen(1, () => ask('/api/nowhere'))).to.deep.equal([404]);
  });

  it('counts subscriptions of a hub connection as requests of the person [F10]', async () => {
    const socket = await new RawClient(server.url, token).greeted();
    const subscribe = async (id: number) => {
      const call = {
        type: 1,
        invocationId: String(id),
        target: 'SubscribeTo',
        arguments: ['roles'],
      };
      socket.send(`${JSON.stringify(call)}${END}`);
      return ((await socket.next()) as { readonly error?: string }).error ?? null;
    };
    // To connect was a request too.
    for (let n = 1; n < 2 * MOST; n += 1) expect(await subscribe(n)).to.equal(null);
    expect(await subscribe(0)).to.equal('too-many-requests');
    expect(await seen(1, () => askAs(token, '/api/roles'))).to.deep.equal([429]);
    now += requestsOfAddress.withinMs;
    expect(await subscribe(1)).to.equal(null);
    socket.close();
  });

  it('refuses in the words of the API, and says when to come again [F10]', async () => {
    await seen(MOST, () => askAs('bad', '/api/projects'));
    const answer = await askAs('bad', '/api/projects');
    expect(answer.headers.get('retry-after')).to.equal('60');
    expect(answer.headers.get('content-type')).to.equal('application/vnd.api+json');
    const { errors } = (await answer.json()) as { readonly errors: readonly { code: string }[] };
    expect(errors.map(({ code }) => code)).to.deep.equal(['too-many-requests']);
  });

  it('refuses with a page in the language of the reader where people sign in [F10]', async () => {
    const headers = { Accept: 'text/html', 'Accept-Language': 'fr' };
    await seen(MOST, () => ask('/oidc/auth', { headers }));
    const answer = await ask('/oidc/auth', { headers });
    expect(answer.status).to.equal(429);
    expect(answer.headers.get('retry-after')).to.equal('60');
    expect(answer.headers.get('content-type')).to.include('text/html');
    expect(answer.headers.get('content-security-policy')).to.include("default-src 'none'");
    const page = await answer.text();
    expect(page).to.include('<html lang="fr-FR">').and.to.include('Réessayez dans 1 min');
  });

  it('lets a person with a valid token in although their address is used up [F10]', async () => {
    await seen(MOST + 1, () => askAs('bad', '/api/projects'));
    expect(await seen(2, () => askAs(token, '/api/roles'))).to.deep.equal(same(200, 2));
  });

  it('does not count requests with a valid token as requests of their address [F10]', async () => {
    expect(await seen(MOST + 2, () => askAs(token, '/api/roles'))).to.deep.equal(
      same(200, MOST + 2),
    );
    expect(await seen(1, () => ask('/api/config'))).to.deep.equal([200]);
  });

  it('refuses what one person asks beyond the limit of a minute, and lets others in [F10]', async () => {
    const negotiate = () => askAs(token, '/hubs/data/negotiate', { method: 'POST' });
    await seen(MOST, () => askAs(token, '/api/roles'));
    expect(await seen(MOST, negotiate)).to.deep.equal(same(200));
    expect(await seen(1, negotiate)).to.deep.equal([429]);
    expect(await seen(1, () => askAs(token, '/api/roles'))).to.deep.equal([429]);
    expect(await seen(1, () => askAs(other, '/api/roles'))).to.deep.equal([200]);
  });

  it('counts neither the files of the app, nor help, nor the state of the server [F10]', async () => {
    await seen(MOST + 1, () => ask('/oidc/auth'));
    for (const path of [
      '/',
      '/projects/own',
      '/static/first.client.abc.js',
      '/help/',
      '/api/health/live',
      '/oidc/pages.css',
    ])
      expect(await seen(2, () => ask(path)), path).to.deep.equal(same(200, 2));
  });
});
