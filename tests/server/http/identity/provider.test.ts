import { expect } from 'chai';
import { limits } from '#protocol/limits.ts';
import {
  askTokens,
  authorizeAddress,
  codeOf,
  formTokenIn,
  PlainBrowser,
  prepareSignIn,
  redeem,
  redeemAnswer,
  redirectOf,
  refresh,
  signInByForm,
} from '../../../support/sign-in.ts';
import type { Tokens } from '../../../support/sign-in.ts';
import { anAccount, lock, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

const DAY_MS = 86_400_000;

describe('signing in with the bundled provider', () => {
  let place: Place;
  const auth = () => place.parts.config.auth;
  const signIn = (email: string, password = PASSWORD) =>
    signInByForm(place.server, email, password, { auth: auth() });
  const renewed = async (token: string): Promise<Tokens> => {
    const { status, body } = await refresh(place.server, auth(), token);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as unknown as Tokens;
  };

  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
  });
  after(() => place.close());

  it('gives tokens that say who it is [R3]', async () => {
    const sub = await anAccount(place, 'Ana@Hill.test', { name: 'Ana María Hill' });
    const { access_token: token } = await signIn('ana@hill.TEST');

    const { status, body } = await whoAmI(place, token);
    expect(status).to.equal(200);
    expect(body.user).to.include({
      authId: sub,
      email: 'Ana@Hill.test',
      name: 'Ana María Hill',
      givenName: 'Ana',
      familyName: 'María Hill',
      locale: 'fr-FR',
      isLocked: false,
    });
    expect(body.user?.workflowUserId).to.equal(body.user?.id);
  });

  it('publishes its addresses and keys under PUBLIC_URL, and no private key', async () => {
    const discovery = await fetch(`${place.server}/oidc/.well-known/openid-configuration`);
    const metadata = (await discovery.json()) as Record<string, string>;
    expect(metadata.issuer).to.equal(auth().issuer);
    expect(metadata.token_endpoint).to.equal(`${auth().issuer}/token`);
    expect(discovery.headers.get('access-control-allow-origin')).to.equal(null);

    const keys = await (await fetch(`${place.server}/oidc/jwks`)).text();
    expect(keys).to.contain('"kty":"EC"').and.not.match(/"d":/);
  });

  it('refuses a wrong password and an unknown address with the same words', async () => {
    await anAccount(place, 'wrong@hill.test');
    const browser = new PlainBrowser(place.server);
    const page = await browser.open(authorizeAddress(auth()).address);
    const tries = await Promise.all(
      ['wrong@hill.test', 'nobody@hill.test'].map((email) =>
        browser.ask(page.address, {
          email,
          password: 'not the password',
          form_token: formTokenIn(page.html),
        }),
      ),
    );
    for (const { status, html } of tries) {
      expect(status).to.equal(422);
      expect(html).to.contain('The email or the password is not right.');
      expect(html).to.not.contain('not the password');
    }
    expect(tries[0]?.html).to.contain('value="wrong@hill.test"');
  });

  it('lets nobody guess on: after ten wrong passwords the right one has to wait', async () => {
    await anAccount(place, 'guessed@hill.test');
    const browser = new PlainBrowser(place.server);
    const page = await browser.open(authorizeAddress(auth()).address);
    const send = (password: string) =>
      browser.ask(page.address, {
        email: 'guessed@hill.test',
        password,
        form_token: formTokenIn(page.html),
      });
    for (let i = 0; i < 10; i += 1) expect((await send('wrong')).status).to.equal(422);

    const refused = await send(PASSWORD);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 900);
    place.wait(900_001);
    expect((await send(PASSWORD)).location).to.be.a('string');
  }).timeout(60_000);

  it('takes no form that another site sends', async () => {
    const browser = new PlainBrowser(place.server);
    const page = await browser.open(authorizeAddress(auth()).address);
    const form = { email: 'ana@hill.test', password: PASSWORD };

    expect((await browser.ask(page.address, form)).status).to.equal(403);
    const other = new PlainBrowser(place.server);
    const theirs = formTokenIn((await other.open(authorizeAddress(auth()).address)).html);
    const sent = await browser.ask(page.address, { ...form, form_token: theirs });
    expect(sent.status).to.equal(403);
    expect(sent.html).to.contain('value="ana@hill.test"');
  });

  it('says so when the page was open for too long', async () => {
    const browser = new PlainBrowser(place.server);
    const late = await browser.ask('/oidc/interaction/there-is-none');
    expect(late.status).to.equal(400);
    expect(late.html).to.contain('This page was open for too long');
  });

  it('speaks the language that the app asks for, else that of the browser [R18]', async () => {
    const asked = new PlainBrowser(place.server, 'en-US');
    const { address } = authorizeAddress(auth(), { ui_locales: 'fr-FR' });
    expect((await asked.open(address)).html).to.contain('Mot de passe');
    const plain = new PlainBrowser(place.server, 'es-MX,es;q=0.8');
    expect((await plain.open(authorizeAddress(auth()).address)).html).to.contain('Contraseña');
  });

  it('serves pages without any inline script or style', async () => {
    const browser = new PlainBrowser(place.server);
    const page = await browser.open(authorizeAddress(auth()).address);
    expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'");
    expect(page.html).to.not.match(
      /<script(?! src="\/[a-z-]+\.js" defer><\/script>)|<style| style=| on\w+=/,
    );
    const style = await fetch(`${place.server}/oidc/pages.css`);
    expect(style.headers.get('content-type')).to.contain('text/css');
  });

  it('asks for PKCE', async () => {
    const browser = new PlainBrowser(place.server);
    const address = authorizeAddress(auth()).address.replace(/&code_challenge[^&]*/g, '');
    expect((await browser.open(address)).location).to.contain('error=invalid_request');
  });

  it('redeems a code once, even when it is brought twice at once', async () => {
    await anAccount(place, 'code@hill.test');
    const browser = new PlainBrowser(place.server);
    const { address, verifier } = authorizeAddress(auth());
    const page = await browser.open(address);
    const form = {
      email: 'code@hill.test',
      password: PASSWORD,
      form_token: formTokenIn(page.html),
    };
    const back = await browser.open((await browser.ask(page.address, form)).location ?? '');
    const code = new URL(back.location ?? '').searchParams.get('code') ?? '';
    const both = await Promise.allSettled([
      redeem(place.server, auth(), code, verifier),
      redeem(place.server, auth(), code, verifier),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled').length).to.be.at.most(1);
    await redeem(place.server, auth(), code, verifier).then(
      () => expect.fail('the code worked again'),
      (error: unknown) => expect(String(error)).to.contain('invalid_grant'),
    );
  });

  it('[fault 35] [fault 36] takes a consumed refresh token again for 60 s', async () => {
    await anAccount(place, 'grace@hill.test');
    const first = await signIn('grace@hill.test');
    const second = await renewed(first.refresh_token);
    expect(second.refresh_token).to.not.equal(first.refresh_token);

    place.wait(limits.refreshGraceMs - 1_000);
    const lost = await renewed(first.refresh_token);
    expect((await whoAmI(place, lost.access_token)).status).to.equal(200);
    await renewed(second.refresh_token);
  });

  it('[fault 36] refuses a consumed refresh token after its grace, and ends what came of it', async () => {
    await anAccount(place, 'replay@hill.test');
    const first = await signIn('replay@hill.test');
    const second = await renewed(first.refresh_token);

    place.wait(limits.refreshGraceMs);
    const replayed = await refresh(place.server, auth(), first.refresh_token);
    expect(replayed.status).to.equal(400);
    expect(replayed.body.error).to.equal('invalid_grant');
    const after = await refresh(place.server, auth(), second.refresh_token);
    expect(after.body.error).to.equal('invalid_grant');
  });

  it('does not stretch the grace by using it', async () => {
    await anAccount(place, 'stretch@hill.test');
    const { refresh_token: token } = await signIn('stretch@hill.test');
    await renewed(token);
    place.wait(40_000);
    await renewed(token);
    place.wait(40_000);
    expect((await refresh(place.server, auth(), token)).body.error).to.equal('invalid_grant');
  });

  it('lets the unverified in, with a token that says so [R231]', async () => {
    await anAccount(place, 'unverified@hill.test', { isVerified: false });
    const { access_token: token } = await signIn('unverified@hill.test');
    const { status, body } = await whoAmI(place, token);
    expect(status).to.equal(401);
    expect(body.errors?.[0]?.code).to.equal('email-not-verified');
  });

  it('locks out at once: every token is answered 403, and no other is given out [wire 2] [R22, R240]', async () => {
    const sub = await anAccount(place, 'locked@hill.test');
    const browser = new PlainBrowser(place.server);
    const first = await signInByForm(place.server, 'locked@hill.test', PASSWORD, {
      auth: auth(),
      browser,
    });
    await whoAmI(place, first.access_token);
    const prepared = await prepareSignIn(place.server, 'locked@hill.test', PASSWORD, {
      auth: auth(),
    });
    const code = (await codeOf(prepared)) ?? '';

    await lock(place, sub);
    const { status, body } = await whoAmI(place, first.access_token);
    expect(status).to.equal(403);
    expect(body.errors?.[0]?.code).to.equal('user-locked');
    // Asked twice: the first answer must not use up what is good again after the lock.
    for (let i = 0; i < 2; i += 1) {
      const renewal = await refresh(place.server, auth(), first.refresh_token);
      expect(renewal.body.error).to.equal('temporarily_unavailable');
      const redeemed = await redeemAnswer(place.server, auth(), code, prepared.verifier);
      expect(redeemed.body.error).to.equal('temporarily_unavailable');
    }

    const page = await browser.open(authorizeAddress(auth()).address);
    expect(page.html, 'the session gives no code').to.contain('Password');
    const sent = await browser.send(page.address, {
      email: 'locked@hill.test',
      password: PASSWORD,
    });
    expect(sent.status).to.equal(403);
    expect(sent.html).to.contain('Your account is locked.');
  });

  it('says nothing of a lock to who does not know the password', async () => {
    const sub = await anAccount(place, 'shut@hill.test');
    await whoAmI(place, (await signIn('shut@hill.test')).access_token);
    await lock(place, sub);
    const browser = new PlainBrowser(place.server);
    const page = await browser.open(authorizeAddress(auth()).address);
    const sent = await browser.send(page.address, { email: 'shut@hill.test', password: 'wrong' });
    expect(sent.status).to.equal(422);
    expect(sent.html).to.not.contain('locked');
  });

  it('gives no tokens for another resource than the API, at either endpoint [F21]', async () => {
    await anAccount(place, 'target@hill.test');
    const evil = { resource: 'https://evil.test/api' };
    const browser = new PlainBrowser(place.server);
    const back = await browser.open(authorizeAddress(auth(), evil).address);
    expect(back.location).to.contain('error=invalid_target');

    const { refresh_token: token } = await signIn('target@hill.test');
    const fields = { grant_type: 'refresh_token', client_id: auth().clientId, ...evil };
    const answer = await askTokens(place.server, { ...fields, refresh_token: token });
    expect(answer.body.error).to.equal('invalid_target');
  });

  it('asks for the password again 90 days after the sign-in, however often its tokens and its session were used [F20]', async () => {
    await anAccount(place, 'long@hill.test');
    const browser = new PlainBrowser(place.server);
    const signingIn = { auth: auth(), browser };
    let tokens = await signInByForm(place.server, 'long@hill.test', PASSWORD, signingIn);
    let silent = '';
    for (let day = 10; day <= 80; day += 10) {
      place.wait(10 * DAY_MS);
      tokens = await renewed(tokens.refresh_token);
      silent = (await browser.open(authorizeAddress(auth()).address)).location ?? '';
      expect(silent, `the session on day ${day}`).to.contain('code=');
    }

    place.wait(10 * DAY_MS - 60_000);
    tokens = await renewed(tokens.refresh_token);
    place.wait(60_001);
    const late = await refresh(place.server, auth(), tokens.refresh_token);
    expect(late.body.error).to.equal('invalid_grant');
    const page = await browser.open(authorizeAddress(auth()).address);
    expect(page.html, 'the session ended too').to.contain('Password');
  });

  it('signs out without a question, back to the app, and asks for the password again', async () => {
    await anAccount(place, 'leaving@hill.test');
    const browser = new PlainBrowser(place.server);
    const tokens = await signInByForm(place.server, 'leaving@hill.test', PASSWORD, {
      auth: auth(),
      browser,
    });
    const again = await browser.open(authorizeAddress(auth()).address);
    expect(again.location).to.contain('code=');

    const query = new URLSearchParams({
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: redirectOf(auth()),
    });
    const out = await browser.ask(`/oidc/session/end?${query.toString()}`);
    expect(out.location).to.equal(redirectOf(auth()));
    expect((await browser.open(authorizeAddress(auth()).address)).html).to.contain('Password');
    const refused = await refresh(place.server, auth(), tokens.refresh_token);
    expect(refused.body.error).to.equal('invalid_grant');
  });

  it('leads on who signs out where nobody is signed in, to no address but the app’s', async () => {
    const leave = (post_logout_redirect_uri: string) => {
      const query = { client_id: auth().clientId, post_logout_redirect_uri, state: 'some' };
      const address = `/oidc/session/end?${new URLSearchParams(query).toString()}`;
      return new PlainBrowser(place.server).ask(address);
    };
    const out = await leave(redirectOf(auth()));
    expect([out.status, out.location]).to.deep.equal([303, `${redirectOf(auth())}?state=some`]);
    const elsewhere = await leave('https://evil.test/');
    expect([elsewhere.status, elsewhere.location]).to.deep.equal([400, null]);
  });

  it('asks before it signs somebody out whom it was not told about', async () => {
    await anAccount(place, 'staying@hill.test');
    const browser = new PlainBrowser(place.server);
    await signInByForm(place.server, 'staying@hill.test', PASSWORD, { auth: auth(), browser });
    const page = await browser.ask('/oidc/session/end');
    expect(page.html).to.contain('Do you want to sign out?');
    expect((await browser.open(authorizeAddress(auth()).address)).location).to.contain('code=');
  });

  it('takes a refresh token back when asked to', async () => {
    await anAccount(place, 'revoked@hill.test');
    const { refresh_token: token } = await signIn('revoked@hill.test');
    await fetch(`${place.server}/oidc/token/revocation`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: auth().clientId, token }),
    });
    expect((await refresh(place.server, auth(), token)).body.error).to.equal('invalid_grant');
  });

  it('gives nothing to an unknown client or another address', async () => {
    const browser = new PlainBrowser(place.server);
    const to = authorizeAddress(auth(), { redirect_uri: 'https://evil.test/login' });
    const page = await browser.open(to.address);
    expect(page.status).to.equal(400);
    expect(page.html).to.contain('That did not work').and.not.contain('evil.test');
    const grant = await askTokens(place.server, { grant_type: 'password', client_id: 'x' });
    expect(grant.status).to.be.within(400, 401);
  });
});
