import { expect } from 'chai';
import { sql } from 'kysely';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { oneTimeCode } from '../../../support/one-time-code.ts';
import {
  authorizeAddress,
  codeOf,
  formTokenIn,
  PlainBrowser,
  redeem,
  refresh,
  signInByForm,
} from '../../../support/sign-in.ts';
import type { Answer } from '../../../support/sign-in.ts';
import { anAccount, lock, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';
import { guarded } from './with-second-factor.ts';

const linkIn = (mail: Mail) => ('link' in mail.values ? mail.values.link : '');

describe('[wire 2.5] signing in with a second factor', function () {
  this.timeout(60_000);
  let place: Place;
  const auth = () => place.parts.config.auth;
  /** A sign-in of which the page is open. */
  const opened = async (browser = new PlainBrowser(place.server)) => {
    const { address, verifier } = authorizeAddress(auth());
    return { browser, verifier, ...(await browser.open(address)) };
  };
  type Opened = Awaited<ReturnType<typeof opened>>;
  /** Sends the password; returns the page that asks for the code. */
  const half = async (email: string, browser?: PlainBrowser, password = PASSWORD) => {
    const page = await opened(browser);
    const form = { email, password, form_token: formTokenIn(page.html) };
    const { location } = await page.browser.ask(page.address, form);
    const next = await page.browser.ask(location ?? page.address);
    return { ...page, ...next };
  };
  const enter = ({ browser, address, html }: Opened, code: string) =>
    browser.ask(address, { code, form_token: formTokenIn(html) });
  const comesIn = async ({ browser, verifier }: Opened, { location }: Answer, sub: string) => {
    const code = await codeOf({ browser, resume: location ?? '', verifier });
    const tokens = await redeem(place.server, auth(), code ?? '', verifier);
    expect((await whoAmI(place, tokens.access_token)).body.user?.authId).to.equal(sub);
    return tokens;
  };
  const asksCode = ({ html }: { readonly html: string }) => html.includes('name="code"');
  const asksPassword = ({ html }: { readonly html: string }) => html.includes('type="password"');

  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  it('asks for a code after the right password, and comes in with it', async () => {
    const { sub, email, nextCode } = await guarded(place, 'ana@two.test');
    const page = await half(email);
    expect(asksCode(page)).to.equal(true);
    expect(asksPassword(page)).to.equal(false);
    await comesIn(page, await enter(page, nextCode()), sub);
  });

  it('says the same of a wrong password as without one, and asks for no code', async () => {
    const { email } = await guarded(place, 'ben@two.test');
    await anAccount(place, 'plain@two.test');
    const words = [];
    for (const who of [email, 'plain@two.test', 'nobody@two.test']) {
      const page = await opened();
      const form = { email: who, password: 'wrong', form_token: formTokenIn(page.html) };
      const { status, html } = await page.browser.ask(page.address, form);
      words.push(`${status} ${html.replace(/\w+@two|interaction\/[\w-]+|value="[\w-]{43}"/g, '')}`);
    }
    expect(new Set(words).size).to.equal(1);
    expect(asksCode({ html: words[0] ?? '' })).to.equal(false);
  });

  it('leaves no session after the password alone, on whatever way the provider is asked', async () => {
    const { email, nextCode } = await guarded(place, 'cy@two.test');
    const page = await half(email);
    const { browser, address } = page;
    const silent = await browser.open(authorizeAddress(auth(), { prompt: 'none' }).address);
    expect(silent.location).to.include('error=login_required');
    const uid = address.split('/').at(-1)?.split('?')[0] ?? '';
    const resumed = await browser.open(`/oidc/auth/${uid}`);
    expect(resumed.location, 'resumed before its time').to.equal(null);
    expect(asksPassword(resumed)).to.equal(true);
    for (const path of ['/oidc/devices', '/oidc/second-factor', '/oidc/password', '/oidc/address'])
      expect((await browser.ask(path)).location, path).to.equal('/account?sign-in=again');
    const again = await browser.open(authorizeAddress(auth()).address);
    expect(asksPassword(again), 'another sign-in of this browser').to.equal(true);
    const form = { code: nextCode(), form_token: formTokenIn(again.html) };
    expect((await browser.ask(again.address, form)).location).to.equal(null);
  });

  it('takes the code in the browser and the sign-in alone in which the password was given', async () => {
    const { sub, email, nextCode } = await guarded(place, 'di@two.test');
    const page = await half(email);
    const code = nextCode();
    const stranger = await opened();
    expect((await enter(stranger, code)).location, 'another browser').to.equal(null);
    const form_token = formTokenIn(stranger.html);
    const stolen = await stranger.browser.ask(page.address, { code, form_token });
    expect(stolen.location, 'its address').to.equal(null);
    await comesIn(page, await enter(page, code), sub);
  });

  it('goes on in each of several tabs by its own proof', async () => {
    const { sub, email, nextCode } = await guarded(place, 'ed@two.test');
    const first = await half(email);
    const { browser } = first;
    // A real browser keeps the cookies of a sign-in under way by its path.
    const ofFirst = [...browser.cookies].filter(([name]) => /interaction|resume/.test(name));
    const second = await half(email, browser);
    await comesIn(second, await enter(second, nextCode()), sub);
    for (const [name, value] of ofFirst) browser.cookies.set(name, value);
    expect(asksCode(await browser.ask(first.address))).to.equal(true);
    expect((await enter(first, nextCode())).location).to.be.a('string');
  });

  it('asks for the password again where the second factor was switched off meanwhile', async () => {
    const { sub, email, browser: owners, nextCode } = await guarded(place, 'eve@two.test');
    const [page, other] = [await half(email), await half(email)];
    const code = nextCode();
    const off = { password: PASSWORD, code };
    expect((await owners.send('/oidc/second-factor?do=off', off)).status).to.equal(200);
    const late = await enter(other, nextCode());
    expect([late.status, asksPassword(late)], 'a code that nobody waits for').to.deep.equal([
      422,
      true,
    ]);
    const again = await page.browser.ask(page.address);
    expect([asksCode(again), asksPassword(again)]).to.deep.equal([false, true]);
    const form = { email, password: PASSWORD, form_token: formTokenIn(again.html) };
    await comesIn(page, await page.browser.ask(page.address, form), sub);
  });

  it('takes each code once, also when two send it at the same time', async () => {
    const { email, nextCode } = await guarded(place, 'flo@two.test');
    const [one, two] = [await half(email), await half(email)];
    const code = nextCode();
    const answers = await Promise.all([enter(one, code), enter(two, code)]);
    expect(answers.filter(({ location }) => location !== null)).to.have.length(1);
    expect((await enter(await half(email), code)).status, 'later').to.equal(422);
  });

  it('takes the codes of half a minute before and after, and no others', async () => {
    const { email, secret } = await guarded(place, 'gil@two.test');
    const around = (steps: number) => oneTimeCode(secret, place.parts.clock() + steps * 30_000);
    place.wait(300_000);
    for (const steps of [-2, 2])
      expect((await enter(await half(email), around(steps))).status, `${steps}`).to.equal(422);
    for (const steps of [-1, 0, 1])
      expect((await enter(await half(email), around(steps))).status, `${steps}`).to.equal(303);
    expect((await enter(await half(email), around(0))).status, 'one from before').to.equal(422);
  });

  it('takes a recovery code in its place, once, and tells the owner how many are left', async () => {
    const { sub, email, codes } = await guarded(place, 'hal@two.test');
    const page = await half(email);
    await comesIn(page, await enter(page, codes[3] ?? ''), sub);
    await place.mailTo(email);
    const mail = await place.mailTo(email);
    expect(mail).to.deep.include({ template: 'recoveryCodeUsed', language: 'fr-FR' });
    expect(mail.values).to.include({ left: '9' });
    expect((await enter(await half(email), codes[3] ?? '')).status).to.equal(422);
    const events = await place.parts.db.transact((tx) =>
      tx.query(sql`select kind from audit_events
        where kind = 'recovery-code-used' and after ->> 'email' = ${email}`),
    );
    expect(events, 'audited').to.have.length(1);
  });

  it('is begun anew by who is somebody else', async () => {
    const { email } = await guarded(place, 'ida@two.test');
    const other = await anAccount(place, 'other@two.test');
    const page = await half(email);
    const form_token = formTokenIn(page.html);
    await page.browser.ask(page.address, { other: '1', form_token });
    const anew = await page.browser.ask(page.address);
    expect(asksPassword(anew)).to.equal(true);
    const form = { email: 'other@two.test', password: PASSWORD, form_token };
    await comesIn(page, await page.browser.ask(page.address, form), other);
  });

  it('asks for the password again a quarter of an hour later, and after a new password', async () => {
    const { email, nextCode, browser } = await guarded(place, 'joe@two.test');
    const slow = await half(email);
    place.wait(900_001);
    const late = await enter(slow, nextCode());
    expect(late.status).to.equal(422);
    expect(asksPassword(late)).to.equal(true);
    expect(late.html).to.contain('That took too long');

    const under = await half(email);
    const form = { password: PASSWORD, code: nextCode(), new_password: 'battery staple' };
    await browser.send('/oidc/password', form);
    expect((await enter(under, nextCode())).location).to.equal(null);
  });

  it('lets nobody past who forgot the password: the new one needs a code as the old one did', async () => {
    const { sub, email, nextCode } = await guarded(place, 'kim@two.test');
    const browser = new PlainBrowser(place.server);
    await browser.send('/oidc/forgot', { email });
    await place.mailTo(email);
    const link = linkIn(await place.mailTo(email));
    expect((await browser.send(link, { password: 'battery staple' })).status).to.equal(200);
    const page = await half(email, browser, 'battery staple');
    expect(asksCode(page)).to.equal(true);
    await comesIn(page, await enter(page, nextCode()), sub);
  });

  it('lets nobody past who signs in by a mailed link', async () => {
    const { sub, email, nextCode } = await guarded(place, 'lea@two.test');
    for (let i = 0; i < 100; i += 1)
      await place.parts.db.transact((tx) =>
        place.parts.limits.count(tx, 'passwordsOfAccount', email),
      );
    const page = await opened();
    const form = { email, password: PASSWORD, form_token: formTokenIn(page.html) };
    expect((await page.browser.ask(page.address, form)).status).to.equal(429);
    await place.mailTo(email);
    await page.browser.send(linkIn(await place.mailTo(email)), {});
    const first = await page.browser.ask(page.address);
    const next = { ...page, ...(await page.browser.ask(first.location ?? '')) };
    expect(asksCode(next)).to.equal(true);
    await comesIn(next, await enter(next, nextCode()), sub);
  });

  it('asks for it again wherever the provider asks who it is', async () => {
    const { browser, email } = await guarded(place, 'max@two.test');
    for (const more of [{ prompt: 'login' }, { max_age: '0' }] as const) {
      place.wait(2_000);
      const page = await browser.open(authorizeAddress(auth(), more).address);
      expect(asksPassword(page)).to.equal(true);
      const form = { email, password: PASSWORD, form_token: formTokenIn(page.html) };
      const { location } = await browser.ask(page.address, form);
      expect(asksCode(await browser.ask(location ?? ''))).to.equal(true);
    }
  });

  it('goes on by refresh tokens afterwards, and not by those from before it was on', async () => {
    await anAccount(place, 'ned@two.test');
    const { sub, email, tokens, nextCode } = await guarded(place, 'ole@two.test');
    const before = await refresh(place.server, auth(), tokens.refresh_token);
    expect(before.body.error).to.equal('invalid_grant');
    const page = await half(email);
    const { refresh_token } = await comesIn(page, await enter(page, nextCode()), sub);
    expect((await refresh(place.server, auth(), refresh_token)).status).to.equal(200);
  });

  it('tells who is locked so after the code, and signs them in with nothing', async () => {
    const { sub, email, browser, nextCode } = await guarded(place, 'pat@two.test');
    const { address, verifier } = authorizeAddress(auth(), { prompt: 'none' });
    const code = await codeOf({ browser, resume: address, verifier });
    const { access_token } = await redeem(place.server, auth(), code ?? '', verifier);
    await whoAmI(place, access_token);
    await lock(place, sub);
    expect((await enter(await half(email), nextCode())).status).to.equal(403);
  });

  describe('[wire 15.2] counts codes', () => {
    it('of an account and an address: ten wrong ones in a quarter of an hour, of both kinds', async () => {
      const { email, codes, nextCode } = await guarded(place, 'quin@two.test');
      const page = await half(email);
      for (let i = 0; i < 5; i += 1) {
        expect((await enter(page, '000000')).status).to.equal(422);
        expect((await enter(page, 'AAAA-BBBB-CCCC-DDDD')).status).to.equal(422);
      }
      const refused = await enter(page, codes[0] ?? '');
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(800, 900);
      await place.mailTo(email);
      expect(await place.mailTo(email), 'the owner is told').to.include({
        template: 'codesGuessed',
      });
      expect((await enter(page, nextCode())).status, 'the right one').to.equal(429);
      expect((await enter(await half(email), nextCode())).status, 'a new sign-in').to.equal(429);
      place.wait(900_000);
      expect((await enter(await half(email), nextCode())).status).to.equal(303);
    });

    it('of an account from everywhere: thirty in a day, exactly; a recovery code still counts', async () => {
      const { sub, email, codes, nextCode } = await guarded(place, 'rae@two.test');
      const { db, limits } = place.parts;
      for (let i = 0; i < 28; i += 1)
        await db.transact((tx) => limits.count(tx, 'oneTimeCodesOfAccount', sub));
      const pages = await Promise.all(Array.from({ length: 5 }, () => half(email)));
      const answers = await Promise.all(pages.map((page) => enter(page, '000000')));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([422, 422, 429, 429, 429]);
      await place.mailTo(email);
      expect(await place.mailTo(email)).to.include({ template: 'codesGuessed' });
      const guesses = () =>
        place.mails.filter(({ template, to }) => template === 'codesGuessed' && to === email);
      expect((await enter(await half(email), nextCode())).status, 'the right one').to.equal(429);
      expect(guesses(), 'told once').to.have.length(1);
      expect((await enter(await half(email), codes[0] ?? '')).status).to.equal(303);
    });

    it('does not count right ones', async () => {
      const { sub, email, nextCode } = await guarded(place, 'sam@two.test');
      const { db, limits } = place.parts;
      for (let i = 0; i < 29; i += 1)
        await db.transact((tx) => limits.count(tx, 'oneTimeCodesOfAccount', sub));
      for (let i = 0; i < 3; i += 1)
        expect((await enter(await half(email), nextCode())).status).to.equal(303);
    });

    it('of the account’s pages along with those of signing in', async () => {
      const { email, browser, nextCode } = await guarded(place, 'tia@two.test');
      for (let i = 0; i < 10; i += 1)
        await browser.send('/oidc/second-factor?do=off', { password: PASSWORD, code: '000000' });
      expect((await enter(await half(email), nextCode())).status).to.equal(429);
      const page = '/oidc/second-factor?do=off';
      const refused = await browser.send(page, { password: PASSWORD, code: nextCode() });
      expect(refused.status).to.equal(429);
    });

    it('needs no code of who has no second factor', async () => {
      await anAccount(place, 'una@two.test');
      await signInByForm(place.server, 'una@two.test', PASSWORD, { auth: auth() });
    });
  });
});
