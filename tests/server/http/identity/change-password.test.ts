import { expect } from 'chai';
import {
  authorizeAddress,
  codeOf,
  PlainBrowser,
  redeemAnswer,
  refresh,
  signInByForm,
} from '../../../support/sign-in.ts';
import { anAccount, lock, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

const NEW = 'battery staple';
const PAGE = '/oidc/password';

describe('[wire 2] the page to change a password', function () {
  this.timeout(60_000);
  let place: Place;
  const auth = () => place.parts.config.auth;
  const signIn = (email: string, password = PASSWORD, browser = new PlainBrowser(place.server)) =>
    signInByForm(place.server, email, password, { auth: auth(), browser });
  const signedIn = async (email: string) => {
    const sub = await anAccount(place, email);
    const browser = new PlainBrowser(place.server);
    const tokens = await signIn(email, PASSWORD, browser);
    return { sub, browser, tokens };
  };
  const works = (email: string, password: string) =>
    signIn(email, password).then(
      () => true,
      () => false,
    );

  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  it('leads back to the account, as every page of it does', async () => {
    const { browser } = await signedIn('back@change.test');
    for (const page of [PAGE, '/oidc/address', '/oidc/devices', '/oidc/second-factor'])
      expect((await browser.ask(page)).html, page).to.include('<a href="/account">');
  });

  it('takes the present password and a new one: every other sign-in ends, this one goes on', async () => {
    const { browser, tokens } = await signedIn('ana@change.test');
    const elsewhere = await signIn('ana@change.test');
    const answer = await browser.send(PAGE, { password: PASSWORD, new_password: NEW });
    expect(answer.status).to.equal(200);
    expect(answer.html).to.include('Your password is changed');

    for (const { access_token, refresh_token } of [tokens, elsewhere]) {
      expect((await whoAmI(place, access_token)).status).to.equal(401);
      const refused = await refresh(place.server, auth(), refresh_token);
      expect(refused.body.error).to.equal('invalid_grant');
    }
    const { address, verifier } = authorizeAddress(auth(), { prompt: 'none' });
    const code = await codeOf({ browser, resume: address, verifier });
    const { body } = await redeemAnswer(place.server, auth(), code ?? '', verifier);
    expect((await whoAmI(place, String(body.access_token))).status).to.equal(200);

    expect(await works('ana@change.test', PASSWORD)).to.equal(false);
    expect(await works('ana@change.test', NEW)).to.equal(true);
    expect(await place.mailTo('ana@change.test')).to.include({ template: 'passwordChanged' });
  });

  it('changes nothing without the present password', async () => {
    const { browser } = await signedIn('guessing@change.test');
    for (const password of ['', 'wrong', NEW]) {
      const answer = await browser.send(PAGE, { password, new_password: NEW });
      expect(answer.status).to.equal(422);
      expect(answer.html).to.include('This is not your present password.').and.not.include(NEW);
    }
    expect(await works('guessing@change.test', NEW)).to.equal(false);
    expect(await works('guessing@change.test', PASSWORD)).to.equal(true);
  });

  it('takes no new password that signing up would not take', async () => {
    const { browser } = await signedIn('weak@change.test');
    for (const new_password of ['short', 'password', 'weak@change.test', 'x'.repeat(201)]) {
      const answer = await browser.send(PAGE, { password: PASSWORD, new_password });
      expect(answer.status, new_password).to.equal(422);
    }
    expect(await works('weak@change.test', PASSWORD)).to.equal(true);
  });

  it('lets nobody guess on: after ten wrong ones the right one has to wait', async () => {
    const { browser } = await signedIn('limit@change.test');
    const send = (password: string) => browser.send(PAGE, { password, new_password: NEW });
    for (let i = 0; i < 10; i += 1) expect((await send('wrong')).status).to.equal(422);
    expect((await send(PASSWORD)).status).to.equal(429);
    expect(await works('limit@change.test', PASSWORD), 'signing in waits as well').to.equal(false);
    place.wait(900_001);
    expect((await send(PASSWORD)).status).to.equal(200);
  });

  it('is for who is signed in in that browser, and neither locked nor ended elsewhere', async () => {
    const stranger = await new PlainBrowser(place.server).ask(PAGE);
    expect(stranger.location).to.equal('/account?sign-in=again');

    const locked = await signedIn('locked@change.test');
    await whoAmI(place, locked.tokens.access_token);
    await lock(place, locked.sub);
    expect((await locked.browser.ask(PAGE)).location).to.equal('/account?sign-in=again');

    const { browser } = await signedIn('twice@change.test');
    const other = new PlainBrowser(place.server);
    await signIn('twice@change.test', PASSWORD, other);
    await other.send(PAGE, { password: PASSWORD, new_password: NEW });
    expect((await browser.ask(PAGE)).location).to.equal('/account?sign-in=again');
  });

  it('takes no form that another site sends', async () => {
    const { browser } = await signedIn('forged@change.test');
    await browser.ask(PAGE);
    const forged = { password: PASSWORD, new_password: NEW, form_token: 'made-up' };
    expect((await browser.ask(PAGE, forged)).status).to.equal(403);
    expect(await works('forged@change.test', NEW)).to.equal(false);
  });
});
