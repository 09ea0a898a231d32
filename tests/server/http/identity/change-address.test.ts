import { expect } from 'chai';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { PlainBrowser, signInByForm } from '../../../support/sign-in.ts';
import { anAccount, lock, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

const PAGE = '/oidc/address';
const linkIn = (mail: Mail) => ('link' in mail.values ? mail.values.link : '');

describe('[12.6] the page to change the address that one signs in with', function () {
  this.timeout(60_000);
  let place: Place;
  const signedIn = async (email: string) => {
    const sub = await anAccount(place, email);
    const browser = new PlainBrowser(place.server);
    const { auth } = place.parts.config;
    const tokens = await signInByForm(place.server, email, PASSWORD, { auth, browser });
    return { sub, browser, tokens };
  };
  const works = (email: string) =>
    signInByForm(place.server, email, PASSWORD, {
      auth: place.parts.config.auth,
      browser: new PlainBrowser(place.server),
    }).then(
      () => true,
      () => false,
    );

  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  it('changes it once the link in the mail to the new one is confirmed by the password', async () => {
    const { sub, browser, tokens } = await signedIn('ana@old.test');
    await whoAmI(place, tokens.access_token);
    const answer = await browser.send(PAGE, { email: 'ana@new.test', password: PASSWORD });
    expect(answer.html).to.include('an email with a link is on its way');
    const mail = await place.mailTo('ana@new.test');
    expect(mail).to.include({ template: 'newAddress', language: 'fr-FR' });
    expect(await works('ana@old.test'), 'until then').to.equal(true);

    const elsewhere = new PlainBrowser(place.server);
    expect((await elsewhere.ask(linkIn(mail))).status, 'opening changes nothing').to.equal(200);
    expect((await elsewhere.send(linkIn(mail), { password: 'wrong' })).status).to.equal(422);
    expect((await elsewhere.send(linkIn(mail), { password: PASSWORD })).status).to.equal(200);
    expect((await elsewhere.send(linkIn(mail), { password: PASSWORD })).status).to.equal(410);

    await place.mailTo('ana@old.test');
    expect(await place.mailTo('ana@old.test')).to.deep.include({ template: 'addressChanged' });
    expect((await whoAmI(place, tokens.access_token)).status).to.equal(401);
    expect(await works('ana@old.test')).to.equal(false);
    const auth = place.parts.config.auth;
    const anew = await signInByForm(place.server, 'ana@new.test', PASSWORD, { auth });
    const { user } = (await whoAmI(place, anew.access_token)).body;
    expect(user).to.include({ authId: sub, email: 'ana@new.test' });
  });

  it('leaves a profile whose address is another one as it is', async () => {
    const { sub, browser, tokens } = await signedIn('bo@old.test');
    const { user } = (await whoAmI(place, tokens.access_token)).body;
    const { db, clock } = place.parts;
    await db.write({ at: clock(), by: null, changes: [] }, (write) =>
      write.change('user', String(user?.id), { email: 'reach-me@bo.test' }),
    );
    await browser.send(PAGE, { email: 'bo@new.test', password: PASSWORD });
    const mail = await place.mailTo('bo@new.test');
    await browser.send(linkIn(mail), { password: PASSWORD });
    const [known] = await db.read((tx) => tx.all('user', { authId: sub }));
    expect(known?.email).to.equal('reach-me@bo.test');
  });

  it('says the same of an address that has an account, and mails nothing there', async () => {
    await anAccount(place, 'taken@new.test');
    const { browser } = await signedIn('cy@old.test');
    const answer = await browser.send(PAGE, { email: 'Taken@new.test', password: PASSWORD });
    expect(answer.html).to.include('an email with a link is on its way');
    await browser.send(PAGE, { email: 'free@new.test', password: PASSWORD });
    await place.mailTo('free@new.test');
    expect(place.mails.some(({ to }) => to.toLowerCase() === 'taken@new.test')).to.equal(false);
  });

  it('is told to the present address, and ended by a new password there', async () => {
    const { browser } = await signedIn('gil@old.test');
    await browser.send(PAGE, { email: 'gil@new.test', password: PASSWORD });
    expect(await place.mailTo('gil@old.test')).to.deep.include({ template: 'addressAsked' });
    const mail = await place.mailTo('gil@new.test');
    await browser.send('/oidc/password', { password: PASSWORD, new_password: 'battery staple' });
    expect((await browser.ask(linkIn(mail))).status).to.equal(410);
  });

  it('does nothing for who is locked, also by a link that was mailed before', async () => {
    const { sub, browser, tokens } = await signedIn('lou@old.test');
    await whoAmI(place, tokens.access_token);
    await browser.send(PAGE, { email: 'lou@new.test', password: PASSWORD });
    const mail = await place.mailTo('lou@new.test');
    const stranger = new PlainBrowser(place.server);
    await stranger.ask(linkIn(mail));
    await lock(place, sub);
    expect((await stranger.send(linkIn(mail), { password: PASSWORD })).status).to.equal(410);
    await lock(place, sub, false);
    expect(await works('lou@old.test')).to.equal(true);
  });

  it('takes an address that somebody signed up with and never confirmed', async () => {
    await anAccount(place, 'squat@new.test', { isVerified: false });
    const { browser } = await signedIn('max@old.test');
    await browser.send(PAGE, { email: 'squat@new.test', password: PASSWORD });
    const mail = await place.mailTo('squat@new.test');
    expect((await browser.send(linkIn(mail), { password: PASSWORD })).status).to.equal(200);
    expect(await works('squat@new.test')).to.equal(true);
  });

  it('gives nobody an address that somebody signed up with meanwhile', async () => {
    const { browser } = await signedIn('di@old.test');
    await browser.send(PAGE, { email: 'race@new.test', password: PASSWORD });
    const mail = await place.mailTo('race@new.test');
    await anAccount(place, 'race@new.test');
    expect((await browser.send(linkIn(mail), { password: PASSWORD })).status).to.equal(410);
    expect(await works('di@old.test')).to.equal(true);
  });

  it('ends the links that were mailed to the old address', async () => {
    const { browser } = await signedIn('ed@old.test');
    await browser.send('/oidc/forgot', { email: 'ed@old.test' });
    const reset = await place.mailTo('ed@old.test');
    await browser.send(PAGE, { email: 'ed@new.test', password: PASSWORD });
    await browser.send(linkIn(await place.mailTo('ed@new.test')), { password: PASSWORD });
    expect((await browser.ask(linkIn(reset))).status).to.equal(410);
  });

  it('refuses what is no address, one’s own, and a wrong password, and keeps what was typed', async () => {
    const { browser } = await signedIn('flo@old.test');
    for (const [email, password, says] of [
      ['nowhere', PASSWORD, 'Enter an email address'],
      ['FLO@old.test', PASSWORD, 'This is your address already.'],
      ['flo@new.test', 'wrong', 'This is not your present password.'],
    ] as const) {
      const answer = await browser.send(PAGE, { email, password });
      expect(answer.status).to.equal(422);
      expect(answer.html).to.include(says).and.include(`value="${email}"`);
    }
  });

  it('is for who is signed in in that browser', async () => {
    const stranger = await new PlainBrowser(place.server).ask(PAGE);
    expect(stranger.location).to.equal('/account?sign-in=again');
  });
});
