import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { ErrorDocument } from '#protocol/document.ts';
import { paths } from '#protocol/paths.ts';
import { changePassword, signOutEverywhere } from '#server/http/identity/account-changes.ts';
import { newLink } from '#server/domain/accounts/account-links.ts';
import { addAccount } from '#server/domain/accounts/accounts.ts';
import { keysOf } from '#server/domain/accounts/keys.ts';
import { hashPassword, PUBLISHED_COST } from '#server/domain/accounts/password.ts';
import { addPendingSignUp } from '#server/domain/accounts/pending-sign-ups.ts';
import { startServer } from '../../../support/server.ts';
import type { TestServer } from '../../../support/server.ts';
import {
  authorizeAddress,
  codeOf,
  PlainBrowser,
  prepareSignIn,
  redeemAnswer,
  refresh,
  signInByForm,
} from '../../../support/sign-in.ts';
import type { PreparedSignIn, Tokens } from '../../../support/sign-in.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { listen } from '../hub/listener.ts';
import type { Listener } from '../hub/listener.ts';

const PASSWORD = 'correct horse';
const NEW_PASSWORD = 'battery staple';

/** All that a person may have from signing in, on two devices. */
interface SignedIn {
  readonly sub: string;
  readonly email: string;
  readonly browser: PlainBrowser;
  readonly tokens: Tokens;
  /** One sign-in for each time that it is followed: following it uses it up. */
  readonly underWay: PreparedSignIn[];
  /** The tokens of mailed links to sign in, one for each time that one is followed. */
  readonly mailedLinks: string[];
  /** In each of these browsers such a link was opened; the next sign-in uses that up. */
  readonly linkedBrowsers: PlainBrowser[];
  readonly code: { readonly value: string; readonly verifier: string };
  /** Null when the server refused the connection. */
  readonly hub: Listener | null;
  /** The time at which the server closed it. */
  readonly closedAt: Promise<number>;
  readonly secondDevice: Tokens;
}

const ENDED = {
  session: 'asks for the password',
  'sign-in under way': 'gives no code',
  'mailed sign-in link': 'asks for the password',
  'browser that opened one': 'asks for the password',
  code: 'invalid_grant',
  'refresh token': 'invalid_grant',
  'access token': '401 not-signed-in',
  'hub connection': 'closed',
  'second device, offline until then': '401 not-signed-in, invalid_grant',
} as const;
type Row = Readonly<Record<keyof typeof ENDED, string>>;

const LOCKED: Row = {
  ...ENDED,
  code: 'temporarily_unavailable',
  'refresh token': 'temporarily_unavailable',
  'access token': '403 user-locked',
  'second device, offline until then': '403 user-locked, temporarily_unavailable',
};

