// Covers the pages of server/http/identity and the mails that they send.
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import english from '#text/en-US.json' with { type: 'json' };
import { accountList, DEMO_PASSWORD } from '#server/demo/accounts.ts';
import { DELETED_NAME } from '#server/domain/accounts/delete-account.ts';
import type { ExactLimit } from '#server/db/limits/limit-table.ts';
import { renderMail } from '#server/kernel/mail/mail-templates.ts';
import { ROWS } from '../end-to-end/route-table.ts';
import { aGroup, aMember, anOrganization, aProject, aRole } from '../support/make.ts';
import { oneTimeCode } from '../support/one-time-code.ts';
import { PseudoReader, ReadingBrowser, READER, sayInPseudo } from '../support/pseudo-server.ts';
import { freshFolder } from '../support/server.ts';
import { authorizeAddress, formTokenIn, signInByForm } from '../support/sign-in.ts';
import { anAccount, lock, PASSWORD, whoAmI } from './http/identity/people.ts';
import { openPlace } from './http/identity/place.ts';
import type { Place } from './http/identity/place.ts';
import {
  ADD,
  beginPasskey,
  challengeIn,
  finishPasskey,
  newPasskey,
  passkeyOwner,
  sendWithPasskey,
} from './http/identity/with-passkey.ts';
import { guarded, PAGE, secretIn } from './http/identity/with-second-factor.ts';

const BREACHED = 'breached password';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** Names of people, devices and things, and languages by their own names. */
const DATA = [
  ...['Ana Hill', 'My phone', 'Key', 'Firefox', 'Windows', 'Hill', 'Harvest'],
  ...['English', 'Español', 'Français', DELETED_NAME],
  ...[DEMO_PASSWORD, ...accountList.map(([, { name }]) => name)],
];

