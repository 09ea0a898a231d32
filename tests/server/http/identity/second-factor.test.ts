import { expect } from 'chai';
import { sql } from 'kysely';
import { renewRecoveryCodes } from '#server/domain/accounts/second-factor.ts';
import { oneTimeCode } from '../../../support/one-time-code.ts';
import {
  authorizeAddress,
  formTokenIn,
  PlainBrowser,
  prepareSignIn,
  codeOf,
  signInByForm,
} from '../../../support/sign-in.ts';
import { anAccount, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';
import { codesIn, guarded, PAGE, secretIn, switchOn } from './with-second-factor.ts';

describe('[12.6] the page of the second factor', function () {
  this.timeout(60_000);
  let place: Place;
  const signedIn = async (email: string) => {
    await anAccount(place, email);
    const browser = new PlainBrowser(place.server);
    const { auth } = place.parts.config;
    const tokens = await signInByForm(place.server, email, PASSWORD, { auth, browser });
    return { browser, tokens };
  };
  /** Gives the password; returns the page with the secret, and what its form is to send. */
  const begun = async (browser: PlainBrowser) => {
    const { html } = await browser.send(PAGE, { password: PASSWORD });
    const secret = secretIn(html);
    const confirm = (code: string) =>
      browser.ask(PAGE, { secret, code, form_token: formTokenIn(html) });
    return { html, secret, confirm };
  };
  const codeNow = (secret: string) => oneTimeCode(secret, place.parts.clock());
  const stored = (email: string) =>
    place.parts.db.transact((tx) =>
      tx.query<{ readonly secret: string; readonly hashes: string }>(sql`
        select secret, (select string_agg(hash, ' ') from recovery_codes code
          where code.account_id = factor.account_id) as hashes
        from second_factors factor join accounts on id = account_id where email = ${email}`),
    );

  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  it('switches it on for who gives the password and a first code, and tells the owner by mail', async () => {
    const { browser } = await signedIn('ana@factor.test');
    expect((await browser.ask(PAGE)).html).to.not.contain('otpauth://');
    const { html, secret, confirm } = await begun(browser);
    expect(secret).to.match(/^[A-Z2-7]{32}$/);
    expect(html).to.contain('<svg').and.contain('otpauth://totp/Slipway:ana%40factor.test');
    const done = await confirm(codeNow(secret));
    expect(done.status).to.equal(200);
    expect(new Set(codesIn(done.html)).size).to.equal(10);
    const mail = await place.mailTo('ana@factor.test');
    expect(mail).to.include({ template: 'secondFactorOn', language: 'fr-FR' });

    const { html: later } = await browser.ask(PAGE);
    expect(later).to.contain('Recovery codes left: 10').and.not.contain(secret);
    expect(codesIn(later), 'shown once').to.deep.equal([]);
  });

  it('shows no secret without the password', async () => {
    const { browser } = await signedIn('ben@factor.test');
    const { status, html } = await browser.send(PAGE, { password: 'wrong' });
    expect(status).to.equal(422);
    expect(secretIn(html)).to.equal('');
    expect(await stored('ben@factor.test')).to.deep.equal([]);
  });

  it('keeps the secret encrypted, and of recovery codes their hashes alone', async () => {
    const { secret, codes } = await guarded(place, 'cy@factor.test');
    const [row] = await stored('cy@factor.test');
    expect(row?.secret)
      .to.match(/^wrapped:1:/)
      .and.not.contain(secret);
    for (const code of codes) expect(row?.hashes).to.not.contain(code.replace(/-/g, ''));
  });

  it('stays off after a wrong first code, and shows the same secret again', async () => {
    const { browser } = await signedIn('di@factor.test');
    const { secret, confirm } = await begun(browser);
    const wrong = await confirm(oneTimeCode(secret, place.parts.clock() + 600_000));
    expect(wrong.status).to.equal(422);
    expect(secretIn(wrong.html)).to.equal(secret);
    expect((await confirm(codeNow(secret))).status).to.equal(200);
  });

  it('takes the secret that was shown last, within the hour, and none that somebody made up', async () => {
    const { browser } = await signedIn('ed@factor.test');
    const [first, second] = [await begun(browser), await begun(browser)];
    expect((await first.confirm(codeNow(first.secret))).status, 'replaced').to.equal(422);
    const own = 'A'.repeat(32);
    const form_token = formTokenIn(second.html);
    const forged = { secret: own, code: codeNow(own), form_token };
    expect((await browser.ask(PAGE, forged)).status, 'made up').to.equal(422);
    place.wait(3_600_001);
    expect((await second.confirm(codeNow(second.secret))).status, 'too late').to.equal(422);
    expect((await browser.ask(PAGE)).html).to.contain('type="password"');
  });

  it('ends every other sign-in when it is switched on, one under way too, and goes on here', async () => {
    const here = await signedIn('flo@factor.test');
    const { auth } = place.parts.config;
    const there = new PlainBrowser(place.server);
    const tokens = await signInByForm(place.server, 'flo@factor.test', PASSWORD, {
      auth,
      browser: there,
    });
    const underWay = await prepareSignIn(place.server, 'flo@factor.test', PASSWORD, { auth });
    const { secret, confirm } = await begun(here.browser);
    await confirm(codeNow(secret));
    expect((await whoAmI(place, tokens.access_token)).status).to.equal(401);
    const silent = await there.open(authorizeAddress(auth, { prompt: 'none' }).address);
    expect(silent.location).to.include('error=login_required');
    expect(await codeOf(underWay)).to.equal(null);
    expect((await here.browser.ask(PAGE)).html).to.contain('Recovery codes left');
  });

  it('makes new recovery codes for who gives password and code; those before end', async () => {
    const { browser, codes, nextCode, email } = await guarded(place, 'gil@factor.test');
    const page = `${PAGE}?do=codes`;
    expect((await browser.send(page, { password: PASSWORD, code: '' })).status).to.equal(422);
    expect((await browser.send(page, { password: 'wrong', code: nextCode() })).status).to.equal(
      422,
    );
    const made = codesIn((await browser.send(page, { password: PASSWORD, code: nextCode() })).html);
    expect(made).to.have.length(10);
    await place.mailTo(email);
    expect(await place.mailTo(email)).to.include({ template: 'recoveryCodesMade' });
    const [old = '', fresh = ''] = [codes[0], made[0]];
    expect((await browser.send(page, { password: PASSWORD, code: old })).status).to.equal(422);
    const small = fresh.toLowerCase().replace(/-/g, ' ');
    expect((await browser.send(page, { password: PASSWORD, code: small })).status).to.equal(200);
  });

  it('has no recovery codes to make anew while it is off', async () => {
    const id = await anAccount(place, 'off@factor.test');
    const { db, random } = place.parts;
    expect(await db.transact((tx) => renewRecoveryCodes(tx, id, random))).to.equal(null);
  });

  it('switches it off for who gives password and code, and tells the owner', async () => {
    const { browser, nextCode, email } = await guarded(place, 'hal@factor.test');
    const page = `${PAGE}?do=off`;
    expect((await browser.send(page, { password: PASSWORD })).status, 'no code').to.equal(422);
    const done = await browser.send(page, { password: PASSWORD, code: nextCode() });
    expect(done.html).to.contain('Your second factor is off');
    await place.mailTo(email);
    expect(await place.mailTo(email)).to.include({ template: 'secondFactorOff' });
    expect(await stored(email)).to.deep.equal([]);
    const { auth } = place.parts.config;
    await signInByForm(place.server, email, PASSWORD, { auth });
  });

  it('audits each of these, with who did it and from where', async () => {
    const { browser, nextCode, codes, tokens } = await guarded(place, 'ida@factor.test');
    const { auth } = place.parts.config;
    expect((await whoAmI(place, tokens.access_token)).status, 'signed out by it').to.equal(401);
    const { address, verifier } = authorizeAddress(auth, { prompt: 'none' });
    const code = await codeOf({ browser, resume: address, verifier });
    expect(code).to.be.a('string');
    await browser.send(`${PAGE}?do=codes`, { password: PASSWORD, code: codes[0] ?? '' });
    await browser.send(`${PAGE}?do=off`, { password: PASSWORD, code: nextCode() });
    const events = await place.parts.db.transact((tx) =>
      tx.query<{ readonly kind: string; readonly address: string }>(sql`
        select kind, address from audit_events where after ->> 'email' = 'ida@factor.test' order by n`),
    );
    expect(events).to.deep.equal(
      ['second-factor-on', 'recovery-code-used', 'recovery-codes-made', 'second-factor-off'].map(
        (kind) => ({ kind, address: '127.0.0.1' }),
      ),
    );
  });

  it('asks for a code where address and password are changed, and takes each code once', async () => {
    const { browser, nextCode, email } = await guarded(place, 'joe@factor.test');
    const change = (code: string, new_password = 'battery staple') =>
      browser.send('/oidc/password', { password: PASSWORD, code, new_password });
    const move = (code: string) =>
      browser.send('/oidc/address', { email: 'joe@new.test', password: PASSWORD, code });
    expect((await change('')).status).to.equal(422);
    expect((await move('000000')).status).to.equal(422);
    const code = nextCode();
    expect((await change(code, 'short')).status, 'the code is not used up').to.equal(422);
    expect((await move(code)).html).to.contain('an email with a link is on its way');
    expect((await change(code)).status, 'used').to.equal(422);

    const mail = await place.mailTo('joe@new.test');
    const link = 'link' in mail.values ? mail.values.link : '';
    const elsewhere = new PlainBrowser(place.server);
    expect((await elsewhere.ask(link)).html, 'tells no stranger').to.not.contain('name="code"');
    expect((await elsewhere.send(link, { password: PASSWORD })).status, 'no code yet').to.equal(
      303,
    );
    expect((await elsewhere.send(link, { code: '' })).status, 'no code').to.equal(422);
    expect((await elsewhere.send(link, { code: nextCode() })).status).to.equal(200);
    expect(await stored(email)).to.deep.equal([]);
    expect(await stored('joe@new.test'), 'it stays on').to.have.length(1);
  });

  it('says since when it is on by the day that it was for its owner', async () => {
    const { browser, tokens } = await signedIn('ned@factor.test');
    const { user } = (await whoAmI(place, tokens.access_token)).body;
    await switchOn(place, browser);
    const at = place.parts.clock();
    const dayIn = (timeZone: string) =>
      new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(at);
    // At any moment it is another day in one of the two.
    const zone = ['Pacific/Kiritimati', 'Pacific/Niue'].find(
      (each) => dayIn(each) !== dayIn('UTC'),
    );
    await place.parts.db.write({ at, by: null, changes: [] }, (write) =>
      write.change('user', String(user?.id), { timezone: zone ?? '' }),
    );
    const { html } = await browser.ask(PAGE);
    expect(html)
      .to.include(dayIn(zone ?? ''))
      .and.not.include(dayIn('UTC'));
  });

  it('changes the password with a code', async () => {
    const { browser, nextCode } = await guarded(place, 'kim@factor.test');
    const form = { password: PASSWORD, code: nextCode(), new_password: 'battery staple' };
    expect((await browser.send('/oidc/password', form)).status).to.equal(200);
  });

  it('takes no form that another site sends', async () => {
    const { browser, nextCode, email } = await guarded(place, 'lea@factor.test');
    const form = { password: PASSWORD, code: nextCode(), form_token: 'made-up' };
    for (const page of [`${PAGE}?do=off`, `${PAGE}?do=codes`])
      expect((await browser.ask(page, form)).status).to.equal(403);
    expect(await stored(email)).to.have.length(1);
  });

  it('is for who is signed in in that browser and has confirmed the address', async () => {
    const stranger = await new PlainBrowser(place.server).ask(PAGE);
    expect(stranger.location).to.equal('/account?sign-in=again');
    await anAccount(place, 'new@factor.test', { isVerified: false });
    const browser = new PlainBrowser(place.server);
    const { auth } = place.parts.config;
    await signInByForm(place.server, 'new@factor.test', PASSWORD, { auth, browser });
    expect((await browser.ask(PAGE)).location).to.equal('/verify-email');
  });
});