describe('[F2] [F20] [wire 2] what came of a sign-in ends with', function () {
  this.timeout(60_000);
  let server: TestServer;
  let superAdmin: string;
  const rows = new Map<string, Row>();
  /** The time from the answer to the event until the hub had closed the connection. */
  const closedAfterMs = new Map<string, number>();
  const auth = () => server.parts.config.auth;
  const write = () => ({ at: server.parts.clock(), by: null, changes: [] });

  before(async function () {
    this.timeout(120_000);
    server = await startServer();
    superAdmin = await tokenFor(server.parts, 'root@matrix.test');
    await me(superAdmin);
    await server.parts.db.write(write(), async (w) => {
      const [role] = await w.all('role', { roleName: 'SuperAdmin' });
      const [user] = await w.all('user', { authId: 'test|root@matrix.test' });
      const ids = { id: crypto.randomUUID(), user: user?.id ?? '', role: role?.id ?? '' };
      await w.insert('userRole', { ...ids, roleName: 'SuperAdmin', organization: null });
    });
  });
  after(async () => {
    process.stdout.write(`\n${printed(rows, closedAfterMs)}\n`);
    await server.stop();
  });

  it('a change of password', async () => {
    const person = await signedIn('change@matrix.test');
    await changePassword(server.parts, person.sub, await hash(NEW_PASSWORD), null);
    await shows('change of password', person, ENDED);
  });

  it('a reset of the password', async () => {
    const { parts: services, url } = server;
    const person = await signedIn('reset@matrix.test');
    const link = { accountId: person.sub, purpose: 'reset' } as const;
    const token = await services.db.transact((tx) =>
      newLink(tx, link, services.clock, services.random),
    );
    const reset = await new PlainBrowser(url).send(`/oidc/reset?token=${token}`, {
      password: NEW_PASSWORD,
    });
    expect(reset.status).to.equal(200);
    await shows('reset of the password', person, ENDED);
  });

  it('a lock: 403 as long as it lasts, and a new sign-in after it [R22]', async () => {
    const person = await signedIn('lock@matrix.test');
    await lock(person, true);
    await shows('lock', person, LOCKED);
    await lock(person, false);
    await shows('unlock after it', person, ENDED);
    expect((await signIn(person.email)).access_token).to.be.a('string');
  });

  it('signing out everywhere', async () => {
    const person = await signedIn('everywhere@matrix.test');
    await signOutEverywhere(server.parts, person.sub, null);
    await shows('sign out everywhere', person, ENDED);
  });

  it('the take-over of an address that nobody had confirmed', async () => {
    const { parts: services, url } = server;
    const somebodyElse = await signedIn('taken@matrix.test', { isVerified: false });
    expect(somebodyElse.hub, 'no connection without a confirmed address').to.equal(null);
    const token = await services.db.transact(async (tx) => {
      const passwordHash = await hash(NEW_PASSWORD);
      const wanted = { email: 'taken@matrix.test', name: 'Owner', passwordHash, locale: 'en-US' };
      const accountId = somebodyElse.sub;
      const { clock, random } = services;
      const signUpId = await addPendingSignUp(tx, accountId, wanted, clock, random);
      return newLink(tx, { accountId, purpose: 'verify', signUpId }, clock, random);
    });
    const confirmed = await new PlainBrowser(url).send(`/oidc/verify?token=${token}`, {
      password: NEW_PASSWORD,
    });
    expect(confirmed.status).to.equal(200);
    await shows('take-over of the address', somebodyElse, {
      ...ENDED,
      'hub connection': 'refused',
    });
  });

  it('all but the session in which the password was changed: it goes on under a new cookie, with new tokens', async () => {
    const person = await signedIn('kept@matrix.test');
    const { cookies } = person.browser;
    const before = cookies.get('slipway_session') ?? '';
    const stolen = new PlainBrowser(server.url);
    for (const [name, value] of cookies) stolen.cookies.set(name, value);

    const goesOn = await changePassword(server.parts, person.sub, await hash(NEW_PASSWORD), before);
    expect(goesOn).to.be.a('string').and.not.equal(before);
    await setSession(cookies, goesOn ?? '');

    const { address, verifier } = authorizeAddress(auth(), { prompt: 'none' });
    const code = await codeOf({ browser: person.browser, resume: address, verifier });
    const answer = await redeemAnswer(server.url, auth(), code ?? '', verifier);
    expect(await me(String(answer.body.access_token))).to.equal('200');
    const again = await refresh(server.url, auth(), String(answer.body.refresh_token));
    expect(again.status).to.equal(200);

    expect(await sessionOf(stolen), 'under the old cookie').to.equal('asks for the password');
    expect(await me(person.tokens.access_token)).to.equal('401 not-signed-in');
    expect(await errorOf(refresh(server.url, auth(), person.secondDevice.refresh_token))).to.equal(
      'invalid_grant',
    );
  });

  const signIn = (email: string, browser = new PlainBrowser(server.url)) =>
    signInByForm(server.url, email, PASSWORD, { auth: auth(), browser });
  const prepare = (email: string) => prepareSignIn(server.url, email, PASSWORD, { auth: auth() });
  const hash = (password: string) => hashPassword(password, server.parts.random, PUBLISHED_COST);

  async function signedIn(email: string, { isVerified = true } = {}): Promise<SignedIn> {
    const { db, clock, random } = server.parts;
    const account = {
      email,
      name: 'Ana Hill',
      passwordHash: await hash(PASSWORD),
      isVerified,
      locale: 'fr-FR',
    };
    const sub = (await db.transact((tx) => addAccount(tx, account, clock, random))) ?? '';
    const browser = new PlainBrowser(server.url);
    const tokens = await signIn(email, browser);
    const secondDevice = await signIn(email);
    const underWay = [await prepare(email), await prepare(email)];
    const mailedLinks = [await mailedLink(sub), await mailedLink(sub)];
    const linkedBrowsers = [
      await browserThatOpened(await mailedLink(sub)),
      await browserThatOpened(await mailedLink(sub)),
    ];
    expect(await sessionOf(await browserThatOpened(await mailedLink(sub))), 'before').to.equal(
      'goes on',
    );
    const prepared = await prepare(email);
    const code = { value: (await codeOf(prepared)) ?? '', verifier: prepared.verifier };
    const hub = await listen(server.url, tokens.access_token).catch(() => null);
    expect(await sessionOf(browser), 'before').to.equal('goes on');
    const closedAt = hub?.closed.then(() => performance.now()) ?? Promise.resolve(0);
    return {
      sub,
      email,
      browser,
      tokens,
      secondDevice,
      underWay,
      mailedLinks,
      linkedBrowsers,
      code,
      hub,
      closedAt,
    };
  }

  function mailedLink(accountId: string): Promise<string> {
    const { db, clock, random } = server.parts;
    const link = { accountId, purpose: 'sign-in' } as const;
    return db.transact((tx) => newLink(tx, link, clock, random));
  }

  /** A browser in which the button of the mailed link was pressed, if it has one still. */
  async function browserThatOpened(token: string): Promise<PlainBrowser> {
    const browser = new PlainBrowser(server.url);
    await browser.send(`/oidc/sign-in?token=${token}`, {});
    return browser;
  }

  async function shows(event: string, person: SignedIn, expected: Row): Promise<void> {
    const { tokens, secondDevice, code, hub, underWay, browser } = person;
    const answeredAt = performance.now();
    expect(await me(tokens.access_token), 'the very next request').to.equal(
      expected['access token'],
    );
    closedAfterMs.set(event, Math.max(0, Math.round((await person.closedAt) - answeredAt)));
    expect(closedAfterMs.get(event), 'ms until the hub was closed').to.be.at.most(1_000);
    const way = underWay.pop();
    const row: Row = {
      session: await sessionOf(browser),
      'sign-in under way':
        way === undefined || (await codeOf(way)) === null ? 'gives no code' : 'gives a code',
      'mailed sign-in link': await sessionOf(
        await browserThatOpened(person.mailedLinks.pop() ?? ''),
      ),
      'browser that opened one': await sessionOf(person.linkedBrowsers.pop() ?? browser),
      code: await errorOf(redeemAnswer(server.url, auth(), code.value, code.verifier)),
      'refresh token': await errorOf(refresh(server.url, auth(), tokens.refresh_token)),
      'access token': await me(tokens.access_token),
      'hub connection': hub === null ? 'refused' : 'closed',
      'second device, offline until then': `${await me(secondDevice.access_token)}, ${await errorOf(
        refresh(server.url, auth(), secondDevice.refresh_token),
      )}`,
    };
    rows.set(event, row);
    expect(row).to.deep.equal(expected);
    const back = await listen(server.url, tokens.access_token).catch(() => null);
    expect(back, 'the connection cannot be opened again').to.equal(null);
  }

  async function sessionOf(browser: PlainBrowser): Promise<string> {
    const { location, html } = await browser.open(authorizeAddress(auth()).address);
    if (location?.includes('code=') === true) return 'goes on';
    return html.includes('type="password"')
      ? 'asks for the password'
      : `${String(location)} ${html}`;
  }

  async function errorOf(asked: ReturnType<typeof refresh>): Promise<string> {
    const { status, body } = await asked;
    return typeof body.error === 'string' ? body.error : String(status);
  }

  async function me(token: string): Promise<string> {
    const answer = await fetch(`${server.url}${paths.currentUser}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { errors = [] } = (await answer.json()) as Partial<ErrorDocument>;
    return [answer.status, ...errors.map(({ code }) => code)].join(' ');
  }

  /** As the super admin does it. */
  async function lock({ sub }: SignedIn, isLocked: boolean): Promise<void> {
    const [user] = await server.parts.db.read((tx) => tx.all('user', { authId: sub }));
    const id = user?.id ?? '';
    const answer = await fetch(`${server.url}/api/users/${id}`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${superAdmin}`,
        'Content-Type': 'application/vnd.api+json',
      },
      body: JSON.stringify({ data: { type: 'users', id, attributes: { 'is-locked': isLocked } } }),
    });
    expect(answer.status).to.equal(200);
  }

  /**
   * Does what the page that changes the password will do: cookies are signed as the provider signs
   * them.
   */
  async function setSession(cookies: Map<string, string>, id: string): Promise<void> {
    const [key] = (await keysOf(server.parts.db, server.parts.random)).cookies;
    const signature = createHmac('sha1', key).update(`slipway_session=${id}`).digest('base64url');
    cookies.set('slipway_session', id);
    cookies.set('slipway_session.sig', signature);
  }
});

function printed(
  rows: ReadonlyMap<string, Row>,
  closedAfterMs: ReadonlyMap<string, number>,
): string {
  const events = [...rows.keys()];
  const lines = Object.keys(ENDED).map((held) =>
    [held, ...events.map((event) => rows.get(event)?.[held as keyof Row] ?? '')].join(' | '),
  );
  const took = events.map((event) => `${String(closedAfterMs.get(event) ?? 0)} ms`);
  return [['', ...events].join(' | '), ...lines, ['hub closed after', ...took].join(' | ')].join(
    '\n',
  );
}