describe('a page or mail of the sign-in', function () {
  this.timeout(120_000);
  const reader = new PseudoReader(DATA);
  const visited = new Set<string>();
  let place: Place;
  let folder: string;
  let putBack: () => void;
  before(async () => {
    folder = freshFolder();
    const path = join(folder, 'breached.txt');
    writeFileSync(path, `${createHash('sha1').update(BREACHED).digest('hex').toUpperCase()}:7\n`);
    place = await openPlace({ BREACHED_PASSWORDS: path });
    putBack = sayInPseudo();
  });
  after(async () => {
    putBack();
    await place.close();
    rmSync(folder, { recursive: true });
  });
  /** Does `work`, and fails where it led past something that no text says. */
  const saysAll = (where: string, work: () => Promise<unknown>) => {
    it(`says in a text of its reader’s language all that stands ${where}`, async () => {
      await work();
      expect(reader.found.splice(0)).to.deep.equal([]);
    });
  };
  const auth = () => place.parts.config.auth;
  const fresh = (headers: Readonly<Record<string, string>> = {}) =>
    new ReadingBrowser(place.server, reader, visited, headers);
  const signedIn = async (email: string, headers: Readonly<Record<string, string>> = {}) => {
    await anAccount(place, email);
    const browser = fresh(headers);
    const tokens = await signInByForm(place.server, email, PASSWORD, { auth: auth(), browser });
    const { user } = (await whoAmI(place, tokens.access_token)).body;
    return { browser, user: String(user?.id) };
  };
  /** The page that the app leads to, and what sends its form. */
  const opened = async (browser = fresh()) => {
    const page = await browser.open(authorizeAddress(auth()).address);
    const send = (form: Readonly<Record<string, string>>) =>
      browser.ask(page.address, { ...form, form_token: formTokenIn(page.html) });
    return { browser, page, send };
  };
  /** The page that asks for the second factor. */
  const half = async (email: string) => {
    const { browser, page, send } = await opened();
    const { location } = await send({ email, password: PASSWORD });
    const { html } = await browser.ask(location ?? page.address);
    const give = (form: Readonly<Record<string, string>>) =>
      browser.ask(page.address, { ...form, form_token: formTokenIn(html) });
    return { browser, html, give };
  };
  /** Uses a limit up, as tries from many addresses would. */
  const count = async (limit: ExactLimit, key: string, times: number) => {
    const { db, limits } = place.parts;
    for (let i = 0; i < times; i += 1) await db.transact((tx) => limits.count(tx, limit, key));
  };
  const linkTo = async (email: string) => {
    const { values } = await place.mailTo(email);
    return 'link' in values ? values.link : '';
  };
  const write = <T>(work: Parameters<Place['parts']['db']['write']>[1]): Promise<T> =>
    place.parts.db.write({ at: place.parts.clock(), by: null, changes: [] }, work) as Promise<T>;

  saysAll('where somebody signs in', async () => {
    const email = 'ana@texts.test';
    const sub = await anAccount(place, email);
    const { browser, page, send } = await opened();
    await send({ email: 'x', password: '' });
    await send({ email, password: 'wrong' });
    await browser.ask(page.address, { email, password: PASSWORD, form_token: 'made-up' });
    await fresh().ask('/oidc/interaction/none');
    await browser.ask('/oidc/auth?client_id=nobody');
    const { access_token } = await signInByForm(place.server, email, PASSWORD, { auth: auth() });
    await whoAmI(place, access_token);
    await lock(place, sub);
    await (await opened()).send({ email, password: PASSWORD });
    for (let i = 0; i < 10; i += 1) await send({ email: 'bo@texts.test', password: 'wrong' });
  });

  saysAll('where somebody signs up', async () => {
    const browser = fresh();
    const form = { email: 'new@texts.test', name: 'Ana Hill' };
    const passwords = ['short', 'password1', 'x'.repeat(900), 'new@texts.test', BREACHED];
    for (const password of passwords) await browser.send('/oidc/sign-up', { ...form, password });
    await browser.send('/oidc/sign-up', { email: 'x', name: '', password: '' });
    await browser.send('/oidc/sign-up', { ...form, password: PASSWORD });
    const link = await linkTo(form.email);
    await browser.send(link, { password: 'wrong' });
    await browser.send(link, { password: PASSWORD });
    await browser.ask(link);
  });

  saysAll('where a password is forgotten', async () => {
    const email = 'cy@texts.test';
    await anAccount(place, email);
    const browser = fresh();
    await browser.send('/oidc/forgot', { email: 'x' });
    await browser.send('/oidc/forgot', { email });
    const link = await linkTo(email);
    await browser.send(link, { password: 'short' });
    await browser.send(link, { password: 'battery staple' });
    await browser.ask(link);
  });

  saysAll('where a mailed link signs in', async () => {
    const email = 'di@texts.test';
    await anAccount(place, email);
    await count('passwordsOfAccount', email, 100);
    const { browser, send } = await opened();
    await send({ email, password: PASSWORD });
    await browser.send(await linkTo(email), {});
  });

  saysAll('where somebody signs out', async () => {
    const { browser } = await signedIn('out@texts.test');
    expect((await browser.ask('/oidc/session/end')).status).to.equal(200);
    const nobody = await fresh().ask('/oidc/session/end');
    expect([nobody.status, nobody.location]).to.deep.equal([
      303,
      `${place.parts.config.publicUrl}/login`,
    ]);
  });

  saysAll('where password and address are changed', async () => {
    const { browser } = await signedIn('ed@texts.test');
    await browser.send('/oidc/address', { email: 'ed@texts.test', password: PASSWORD });
    await browser.send('/oidc/address', { email: 'new-ed@texts.test', password: 'wrong' });
    await browser.send('/oidc/address', { email: 'new-ed@texts.test', password: PASSWORD });
    const link = await linkTo('new-ed@texts.test');
    await browser.send(link, { password: PASSWORD });
    const other = await signedIn('flo@texts.test');
    const new_password = 'battery staple';
    await other.browser.send('/oidc/password', { password: PASSWORD, new_password });
  });

  saysAll('where somebody’s devices are listed', async () => {
    const { browser } = await signedIn('gil@texts.test', { 'User-Agent': FIREFOX });
    const options = { auth: auth(), browser: fresh() };
    await signInByForm(place.server, 'gil@texts.test', PASSWORD, options);
    await browser.send('/oidc/devices', { all: '1' });
  });

  saysAll('where an account is deleted', async () => {
    const { db } = place.parts;
    const { browser, user } = await signedIn('hal@texts.test');
    await browser.send('/oidc/delete-account', { password: 'wrong' });
    const organization = (await anOrganization(db, { owner: user, name: 'Hill' })).id;
    const group = (await aGroup(db, { owner: organization })).id;
    await aMember(db, organization, { user, groups: [group] });
    const owned = [];
    for (let i = 0; i < 51; i += 1)
      owned.push(await aProject(db, { organization, group, owner: user, name: 'Harvest' }));
    await write(async (w) => {
      for (const held of await w.all('userRole', { roleName: 'SuperAdmin' }))
        await w.remove('userRole', held.id);
    });
    await aRole(db, user, 'SuperAdmin', null);
    await browser.ask('/oidc/delete-account');
    const { browser: nobody } = await signedIn('ida@texts.test');
    await nobody.send('/oidc/delete-account', { password: PASSWORD });
  });

  saysAll('where one-time codes are set up and asked for', async () => {
    const { browser } = await signedIn('joe@texts.test');
    const { html } = await browser.send(PAGE, { password: PASSWORD });
    const secret = secretIn(html);
    const confirm = (form: object) =>
      browser.ask(PAGE, { secret, form_token: formTokenIn(html), ...form });
    await confirm({ code: '' });
    await confirm({ code: '000000', secret: 'A'.repeat(32) });
    await confirm({ code: oneTimeCode(secret, place.parts.clock()) });
    await browser.ask(PAGE);

    const { email, codes, nextCode, ...known } = await guarded(place, 'kim@texts.test');
    const page = await half(email);
    await page.give({ code: '' });
    await page.give({ code: '000000' });
    await page.give({ code: codes[0] ?? '' });
    await (await opened()).send({ code: '000000' });
    const own = fresh().as(known.browser);
    for (const step of ['codes', 'off'])
      await own.send(`${PAGE}?do=${step}`, { password: PASSWORD, code: nextCode() });
    const { sub, email: guessed } = await guarded(place, 'lea@texts.test');
    const guesses = await half(guessed);
    // The wait is a day: a number with more than three digits.
    await count('oneTimeCodesOfAccount', sub, 30);
    expect((await guesses.give({ code: '000000' })).status).to.equal(429);
  });

  saysAll('where passkeys are made, listed and asked for', async () => {
    const { email, browser, passkey } = await passkeyOwner(place, 'max@texts.test');
    const own = fresh().as(browser);
    await own.ask(PAGE);
    const signed = async (form: (challenge: string) => unknown) => {
      const page = await half(email);
      await page.give({ code: '', passkey: JSON.stringify(form(challengeIn(page.html))) });
    };
    await signed((challenge) => passkey.sign(challenge, {}, 7));
    await own.ask(PAGE);
    await signed((challenge) => passkey.sign(challenge, {}, 6));
    await signed((challenge) => passkey.sign(challenge, { origin: 'https://evil.test' }));
    await signed(() => passkey.sign('bWFkZSB1cA'));
    passkey.counter = 10;

    const [, id = ''] = /passkey=([\w-]+)/.exec((await own.ask(PAGE)).html) ?? [];
    await own.send(`${PAGE}?do=rename&passkey=${id}`, { name: '' });
    await own.ask(`${PAGE}?do=remove&passkey=${id}`);
    const app = await sendWithPasskey(own, `${PAGE}?do=app`, passkey, { password: PASSWORD });
    const secret = secretIn(app.html);
    await own.ask(`${PAGE}?do=app`, {
      secret,
      code: oneTimeCode(secret, place.parts.clock()),
      form_token: formTokenIn(app.html),
    });
    await own.ask(PAGE);
    await sendWithPasskey(own, `${PAGE}?do=no-app`, passkey, { password: PASSWORD });
    for (let i = 2; i <= 11; i += 1) {
      const form = { name: 'Key', password: PASSWORD };
      const page = await sendWithPasskey(own, ADD, passkey, form);
      if (page.status !== 200) break;
      await finishPasskey(own, page, 'Key', newPasskey(place).register(challengeIn(page.html)));
    }
    await sendWithPasskey(own, `${PAGE}?do=remove&passkey=${id}`, passkey, { password: PASSWORD });

    const { browser: other } = await signedIn('ned@texts.test');
    const page = await beginPasskey(other, 'Key');
    await finishPasskey(other, page, 'Key', newPasskey(place).register('made-up'));
  });

  saysAll('where the accounts of the demo are listed', async () => {
    const demo = await openPlace({ DEMO: '1' });
    const browser = new ReadingBrowser(demo.server, reader, visited);
    await browser.open(authorizeAddress(demo.parts.config.auth).address);
    await demo.close();
  });

  saysAll('where too many requests came', async () => {
    const browser = fresh();
    place.wait(60_000);
    let status = 0;
    for (let i = 0; i < 2_000 && status !== 429; i += 1)
      ({ status } = await browser.ask('/oidc/verify?token=none'));
    expect(status).to.equal(429);
  });

  it('is one of those that were looked at: each address and each text has its case', () => {
    const pages = ROWS.map(({ pattern }) => pattern).filter((page) => page.startsWith('/oidc/'));
    expect(pages.length).to.be.greaterThan(10);
    const isSeen = (page: string) =>
      [...visited].some((path) => path === page || dirname(path) + '/:uid' === page);
    expect(pages.filter((page) => !isSeen(page))).to.deep.equal([]);
    const unsaid = Object.keys(english).filter(
      (key) => key.startsWith('identity.') && !reader.keys.has(key),
    );
    expect(unsaid).to.deep.equal([]);
  });

  it('has a mail in its reader’s language', () => {
    expect(place.mails.length).to.be.greaterThan(15);
    for (const mail of place.mails) {
      expect(mail.language, mail.template).to.equal(READER);
      const { subject, text, html } = renderMail(mail);
      reader.text(`${mail.template}: subject`, subject);
      reader.text(`${mail.template}: text`, text);
      reader.html(`${mail.template}: html`, html);
    }
    expect(reader.found.splice(0)).to.deep.equal([]);
  });
});
