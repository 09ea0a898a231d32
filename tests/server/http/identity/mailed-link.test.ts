import { expect } from 'chai';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { authorizeAddress, formTokenIn, PlainBrowser, redeem } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

const linkIn = (mail: Mail) => ('link' in mail.values ? mail.values.link : '');

describe('[F8] [wire 15.2] after 100 wrong passwords an hour of one account, from everywhere,', () => {
  let place: Place;
  const auth = () => place.parts.config.auth;
  const opened = async () => {
    const browser = new PlainBrowser(place.server);
    const { address, verifier } = authorizeAddress(auth());
    return { browser, verifier, page: await browser.open(address) };
  };
  const send = async (email: string, password: string) => {
    const { browser, page } = await opened();
    const form_token = formTokenIn(page.html);
    return browser.ask(page.address, { email, password, form_token });
  };
  /** As many wrong passwords, each from another address. */
  const guess = async (email: string, times: number) => {
    for (let i = 0; i < times; i += 1)
      await place.parts.db.transact((tx) =>
        place.parts.limits.count(tx, 'passwordsOfAccount', email),
      );
  };

  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
  });
  after(() => place.close());

  it('the hundredth is still judged; then not even the right one is, for an hour', async () => {
    await anAccount(place, 'target@link.test');
    await guess('target@link.test', 99);
    expect((await send('target@link.test', 'wrong')).status).to.equal(422);
    const refused = await send('target@link.test', PASSWORD);
    expect(refused.status).to.equal(429);
    expect(refused.html).to.not.contain('type="password"');
    place.wait(3_600_001);
    expect((await send('target@link.test', PASSWORD)).location).to.be.a('string');
  });

  it('right passwords are not counted', async () => {
    await anAccount(place, 'busy@link.test');
    await guess('busy@link.test', 99);
    for (let i = 0; i < 3; i += 1)
      expect((await send('busy@link.test', PASSWORD)).location).to.be.a('string');
  });

  it('the owner signs in by a mailed link, once, in whatever browser it is opened', async () => {
    const sub = await anAccount(place, 'owner@link.test');
    await guess('owner@link.test', 100);
    await send('owner@link.test', PASSWORD);
    const mail = await place.mailTo('owner@link.test');
    expect(mail).to.include({ template: 'signInLink', language: 'fr-FR' });

    const { browser, verifier, page } = await opened();
    expect(page.html).to.contain('type="password"');
    expect((await browser.ask(linkIn(mail))).status, 'opening changes nothing').to.equal(200);
    expect((await browser.ask(page.address)).html).to.contain('type="password"');
    expect((await browser.send(linkIn(mail), {})).status).to.equal(200);
    expect((await browser.send(linkIn(mail), {})).status, 'works once').to.equal(410);

    const straight = await browser.ask(page.address);
    const back = await browser.open(straight.location ?? '');
    const code = new URL(back.location ?? '').searchParams.get('code') ?? '';
    const tokens = await redeem(place.server, auth(), code, verifier);
    expect((await whoAmI(place, tokens.access_token)).body.user?.authId).to.equal(sub);
    const next = await browser.open(authorizeAddress(auth(), { prompt: 'login' }).address);
    expect(next.html, 'the next sign-in').to.contain('type="password"');
  });

  it('a link works for 15 minutes, also for who has opened it already', async () => {
    await anAccount(place, 'slow@link.test');
    await guess('slow@link.test', 100);
    await send('slow@link.test', PASSWORD);
    await send('slow@link.test', PASSWORD);
    const [first, second] = [
      linkIn(await place.mailTo('slow@link.test')),
      linkIn(await place.mailTo('slow@link.test')),
    ];
    const { browser, page } = await opened();
    expect((await browser.send(first, {})).status).to.equal(200);
    place.wait(900_001);
    expect((await browser.ask(page.address)).html).to.contain('type="password"');
    expect((await browser.ask(second)).status).to.equal(410);
  });

  it('at most three links an hour are mailed, and the page does not tell who has an account', async () => {
    await anAccount(place, 'flooded@link.test');
    const emails = ['flooded@link.test', 'nobody@link.test'];
    const words: string[] = [];
    for (const email of emails) {
      await guess(email, 100);
      for (let i = 0; i < 4; i += 1) {
        const { html, status } = await send(email, 'wrong');
        words.push(`${status} ${html.replace(/(flooded|nobody)@|interaction\/[\w-]+/g, '')}`);
      }
    }
    expect(new Set(words).size).to.equal(1);
    for (let i = 0; i < 3; i += 1) await place.mailTo('flooded@link.test');
    await anAccount(place, 'last@link.test');
    await guess('last@link.test', 100);
    await send('last@link.test', 'wrong');
    await place.mailTo('last@link.test');
    expect(place.mails.filter(({ to }) => emails.includes(to))).to.have.length(3);
  });

  it('a new password ends the wait', async () => {
    await anAccount(place, 'reset@link.test');
    await guess('reset@link.test', 100);
    const browser = new PlainBrowser(place.server);
    await browser.send('/oidc/forgot', { email: 'reset@link.test' });
    const link = linkIn(await place.mailTo('reset@link.test'));
    await browser.send(link, { password: 'battery staple' });
    expect((await send('reset@link.test', 'battery staple')).location).to.be.a('string');
  });
}).timeout(60_000);
