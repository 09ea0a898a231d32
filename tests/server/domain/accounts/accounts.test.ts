import { expect } from 'chai';
import type { ErrorDocument } from '#protocol/document.ts';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { PlainBrowser, refresh, signInByForm } from '../../../support/sign-in.ts';
import { anAccount, lock, PASSWORD, whoAmI } from '../../http/identity/people.ts';
import { openPlace } from '../../http/identity/place.ts';
import type { Place } from '../../http/identity/place.ts';

const linkIn = (mail: Mail) => ('link' in mail.values ? mail.values.link : '');

describe('accounts of the bundled provider', () => {
  let place: Place;
  const signIn = (email: string, password = PASSWORD) =>
    signInByForm(place.server, email, password, { auth: place.parts.config.auth });
  const browser = () => new PlainBrowser(place.server, 'fr');
  const signUp = (email: string, password = PASSWORD) =>
    browser().send('/oidc/sign-up', { email, password, name: 'Zoé Hill' });
  const refusedSignIn = (email: string, password: string) =>
    signIn(email, password).then(
      () => false,
      (error: unknown) => String(error).includes('422'),
    );
  const codeOf = async (token: string) =>
    (await whoAmI(place, token)).body.errors?.[0]?.code ?? 'none';

  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
  });
  after(() => place.close());

  it('are made by signing up, and count once the mail was answered', async () => {
    const answer = await signUp('zoe@hill.test');
    expect(answer.status).to.equal(200);
    expect(answer.html).to.contain('zoe@hill.test');

    const before = await signIn('zoe@hill.test');
    expect(await codeOf(before.access_token)).to.equal('email-not-verified');

    const mail = await place.mailTo('zoe@hill.test');
    expect(mail).to.include({ template: 'emailVerification', language: 'fr-FR' });
    expect((await browser().ask(linkIn(mail))).status).to.equal(200);
    expect(await codeOf(before.access_token), 'opening is not enough').to.not.equal('none');

    expect((await browser().send(linkIn(mail), { password: PASSWORD })).status).to.equal(200);
    const renewed = await refresh(place.server, place.parts.config.auth, before.refresh_token);
    expect(await codeOf(String(renewed.body.access_token))).to.equal('none');
    expect((await browser().ask(linkIn(mail))).status, 'works once').to.equal(410);
  });

  it('say what is wrong and keep what was typed, but never a password', async () => {
    const page = await browser().send('/oidc/sign-up', {
      email: 'not an address',
      password: 'short',
      name: '<b>Zoé</b>',
    });
    expect(page.status).to.equal(422);
    expect(page.html).to.contain('value="not an address"');
    expect(page.html).to.contain('&lt;b&gt;Zoé&lt;/b&gt;').and.not.contain('<b>');
    expect(page.html).to.contain('8 caractères').and.not.contain('short');
    expect(page.html.match(/aria-invalid="true"/g)).to.have.length(2);
  });

  it('are not given away by signing up: the owner gets a mail instead', async () => {
    await anAccount(place, 'owner@hill.test');
    const known = await signUp('owner@hill.test', 'another password');
    const unknown = await signUp('fresh@hill.test', 'another password');
    const words = ({ html }: typeof known) => html.replace(/(owner|fresh)@hill/g, '');
    expect(words(known)).to.equal(words(unknown));
    expect(await place.mailTo('owner@hill.test')).to.include({ template: 'passwordReset' });
    await signIn('owner@hill.test', PASSWORD);
  });

  it('that nobody confirmed are confirmed by the password of the very sign-up that the mail is about [F7]', async () => {
    await signUp('twice@hill.test', 'of the owner');
    const owners = linkIn(await place.mailTo('twice@hill.test'));
    await signUp('twice@hill.test', 'of somebody else');
    const strangers = linkIn(await place.mailTo('twice@hill.test'));

    const opened = await browser().send(strangers, { password: 'of the owner' });
    expect(opened.status, 'the mail that somebody else caused').to.equal(422);
    await signIn('twice@hill.test', 'of the owner');
    const confirmed = await browser().send(owners, { password: 'of the owner' });
    expect(confirmed.status).to.equal(200);

    const late = await browser().send(strangers, { password: 'of somebody else' });
    expect(late.status, 'the other sign-up has ended').to.equal(410);
    expect(await refusedSignIn('twice@hill.test', 'of somebody else')).to.equal(true);
    const { access_token: token } = await signIn('twice@hill.test', 'of the owner');
    expect(await codeOf(token)).to.equal('none');
  });

  it('that somebody else began are taken over by who confirms a later sign-up, and only then [F7]', async () => {
    await signUp('taken@hill.test', 'of somebody else');
    const strangers = linkIn(await place.mailTo('taken@hill.test'));
    const before = await signIn('taken@hill.test', 'of somebody else');
    await signUp('taken@hill.test', 'of the owner');
    const owners = linkIn(await place.mailTo('taken@hill.test'));
    expect(await refusedSignIn('taken@hill.test', 'of the owner'), 'not confirmed').to.equal(true);

    expect((await browser().send(owners, { password: 'of the owner' })).status).to.equal(200);
    expect((await browser().ask(strangers)).status).to.equal(410);
    const { auth } = place.parts.config;
    const refused = await refresh(place.server, auth, before.refresh_token);
    expect(refused.body.error).to.equal('invalid_grant');
    expect(await codeOf(before.access_token)).to.equal('not-signed-in');
    const { access_token: token } = await signIn('taken@hill.test', 'of the owner');
    expect(await codeOf(token)).to.equal('none');
  });

  it('get a new password by mail; every session ends', async () => {
    await anAccount(place, 'forgetful@hill.test', { isVerified: false });
    const before = await signIn('forgetful@hill.test');
    await browser().send('/oidc/forgot', { email: 'forgetful@hill.test' });
    const link = linkIn(await place.mailTo('forgetful@hill.test'));

    expect((await browser().send(link, { password: 'short' })).status).to.equal(422);
    expect((await browser().send(link, { password: 'brand new one' })).status).to.equal(200);
    const { auth } = place.parts.config;
    const refused = await refresh(place.server, auth, before.refresh_token);
    expect(refused.body.error).to.equal('invalid_grant');
    expect(await codeOf(before.access_token), 'the access token too').to.equal('not-signed-in');
    const notice = await place.mailTo('forgetful@hill.test');
    expect(notice).to.include({ template: 'passwordChanged', language: 'fr-FR' });
    const after = await signIn('forgetful@hill.test', 'brand new one');
    expect(await codeOf(after.access_token), 'who has the mail has the address').to.equal('none');
    expect((await browser().ask(link)).status, 'works once').to.equal(410);
  });

  it('are not given away by forgetting: the answer is the same for unknown addresses', async () => {
    await anAccount(place, 'here@hill.test');
    const [known, unknown] = await Promise.all(
      ['here@hill.test', 'gone@hill.test'].map((email) =>
        browser().send('/oidc/forgot', { email }),
      ),
    );
    expect(known?.status).to.equal(200);
    expect(known?.html.replaceAll('here@', '')).to.equal(unknown?.html.replaceAll('gone@', ''));
    await place.mailTo('here@hill.test');
    expect(place.mails.some(({ to }) => to === 'gone@hill.test')).to.equal(false);
  });

  it('get at most five mails an hour', async () => {
    await anAccount(place, 'flooded@hill.test');
    const forget = () => browser().send('/oidc/forgot', { email: 'flooded@hill.test' });
    for (let i = 0; i < 5; i += 1) expect((await forget()).status).to.equal(200);
    expect((await forget()).status).to.equal(429);
  });

  it('can be reset for one hour', async () => {
    await anAccount(place, 'slow@hill.test');
    await browser().send('/oidc/forgot', { email: 'slow@hill.test' });
    const link = linkIn(await place.mailTo('slow@hill.test'));
    place.wait(3_600_001);
    expect((await browser().ask(link)).status).to.equal(410);
  });

  it('get the verification mail again once a minute', async () => {
    await anAccount(place, 'again@hill.test', { isVerified: false });
    const { access_token: token } = await signIn('again@hill.test');
    const ask = async (bearer: string | null) => {
      const headers: Record<string, string> =
        bearer === null ? {} : { Authorization: `Bearer ${bearer}` };
      const answer = await fetch(`${place.server}/oidc/verification`, {
        method: 'POST',
        headers,
      });
      return { status: answer.status, wait: Number(answer.headers.get('retry-after')) };
    };
    expect((await ask(token)).status).to.equal(204);
    expect(await place.mailTo('again@hill.test')).to.include({ template: 'emailVerification' });
    const { status, wait } = await ask(token);
    expect(status).to.equal(429);
    expect(wait).to.be.within(1, 60);
    expect((await ask(null)).status).to.equal(401);
    place.wait(60_000);
    expect((await ask(token)).status).to.equal(204);
  });

  it('of somebody locked get no verification mail: 403 as everywhere [wire 2]', async () => {
    const sub = await anAccount(place, 'shut-out@hill.test');
    const { access_token: token } = await signIn('shut-out@hill.test');
    await whoAmI(place, token);
    const ask = () =>
      fetch(`${place.server}/oidc/verification`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
      });
    await lock(place, sub);
    const answer = await ask();
    const { errors = [] } = (await answer.json().catch(() => ({}))) as Partial<ErrorDocument>;
    expect([answer.status, ...errors.map(({ code }) => code)]).to.deep.equal([403, 'user-locked']);
    await lock(place, sub, false);
    expect((await ask()).status).to.equal(204);
  });
});
