import { expect } from 'chai';
import { NoAnswerError } from '#session/environment.ts';
import { createSession, tokensOf } from '#session/session.ts';
import { keepReturnTo } from '#session/return-to.ts';
import { createTokens } from '#session/token.ts';
import { TOKENS_KEY, USER_ID, World } from './world.ts';

describe('the session', () => {
  let world: World;
  const pageFetch = globalThis.fetch;
  beforeEach(() => {
    world = new World();
    // oidc-client-ts takes fetch from the page.
    globalThis.fetch = world.fetch as typeof fetch;
    world.answer('/oidc/token', () => world.json(freshTokens()));
  });
  afterEach(() => {
    globalThis.fetch = pageFetch;
  });

  const started = () => new URL(world.left.at(-1) ?? world.fail());
  const freshTokens = () => ({
    access_token: world.token(),
    refresh_token: 'refresh-1',
    id_token: world.token(900_000, {
      iss: 'http://here.test/oidc',
      aud: 'slipway-web',
      iat: 1,
      nonce: started().searchParams.get('nonce'),
    }),
    token_type: 'Bearer',
    expires_in: 900,
  });
  const returnAddress = () =>
    `http://here.test/login?code=the-code&state=${started().searchParams.get('state') ?? ''}`;
  const refusal = (code: string, status: number) => () =>
    world.json({ errors: [{ code, status: String(status) }] }, status);

  it('leaves for the issuer with PKCE, nonce, resource, audience and language [R3, R36]', async () => {
    await createSession(world.tab()).signIn();
    const { origin, pathname, searchParams } = started();
    expect(origin + pathname).to.equal('http://here.test/oidc/auth');
    expect(Object.fromEntries(searchParams)).to.include({
      client_id: 'slipway-web',
      response_type: 'code',
      redirect_uri: 'http://here.test/login',
      code_challenge_method: 'S256',
      resource: 'http://here.test/api',
      audience: 'http://here.test/api',
      ui_locales: 'fr-FR',
    });
    expect(searchParams.get('code_challenge')).to.match(/^[\w-]{43}$/);
    expect(searchParams.get('nonce'), '256 bits of the random source').to.equal('07'.repeat(32));
    expect(searchParams.has('prompt')).to.equal(false);
  });

  it('completes in another tab than it began, and says where to go on [R38]', async () => {
    const one = world.tab();
    keepReturnTo('/projects/own?search=x#top', one);
    await createSession(one).signIn();

    const session = createSession(world.tab());
    let drawn = 0;
    session.subscribe(() => {
      drawn += 1;
    });
    const outcome = await session.completeSignIn(returnAddress());
    expect(outcome).to.deep.equal({
      is: 'signed-in',
      accountStatus: 'active',
      returnTo: '/projects/own?search=x#top',
    });
    expect(session.snapshot()).to.include({ state: 'signed-in', userId: USER_ID });
    expect(drawn).to.be.greaterThan(0);
    expect(world.storage.getItem(TOKENS_KEY)).to.contain('refresh-1');
  });

  it('completes once, however often the page asks', async () => {
    const session = createSession(world.tab());
    await session.signIn();
    const address = returnAddress();
    const [first, second] = await Promise.all([
      session.completeSignIn(address),
      session.completeSignIn(address),
    ]);
    expect(first).to.equal(second);
    expect(world.paths().filter((path) => path === '/oidc/token')).to.have.length(1);
  });

  it('tells why a return failed', async () => {
    const session = createSession(world.tab());
    await session.signIn();
    const state = started().searchParams.get('state') ?? '';
    const at = (query: string) => `http://here.test/login?${query}`;
    expect(await session.completeSignIn(at('code=x&state=unknown'))).to.deep.equal({
      is: 'failed',
      reason: 'late',
    });
    expect(await session.completeSignIn(at(`error=access_denied&state=${state}`))).to.deep.equal({
      is: 'failed',
      reason: 'refused',
    });
    await session.signIn();
    const address = returnAddress();
    world.answer('/oidc/token', () => null);
    const noAnswer = { is: 'failed', reason: 'no-answer' };
    expect(await session.completeSignIn(address)).to.deep.equal(noAnswer);
    await session.signIn();
    world.answer('/oidc/token', () => new Response('<html>Accept our terms</html>'));
    expect(await session.completeSignIn(returnAddress())).to.deep.equal(noAnswer);
    await session.signIn();
    // A person who was locked for a while is not refused for good.
    const locked = { error: 'temporarily_unavailable' };
    world.answer('/oidc/token', () => world.json(locked, 400));
    expect(await session.completeSignIn(returnAddress())).to.deep.equal(noAnswer);
    expect(session.snapshot().state).to.equal('signed-out');
  });

  it('takes no answer that belongs to another sign-in', async () => {
    const session = createSession(world.tab());
    await session.signIn();
    const address = returnAddress();
    const mixed = { ...freshTokens(), id_token: world.token(900_000, { nonce: 'another' }) };
    world.answer('/oidc/token', () => world.json(mixed));
    expect(await session.completeSignIn(address)).to.include({ reason: 'refused' });
    expect(session.snapshot().state).to.equal('signed-out');
  });

  for (const [what, claims] of [
    ['of another app', { aud: 'another-app' }],
    ['of several other apps', { aud: ['another-app', 'a-third'] }],
    ['of no app', { aud: undefined }],
    ['of another issuer', { iss: 'http://evil.test/oidc' }],
  ] as const)
    it(`takes no id token ${what}`, async () => {
      const session = createSession(world.tab());
      await session.signIn();
      const nonce = started().searchParams.get('nonce');
      const usual = { iss: 'http://here.test/oidc', aud: 'slipway-web', iat: 1, nonce };
      const strange = world.token(900_000, { ...usual, ...claims });
      world.answer('/oidc/token', () => world.json({ ...freshTokens(), id_token: strange }));
      expect(await session.completeSignIn(returnAddress())).to.include({ reason: 'refused' });
      expect(session.snapshot().state).to.equal('signed-out');
    });

  it('follows no metadata that are another issuer’s, neither to sign in nor to renew', async () => {
    world.answer('/oidc/.well-known/openid-configuration', () =>
      world.json({
        issuer: 'http://evil.test/oidc',
        authorization_endpoint: 'http://evil.test/oidc/auth',
        token_endpoint: 'http://evil.test/oidc/token',
      }),
    );
    const error: unknown = await createSession(world.tab())
      .signIn()
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(NoAnswerError);
    expect(world.left).to.deep.equal([]);

    world.signedIn(world.token(-1_000));
    const renewing: unknown = await createTokens(world.tab())
      .accessToken()
      .catch((thrown: unknown) => thrown);
    expect(renewing).to.be.instanceOf(NoAnswerError);
    expect(world.paths()).not.to.include('/oidc/token');
  });

  it('knows who is not verified, and hears when they are [R38, R220, R231, R322]', async () => {
    world.signedIn(world.token(900_000, { email_verified: false }));
    world.answer('/api/users/current-user', refusal('email-not-verified', 401));
    const session = createSession(world.tab());
    expect(await session.identify()).to.equal('email-not-verified');
    expect(session.snapshot()).to.include({ accountStatus: 'email-not-verified', userId: null });

    world.rotating();
    world.answer('/api/users/current-user', () => world.json({ data: { id: USER_ID } }));
    expect(await session.identify({ renew: true })).to.equal('active');
    expect(session.snapshot().claims?.isEmailVerified).to.equal(true);
  });

  it('knows who is locked [R322]', async () => {
    world.signedIn();
    world.answer('/api/users/current-user', refusal('user-locked', 403));
    const session = createSession(world.tab());
    expect(await session.identify()).to.equal('locked');
    expect(session.snapshot().accountStatus).to.equal('locked');
  });

  it('[fault 41] takes the local copy’s word that somebody is kept out, and tells it when they are let in', async () => {
    world.signedIn();
    const tab = world.tab();
    const tokens = createTokens(tab);
    const session = createSession(tab, tokens);
    await session.identify();
    let letIn = 0;
    const person = tokensOf(USER_ID, tab, tokens);
    person.onToken(() => {
      letIn += 1;
    });
    person.keptOut('user-locked');
    expect(session.snapshot()).to.include({ accountStatus: 'locked', userId: USER_ID });
    world.answer('/api/users/current-user', refusal('user-locked', 403));
    await session.identify();
    expect(letIn).to.equal(0);
    world.answer('/api/users/current-user', () => world.json({ data: { id: USER_ID } }));
    expect(await session.identify()).to.equal('active');
    expect(letIn).to.equal(1);
  });

  it('[fault 41] of whom the unlock has ended the sign-in knows that they have to sign in [R220, R240]', async () => {
    world.signedIn();
    world.answer('/api/users/current-user', refusal('user-locked', 403));
    const session = createSession(world.tab());
    await session.identify();
    world.answer('/api/users/current-user', refusal('not-signed-in', 401));
    world.answer('/oidc/token', () => world.json({ error: 'invalid_grant' }, 400));
    expect(await session.identify()).to.equal('unknown');
    expect(session.snapshot()).to.include({ state: 'expired', accountStatus: 'unknown' });
  });

  it('remembers who it is without a connection, after a reload, with an ended token [R230]', async () => {
    world.signedIn();
    await createSession(world.tab()).identify();
    world.cut();
    world.now += 86_400_000;
    const reloaded = createSession(world.tab());
    expect(reloaded.snapshot()).to.include({ state: 'signed-in', userId: USER_ID });
    expect(reloaded.snapshot()).to.equal(reloaded.snapshot());
  });

  it('does not take another person for the one before', async () => {
    world.signedIn();
    await createSession(world.tab()).identify();
    world.signedIn(world.token(900_000, { sub: 'sub-2' }), 'theirs');
    const session = createSession(world.tab());
    expect(session.snapshot()).to.include({ state: 'signed-in', userId: null });
  });

  it('signs out: everything of the person is gone, the issuer ends its session [R44]', async () => {
    const session = createSession(world.tab());
    await session.signIn();
    await session.completeSignIn(returnAddress());
    world.answer('/oidc/token/revocation', () => new Response('', { status: 200 }));
    await session.signOut();

    const { pathname, searchParams } = started();
    expect(pathname).to.equal('/oidc/session/end');
    expect(searchParams.get('post_logout_redirect_uri')).to.equal('http://here.test/login');
    expect(searchParams.get('id_token_hint')).to.be.a('string');
    expect(world.asked.at(-1)?.body.get('token')).to.equal('refresh-1');
    expect(session.snapshot()).to.include({ state: 'signed-out', userId: null });
    const left = world.storage.keys().map((key) => world.storage.getItem(key) ?? '');
    expect(left.join()).to.not.contain(USER_ID).and.not.contain('ana@hill.test');
  });

  it('signs out without a connection, and asks for the password the next time [R44]', async () => {
    world.signedIn();
    const session = createSession(world.tab());
    await session.identify();
    world.cut();
    await session.signOut();
    expect(world.left).to.deep.equal(['http://here.test/login']);
    expect(session.snapshot().state).to.equal('signed-out');

    const later = new World();
    for (const path of ['/api/config', '/oidc/.well-known/openid-configuration'])
      world.answer(path, () => later.fetch(path));
    await session.signIn();
    expect(started().searchParams.get('prompt')).to.equal('login');
  });

  it('forgets where the person was when they signed out [R44]', async () => {
    const tab = world.tab();
    const session = createSession(tab);
    await session.signIn();
    await session.completeSignIn(returnAddress());
    // As a page does that may be seen by the signed-in only.
    const end = session.subscribe(() => {
      if (session.snapshot().state === 'signed-out') keepReturnTo('/projects/own', tab);
    });
    await session.signOut();
    end();

    const next = createSession(world.tab());
    await next.signIn();
    expect(await next.completeSignIn(returnAddress())).to.include({ returnTo: null });
  });

  it('says so when the issuer cannot be reached, although the settings are known', async () => {
    const session = createSession(world.tab());
    await session.signIn();
    world.answer('/oidc/.well-known/openid-configuration', () => null);
    const error: unknown = await session.signIn().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(NoAnswerError);
  });

  it('asks for the verification mail, at most once a minute', async () => {
    world.signedIn();
    const session = createSession(world.tab());
    world.answer('/oidc/verification', () => new Response(null, { status: 204 }));
    expect(await session.sendVerification()).to.equal('sent');
    expect(world.asked.at(-1)?.authorization).to.match(/^Bearer /);
    world.answer('/oidc/verification', refusal('too-many-requests', 429));
    expect(await session.sendVerification()).to.equal('too-soon');
  });
});
