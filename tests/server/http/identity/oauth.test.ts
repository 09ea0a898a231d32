import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sql } from 'kysely';
import { freshDatabase } from '../../../support/database.ts';
import {
  askTokens,
  authorizeAddress,
  codeOf,
  PlainBrowser,
  prepareSignIn,
  redeem,
  redeemAnswer,
  redirectOf,
  refresh,
  signInByForm,
} from '../../../support/sign-in.ts';
import { anAccount, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

const DAY_MS = 86_400_000;
/** Of 64 characters each holds 6 bits. */
const BITS_128 = /^[\w-]{22,}$/;

describe('what the bundled provider gives to whom', () => {
  let place: Place;
  const auth = () => place.parts.config.auth;
  const prepare = (email: string, browser = new PlainBrowser(place.server)) =>
    prepareSignIn(place.server, email, PASSWORD, { auth: auth(), browser });
  const signIn = (email: string, browser = new PlainBrowser(place.server)) =>
    signInByForm(place.server, email, PASSWORD, { auth: auth(), browser });
  const payloadOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Readonly<
      Record<string, unknown>
    >;

  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
  });
  after(() => place.close());

  it('are sessions, codes and refresh tokens of 128 random bits or more, never the same', async () => {
    await anAccount(place, 'random@oauth.test');
    const seen = new Set<string>();
    for (let n = 0; n < 3; n += 1) {
      const prepared = await prepare('random@oauth.test');
      const code = (await codeOf(prepared)) ?? '';
      const session = prepared.browser.cookies.get('slipway_session') ?? '';
      const tokens = await redeem(place.server, auth(), code, prepared.verifier);
      for (const secret of [code, session, tokens.refresh_token]) {
        expect(secret).to.match(BITS_128);
        seen.add(secret);
      }
    }
    expect(seen.size).to.equal(9);
  });

  it('is another session at each sign-in, and the one before opens nothing any more', async () => {
    await anAccount(place, 'anew@oauth.test');
    const browser = new PlainBrowser(place.server);
    await signIn('anew@oauth.test', browser);
    const before = new Map(browser.cookies);
    const again = await browser.open(authorizeAddress(auth(), { prompt: 'login' }).address);
    const sent = await browser.send(again.address, {
      email: 'anew@oauth.test',
      password: PASSWORD,
    });
    await browser.open(sent.location ?? '');
    expect(browser.cookies.get('slipway_session')).not.to.equal(before.get('slipway_session'));

    const thief = new PlainBrowser(place.server);
    for (const [name, value] of before) thief.cookies.set(name, value);
    expect((await thief.open(authorizeAddress(auth()).address)).html).to.contain('Password');
  });

  it('is a session that ends when nobody uses it for 14 days', async () => {
    await anAccount(place, 'idle@oauth.test');
    const browser = new PlainBrowser(place.server);
    await signIn('idle@oauth.test', browser);
    place.wait(14 * DAY_MS - 60_000);
    const used = await browser.open(authorizeAddress(auth()).address);
    expect(used.location).to.contain('code=');
    place.wait(14 * DAY_MS + 1_000);
    expect((await browser.open(authorizeAddress(auth()).address)).html).to.contain('Password');
  });

  it('is a code that works for a minute', async () => {
    await anAccount(place, 'slow@oauth.test');
    const [soon, late] = [await prepare('slow@oauth.test'), await prepare('slow@oauth.test')];
    const codes = [(await codeOf(soon)) ?? '', (await codeOf(late)) ?? ''];
    place.wait(55_000);
    await redeem(place.server, auth(), codes[0] ?? '', soon.verifier);
    place.wait(6_000);
    const { status, body } = await redeemAnswer(
      place.server,
      auth(),
      codes[1] ?? '',
      late.verifier,
    );
    expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
  });

  it('is no more when a code is brought twice: its refresh token ends', async () => {
    await anAccount(place, 'twice@oauth.test');
    const prepared = await prepare('twice@oauth.test');
    const code = (await codeOf(prepared)) ?? '';
    const tokens = await redeem(place.server, auth(), code, prepared.verifier);
    const again = await redeemAnswer(place.server, auth(), code, prepared.verifier);
    expect(again.body.error).to.equal('invalid_grant');
    const after = await refresh(place.server, auth(), tokens.refresh_token);
    expect(after.body.error).to.equal('invalid_grant');
    const { status, body } = await whoAmI(place, tokens.access_token);
    expect([status, body.errors?.[0]?.meta?.reason]).to.deep.equal([401, 'refused']);
  });

  it('is an access token that ends with the sign-out of its device, and no other’s does', async () => {
    await anAccount(place, 'leaves@oauth.test');
    const browser = new PlainBrowser(place.server);
    const tokens = await signIn('leaves@oauth.test', browser);
    const elsewhere = await signIn('leaves@oauth.test');
    expect((await whoAmI(place, tokens.access_token)).status).to.equal(200);
    const query = new URLSearchParams({
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: redirectOf(auth()),
    });
    await browser.ask(`/oidc/session/end?${query.toString()}`);
    const { status, body } = await whoAmI(place, tokens.access_token);
    expect([status, body.errors?.[0]?.meta?.reason]).to.deep.equal([401, 'refused']);
    expect((await whoAmI(place, elsewhere.access_token)).status).to.equal(200);
  });

  it('is an access token that ends when its refresh token is taken back', async () => {
    await anAccount(place, 'revokes@oauth.test');
    const tokens = await signIn('revokes@oauth.test');
    await fetch(`${place.server}/oidc/token/revocation`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: auth().clientId, token: tokens.refresh_token }),
    });
    expect((await whoAmI(place, tokens.access_token)).status).to.equal(401);
  });

  it('is an access token that ends when somebody brings a copy of a used refresh token', async () => {
    await anAccount(place, 'copied@oauth.test');
    const first = await signIn('copied@oauth.test');
    const { body: second } = await refresh(place.server, auth(), first.refresh_token);
    place.wait(61_000);
    await refresh(place.server, auth(), first.refresh_token);
    expect((await whoAmI(place, String(second.access_token))).status).to.equal(401);
  });

  it('is nothing to who has the code and not the secret that it was asked with', async () => {
    await anAccount(place, 'pkce@oauth.test');
    const prepared = await prepare('pkce@oauth.test');
    const code = (await codeOf(prepared)) ?? '';
    const guessed = 'x'.repeat(43);
    const { body } = await redeemAnswer(place.server, auth(), code, guessed);
    expect(body.error).to.equal('invalid_grant');
  });

  it('is nothing for a secret that is sent in clear, as PKCE’s method plain does', async () => {
    const { address, verifier } = authorizeAddress(auth());
    const digest = createHash('sha256').update(verifier).digest('base64url');
    const plain = address.replace(digest, verifier).replace('=S256', '=plain');
    expect(plain).to.include('code_challenge_method=plain').and.include(verifier);
    const answer = await new PlainBrowser(place.server).open(plain);
    expect(answer.location).to.contain('error=invalid_request');
  });

  for (const type of ['token', 'id_token', 'id_token token', 'code id_token', 'none'])
    it(`is nothing by the response type ${type}: codes alone`, async () => {
      const { address } = authorizeAddress(auth(), { response_type: type });
      const answer = await new PlainBrowser(place.server).ask(address);
      expect(answer.location).to.match(/[?#&]error=(unsupported_response_type|invalid_request)/);
      expect(answer.location).not.to.match(/access_token=|id_token=|code=/);
    });

  for (const grant of [
    'password',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ])
    it(`is nothing by the grant ${grant}: codes and refresh tokens alone`, async () => {
      const { status, body } = await askTokens(place.server, {
        ...{ grant_type: grant, client_id: auth().clientId },
        ...{ username: 'ana@oauth.test', password: PASSWORD, scope: 'openid' },
      });
      expect(status).to.equal(400);
      expect(body.error).to.be.oneOf(['unsupported_grant_type', 'unauthorized_client']);
      expect(body).not.to.have.property('access_token');
    });

  it('are tokens for the API that carry no scope, whatever was asked for', async () => {
    await anAccount(place, 'scope@oauth.test');
    const { address } = authorizeAddress(auth(), { scope: 'openid admin everything' });
    const browser = new PlainBrowser(place.server);
    expect((await browser.open(address)).location ?? '').not.to.contain('admin');
    const { access_token: token } = await signIn('scope@oauth.test');
    expect(payloadOf(token)).not.to.have.property('scope');
    expect(payloadOf(token).aud).to.equal(auth().audience);
  });

  it('is kept nowhere as it is: who reads the tables finds no code and no refresh token', async () => {
    await anAccount(place, 'kept@oauth.test');
    const prepared = await prepare('kept@oauth.test');
    const code = (await codeOf(prepared)) ?? '';
    const stored = async () => {
      const rows = await place.parts.db.read((tx) =>
        tx.query(sql<{ readonly text: string }>`select r::text as text from oidc_records r`),
      );
      return rows.map(({ text }) => text).join('\n');
    };
    expect(await stored())
      .to.include('AuthorizationCode')
      .and.not.include(code);
    const tokens = await redeem(place.server, auth(), code, prepared.verifier);
    expect(await stored())
      .to.include('RefreshToken')
      .and.not.include(tokens.refresh_token);
    expect((await refresh(place.server, auth(), tokens.refresh_token)).status).to.equal(200);
  });

  it('goes on after an update: a refresh token that an earlier version kept as it is', async () => {
    const fresh = await freshDatabase();
    const other = await openPlace({}, fresh);
    try {
      await anAccount(other, 'before@oauth.test');
      const options = { auth: other.parts.config.auth };
      const { server } = other;
      const tokens = await signInByForm(server, 'before@oauth.test', PASSWORD, options);
      const { refresh_token: token } = tokens;
      await fresh.db.transact((tx) =>
        tx.query(sql`update oidc_records set id = ${token},
          payload = payload || jsonb_build_object('jti', ${token}::text) where model = 'RefreshToken'`),
      );
      expect((await refresh(server, options.auth, token)).status).to.equal(400);
      const migration = 'src/server/db/migrations/023-hashed-tokens.sql';
      await fresh.db.transact((tx) => tx.query(sql.raw(readFileSync(migration, 'utf8'))));
      expect((await refresh(server, options.auth, token)).status).to.equal(200);
    } finally {
      await other.close();
      await fresh.close();
    }
  }).timeout(60_000);

  it('is an id token that opens nothing at the API', async () => {
    await anAccount(place, 'kind@oauth.test');
    const tokens = await signIn('kind@oauth.test');
    expect((await whoAmI(place, tokens.access_token)).status).to.equal(200);
    const { status, body } = await whoAmI(place, tokens.id_token);
    expect([status, body.errors?.[0]?.meta?.reason]).to.deep.equal([401, 'refused']);
    const { body: byRefreshToken } = await whoAmI(place, tokens.refresh_token);
    expect(byRefreshToken.errors?.[0]?.meta?.reason).to.equal('malformed');
  });

  it('ends what a new password on its pages ends: every refresh token there was', async () => {
    await anAccount(place, 'stolen@oauth.test');
    const devices = [await signIn('stolen@oauth.test'), await signIn('stolen@oauth.test')];
    const browser = new PlainBrowser(place.server);
    await browser.send('/oidc/forgot', { email: 'stolen@oauth.test' });
    const { values } = await place.mailTo('stolen@oauth.test');
    const link = 'link' in values ? values.link : '';
    await browser.send(link, { password: 'another horse entirely' });
    for (const { refresh_token: token } of devices)
      expect((await refresh(place.server, auth(), token)).body.error).to.equal('invalid_grant');
  });

  it('is no mail to the address that somebody’s profile names: a new password goes by that of sign-in', async () => {
    const sub = await anAccount(place, 'owner@oauth.test');
    await whoAmI(place, (await signIn('owner@oauth.test')).access_token);
    await place.parts.db.write({ at: place.parts.clock(), by: null, changes: [] }, async (w) => {
      const [user] = await w.all('user', { authId: sub });
      await w.change('user', user?.id ?? '', { email: 'thief@oauth.test' });
    });
    const browser = new PlainBrowser(place.server);
    for (const email of ['thief@oauth.test', 'owner@oauth.test'])
      await browser.send('/oidc/forgot', { email });
    expect((await place.mailTo('owner@oauth.test')).values).to.have.property('link');
    expect(place.mails.filter(({ to }) => to === 'thief@oauth.test')).to.deep.equal([]);
  });

  it('is no page of a debugger, and no word of what went wrong inside', async () => {
    const browser = new PlainBrowser(place.server);
    const begun = await browser.ask(authorizeAddress(auth()).address);
    expect(begun.location).to.match(/\/oidc\/interaction\/[\w-]+$/);
    const page = await browser.ask(begun.location ?? '');
    expect(page.html).not.to.match(/debug|oidc-provider|prompt reason/i);
    const wrong = await browser.open(
      authorizeAddress(auth(), { redirect_uri: `${redirectOf(auth())}x` }).address,
    );
    expect(wrong.html).not.to.match(/\bat \w+ \(|node_modules|oidc-provider/);
  });

  it('takes nothing that a form says twice', async () => {
    await anAccount(place, 'double@oauth.test');
    const browser = new PlainBrowser(place.server);
    const page = await browser.open(authorizeAddress(auth()).address);
    const token = /name="form_token"\s+value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = new URLSearchParams([
      ['form_token', token],
      ['email', 'other@oauth.test'],
      ['email', 'double@oauth.test'],
      ['password', PASSWORD],
    ]);
    const answer = await fetch(`${place.server}${new URL(page.address, place.server).pathname}`, {
      ...{ method: 'POST', redirect: 'manual', body },
      headers: { Cookie: cookies, 'Accept-Language': 'en-US' },
    });
    expect(answer.status).to.equal(422);
    expect(await answer.text()).not.to.contain('double@oauth.test');
  });
});
