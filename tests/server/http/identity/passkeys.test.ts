import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { passkeySiteOf } from '#server/domain/accounts/passkey-ceremonies.ts';
import { notePasskeyUse } from '#server/domain/accounts/passkeys.ts';
import { oneTimeCode } from '../../../support/one-time-code.ts';
import {
  authorizeAddress,
  codeOf,
  formTokenIn,
  PlainBrowser,
  redeem,
  signInByForm,
} from '../../../support/sign-in.ts';
import type { Answer } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';
import { codesIn, guarded, PAGE, secretIn } from './with-second-factor.ts';
import {
  ADD,
  beginPasskey,
  challengeIn,
  finishPasskey,
  newPasskey,
  optionsIn,
  sendWithPasskey,
  passkeyOwner,
} from './with-passkey.ts';

describe('[wire 2.5] a passkey', function () {
  this.timeout(60_000);
  let place: Place;
  const auth = () => place.parts.config.auth;
  const signedIn = async (email: string) => {
    await anAccount(place, email);
    const browser = new PlainBrowser(place.server);
    await signInByForm(place.server, email, PASSWORD, { auth: auth(), browser });
    return browser;
  };
  /** Sends the password; returns the page that asks for the second factor. */
  const half = async (email: string) => {
    const browser = new PlainBrowser(place.server);
    const { address, verifier } = authorizeAddress(auth());
    const page = await browser.open(address);
    const form = { email, password: PASSWORD, form_token: formTokenIn(page.html) };
    const { location } = await browser.ask(page.address, form);
    const next = await browser.ask(location ?? page.address);
    return { ...next, browser, verifier, address: page.address };
  };
  type Half = Awaited<ReturnType<typeof half>>;
  const give = ({ browser, address, html }: Half, signed: unknown) =>
    browser.ask(address, {
      code: '',
      passkey: typeof signed === 'string' ? signed : JSON.stringify(signed),
      form_token: formTokenIn(html),
    });
  const comesIn = async ({ browser, verifier }: Half, { location }: Answer, sub: string) => {
    const code = await codeOf({ browser, resume: location ?? '', verifier });
    const tokens = await redeem(place.server, auth(), code ?? '', verifier);
    expect((await whoAmI(place, tokens.access_token)).body.user?.authId).to.equal(sub);
  };
  const passkeyIds = async (browser: PlainBrowser) => {
    const { html } = await browser.ask(PAGE);
    return [...html.matchAll(/do=remove&(?:amp;)?passkey=([\w-]+)/g)].map(([, id = '']) => id);
  };
  const auditOf = (email: string) =>
    place.parts.db.transact((tx) =>
      tx.query<{ readonly kind: string; readonly before: unknown; readonly after: unknown }>(sql`
        select kind, before, coalesce(after, '{}') - 'email' as after from audit_events
        where after ->> 'email' = ${email} or subject_id::text in (
          select person.id::text from users person
          join accounts account on account.id::text = person.auth_id where account.email = ${email})
        order by n`),
    );
  const mailsTo = (email: string) =>
    place.mails.filter(({ to }) => to === email).map(({ template }) => template);

  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  it('is added by who gives the password: it switches the second factor on, with recovery codes shown once', async () => {
    const { email, browser, tokens, codes } = await passkeyOwner(place, 'ana@passkey.test');
    expect(new Set(codes).size).to.equal(10);
    expect((await whoAmI(place, tokens.access_token)).status, 'signed in before').to.equal(401);
    const { html } = await browser.ask(PAGE);
    expect(html).to.contain('My phone').and.contain('not used yet').and.contain('left: 10');
    expect(codesIn(html), 'shown once').to.deep.equal([]);
    expect(mailsTo(email)).to.have.members(['secondFactorOn', 'passkeyAdded']);
    expect(
      place.mails.find(({ template, to }) => template === 'passkeyAdded' && to === email),
    ).to.have.nested.property('values.name', 'My phone');
    expect(await auditOf(email)).to.deep.equal([
      { kind: 'second-factor-on', before: null, after: {} },
      { kind: 'passkey-added', before: null, after: { name: 'My phone' } },
    ]);
  });

  it('is not asked for without the password, nor added without it', async () => {
    const browser = await signedIn('ben@passkey.test');
    const shown = await browser.ask(ADD);
    expect(optionsIn(shown.html)).to.equal(null);
    const wrong = await browser.send(ADD, { name: 'Mine', password: 'wrong' });
    expect(wrong.status).to.equal(422);
    expect(optionsIn(wrong.html)).to.equal(null);
    const made = newPasskey(place).register('made-up');
    expect((await finishPasskey(browser, shown, 'Mine', made)).status).to.equal(422);
    expect(await passkeyIds(browser)).to.deep.equal([]);
  });

  it('signs in after the password, and is known by the host of the public address', async () => {
    const { sub, email, passkey, browser } = await passkeyOwner(place, 'cy@passkey.test');
    const page = await half(email);
    expect(page.html).to.contain('Use your passkey');
    const options = optionsIn(page.html);
    expect(options).to.include({ rpId: 'localhost', userVerification: 'preferred' });
    expect(options?.allowCredentials?.map(({ id }) => id)).to.deep.equal([passkey.id]);
    await comesIn(page, await give(page, passkey.sign(challengeIn(page.html))), sub);
    expect((await browser.ask(PAGE)).html).to.contain('last used on');
  });

  it('is of nobody’s knowledge before the password was right', async () => {
    const { email, browser, passkey } = await passkeyOwner(place, 'di@passkey.test');
    await anAccount(place, 'plain@passkey.test');
    const words = [];
    for (const who of [email, 'plain@passkey.test', 'nobody@passkey.test']) {
      const stranger = new PlainBrowser(place.server);
      const page = await stranger.open(authorizeAddress(auth()).address);
      const form = { email: who, password: 'wrong', form_token: formTokenIn(page.html) };
      const { status, html, headers } = await stranger.ask(page.address, form);
      const text = html.replace(/\w+@passkey|interaction\/[\w-]+|value="[\w-]{43}"/g, '');
      words.push(`${status} ${headers.get('content-security-policy') ?? ''} ${text}`);
    }
    expect(new Set(words).size).to.equal(1);

    await sendWithPasskey(browser, '/oidc/address', passkey, {
      email: 'di@new.test',
      password: PASSWORD,
    });
    const mail = await place.mailTo('di@new.test');
    const link = 'link' in mail.values ? mail.values.link : '';
    const reader = new PlainBrowser(place.server);
    expect(optionsIn((await reader.ask(link)).html), 'who opens the link').to.equal(null);
    await reader.send(link, { password: PASSWORD });
    expect((await sendWithPasskey(reader, link, passkey)).status).to.equal(200);
  });

  it('takes the place of a code wherever one is asked for', async () => {
    const { email, browser, passkey } = await passkeyOwner(place, 'ed@passkey.test');
    const new_password = 'battery staple';
    const bare = await browser.send('/oidc/password', { password: PASSWORD, new_password });
    expect(bare.status, 'no second factor').to.equal(422);
    const changed = await sendWithPasskey(browser, '/oidc/password', passkey, {
      password: PASSWORD,
      new_password,
    });
    expect(changed.status).to.equal(200);
    const codes = await sendWithPasskey(browser, `${PAGE}?do=codes`, passkey, {
      password: new_password,
    });
    expect(codesIn(codes.html)).to.have.length(10);
    const gone = await sendWithPasskey(browser, '/oidc/delete-account', passkey, {
      password: new_password,
    });
    expect(gone.status).to.equal(200);
    const left = await place.parts.db.transact((tx) =>
      tx.query(sql`select name from passkeys where credential_id = ${passkey.id}`),
    );
    expect(left, `of ${email}`).to.deep.equal([]);
  });

  it('is replaced by a recovery code where it is lost, and by no six digits', async () => {
    const { sub, email, codes } = await passkeyOwner(place, 'flo@passkey.test');
    const page = await half(email);
    expect(page.html).to.contain('Recovery code').and.not.contain('six digits');
    const enter = (code: string) =>
      page.browser.ask(page.address, { code, passkey: '', form_token: formTokenIn(page.html) });
    expect((await enter('000000')).status).to.equal(422);
    await comesIn(page, await enter(codes[2] ?? ''), sub);
  });

  describe('is refused', () => {
    const refuses = async (page: Half, signed: unknown, because: string) => {
      const answer = await give(page, signed);
      expect(answer.status, because).to.equal(422);
      expect(answer.location, because).to.equal(null);
      return answer;
    };

    it('when its challenge was used before', async () => {
      const { email, passkey } = await passkeyOwner(place, 'gil@passkey.test');
      const page = await half(email);
      const signed = passkey.sign(challengeIn(page.html));
      expect((await give(page, signed)).status).to.equal(303);
      const again = await half(email);
      await refuses(again, signed, 'another sign-in of another browser');
      const first = await half(email);
      const challenge = challengeIn(first.html);
      await refuses(first, passkey.sign(challenge, { origin: 'https://evil.test' }), 'used up');
      await refuses(first, passkey.sign(challenge), 'right, but the challenge is used');
    });

    it('when its challenge is of another browser, too old, made up, or for adding one', async () => {
      const { email, passkey, browser } = await passkeyOwner(place, 'hal@passkey.test');
      const [one, two] = [await half(email), await half(email)];
      await refuses(two, passkey.sign(challengeIn(one.html)), 'another browser');
      await refuses(two, passkey.sign('bWFkZSB1cA'), 'made up');
      const account = await browser.ask('/oidc/password');
      const challenge = challengeIn(account.html);
      place.wait(900_001);
      const late = await browser.ask('/oidc/password', {
        password: PASSWORD,
        new_password: 'battery staple',
        passkey: JSON.stringify(passkey.sign(challenge)),
        form_token: formTokenIn(account.html),
      });
      expect(late.status).to.equal(422);
      expect(late.html).to.contain('That took too long');
      const adding = await sendWithPasskey(browser, ADD, passkey, {
        name: 'Second',
        password: PASSWORD,
      });
      const other = await browser.send('/oidc/password', {
        password: PASSWORD,
        new_password: 'battery staple',
        passkey: JSON.stringify(passkey.sign(challengeIn(adding.html))),
      });
      expect(other.status, 'for adding one').to.equal(422);
      expect(other.html).to.contain('That took too long');
    });

    it('when it was signed for a foreign origin, or for another relying party', async () => {
      const { email, passkey } = await passkeyOwner(place, 'ida@passkey.test');
      for (const site of [
        { origin: 'https://evil.test' },
        { origin: 'http://localhost:1' },
        { rpId: 'evil.test' },
      ]) {
        const page = await half(email);
        const signed = passkey.sign(challengeIn(page.html), site);
        const { html } = await refuses(page, signed, JSON.stringify(site));
        expect(html).to.contain('This is no passkey of your account');
      }
    });

    it('when its counter goes back or stands still: there may be a copy', async () => {
      const { sub, email, passkey } = await passkeyOwner(place, 'joe@passkey.test');
      const once = await half(email);
      await comesIn(once, await give(once, passkey.sign(challengeIn(once.html), {}, 7)), sub);
      for (const counter of [6, 7]) {
        const page = await half(email);
        const signed = passkey.sign(challengeIn(page.html), {}, counter);
        const { html } = await refuses(page, signed, `${counter}`);
        expect(html).to.contain('there may be a copy of it');
      }
      const kinds = (await auditOf(email)).map(({ kind }) => kind);
      expect(kinds).to.not.include('passkey-removed');
      const page = await half(email);
      await comesIn(page, await give(page, passkey.sign(challengeIn(page.html), {}, 8)), sub);
    });

    it('when it is gone, which makes no copy of it', async () => {
      const { db, clock } = place.parts;
      const use = await db.transact((tx) => notePasskeyUse(tx, randomUUID(), 7, clock));
      expect(use).to.equal('gone');
    });

    it('when it is somebody else’s, or signed with another key', async () => {
      const { email, passkey } = await passkeyOwner(place, 'kim@passkey.test');
      const other = await passkeyOwner(place, 'lea@passkey.test');
      const page = await half(email);
      await refuses(page, other.passkey.sign(challengeIn(page.html)), 'another account');
      const forged = newPasskey(place, passkey.id);
      const next = await half(email);
      await refuses(next, forged.sign(challengeIn(next.html)), 'another key');
    });

    it('when it is no passkey at all', async () => {
      const { email } = await passkeyOwner(place, 'max@passkey.test');
      const page = await half(email);
      for (const sent of ['x', '[]', '{}', '{"id":"a","response":{"clientDataJSON":"%%"}}'])
        await refuses(page, sent, sent);
    });

    it('when its id is none that an authenticator makes, though its challenge is right', async () => {
      const { email, passkey } = await passkeyOwner(place, 'mia@passkey.test');
      for (const id of ['a\u0000b', '', 'a b', 'x'.repeat(1_365)]) {
        const page = await half(email);
        const signed = { ...passkey.sign(challengeIn(page.html)), id, rawId: id };
        await refuses(page, signed, JSON.stringify(id.slice(0, 10)));
      }
    });

    it('after ten wrong ones in a quarter of an hour, of which the owner is told; the right one too [wire 15.2]', async () => {
      const { email, passkey, codes } = await passkeyOwner(place, 'ned@passkey.test');
      const page = await half(email);
      for (let i = 0; i < 10; i += 1) await refuses(page, passkey.sign('bWFkZSB1cA'), `${i}`);
      const fresh = await half(email);
      const refused = await give(fresh, passkey.sign(challengeIn(fresh.html)));
      expect(refused.status).to.equal(429);
      const form = { code: codes[0] ?? '', form_token: formTokenIn(fresh.html) };
      expect((await fresh.browser.ask(fresh.address, form)).status, 'codes as well').to.equal(429);
      expect(mailsTo(email)).to.include('codesGuessed');
      place.wait(900_000);
      const later = await half(email);
      expect((await give(later, passkey.sign(challengeIn(later.html)))).status).to.equal(303);
    });
  });

  describe('[12.6] on the page of the second factor', () => {
    it('is added beside another, up to ten, which takes the present one as proof', async () => {
      const { browser, passkey, email } = await passkeyOwner(place, 'ole@passkey.test');
      expect((await beginPasskey(browser, 'Key')).status, 'no second factor').to.equal(422);
      for (let i = 2; i <= 10; i += 1) {
        const next = newPasskey(place);
        const page = await sendWithPasskey(browser, ADD, passkey, {
          name: `Key ${i}`,
          password: PASSWORD,
        });
        expect(optionsIn(page.html)?.excludeCredentials).to.have.length(i - 1);
        const made = next.register(challengeIn(page.html));
        const done = await finishPasskey(browser, page, `Key ${i}`, made);
        expect(done.status).to.equal(303);
      }
      expect(await passkeyIds(browser)).to.have.length(10);
      const form = { name: 'One more', password: PASSWORD };
      const more = await sendWithPasskey(browser, ADD, passkey, form);
      expect(more.status).to.equal(422);
      expect(more.html).to.contain('You have 10 passkeys');
      expect(mailsTo(email).filter((template) => template === 'passkeyAdded')).to.have.length(10);
      const page = await half(email);
      expect(optionsIn(page.html)?.allowCredentials).to.have.length(10);
    });

    it('is not added by what was made elsewhere, twice, or under an id that is taken', async () => {
      const browser = await signedIn('pat@passkey.test');
      const { passkey: taken } = await passkeyOwner(place, 'quin@passkey.test');
      const tries = [
        (challenge: string) =>
          newPasskey(place).register(challenge, { origin: 'https://evil.test' }),
        (challenge: string) => newPasskey(place).register(challenge, { rpId: 'evil.test' }),
        (challenge: string) => newPasskey(place, taken.id).register(challenge),
      ];
      for (const make of tries) {
        const page = await beginPasskey(browser, 'Mine');
        const done = await finishPasskey(browser, page, 'Mine', make(challengeIn(page.html)));
        expect(done.status).to.equal(422);
        expect(await passkeyIds(browser)).to.deep.equal([]);
      }
      const page = await beginPasskey(browser, 'Mine');
      const challenge = challengeIn(page.html);
      const elsewhere = await signedIn('rae@passkey.test');
      const form = await elsewhere.ask(ADD);
      const made = newPasskey(place).register(challenge);
      expect((await finishPasskey(elsewhere, form, 'Mine', made)).status, 'theirs').to.equal(422);
      expect((await finishPasskey(browser, page, 'Mine', made)).status, 'mine').to.equal(200);
      expect((await finishPasskey(browser, page, 'Mine', made)).status, 'again').to.equal(422);
      expect(await passkeyIds(browser)).to.have.length(1);
    });

    it('is added with an id of up to 1,023 bytes, and with no longer one', async () => {
      const browser = await signedIn('pia@passkey.test');
      const add = async (bytes: number, stated = {}) => {
        const page = await beginPasskey(browser, 'Mine');
        const id = randomBytes(bytes).toString('base64url');
        const made = newPasskey(place, id).register(challengeIn(page.html));
        return (await finishPasskey(browser, page, 'Mine', { ...made, ...stated })).status;
      };
      for (const bytes of [1_024, 2_100, 2_500]) expect(await add(bytes), `${bytes}`).to.equal(422);
      const short = { id: 'short', rawId: 'short' };
      expect(await add(2_500, short), 'another one beside it').to.equal(422);
      expect(await add(1_023)).to.equal(200);
    });

    it('says once how it is reached, however often it repeats that', async () => {
      const browser = await signedIn('pip@passkey.test');
      const page = await beginPasskey(browser, 'Mine');
      const made = newPasskey(place).register(challengeIn(page.html));
      const transports = Array.from({ length: 1_000 }, (_, i) => ['usb', 'nfc', 'mine'][i % 3]);
      const response = { ...(made.response as object), transports };
      await finishPasskey(browser, page, 'Mine', { ...made, response });
      const { html } = await browser.ask('/oidc/password');
      expect(optionsIn(html)?.allowCredentials?.[0]?.transports).to.deep.equal(['nfc', 'usb']);
    });

    it('is added whatever its maker says of it, which nobody asked for and nobody reads', async () => {
      const browser = await signedIn('pol@passkey.test');
      const page = await beginPasskey(browser, 'Mine');
      const made = newPasskey(place).register(challengeIn(page.html), {}, true);
      expect((await finishPasskey(browser, page, 'Mine', made)).status).to.equal(200);
    });

    it('keeps at most ten challenges for new ones at a time: one more ends the oldest', async () => {
      const browser = await signedIn('sam@passkey.test');
      const pages = [];
      for (let i = 0; i < 11; i += 1) {
        place.wait(1_000);
        pages.push(await beginPasskey(browser, 'Mine'));
      }
      const [oldest, next] = pages as [Answer, Answer];
      const add = (page: Answer) =>
        finishPasskey(browser, page, 'Mine', newPasskey(place).register(challengeIn(page.html)));
      expect((await add(oldest)).status, 'the first').to.equal(422);
      expect((await add(next)).status, 'the second').to.equal(200);
    });

    it('has a name, which its owner changes', async () => {
      const { browser } = await passkeyOwner(place, 'tom@passkey.test');
      const [id = ''] = await passkeyIds(browser);
      const page = `${PAGE}?do=rename&passkey=${id}`;
      for (const name of ['', ' ', 'x'.repeat(61), 'a\u0000b'])
        expect((await browser.send(page, { name })).status, JSON.stringify(name)).to.equal(422);
      expect((await browser.ask(page, { name: 'x', form_token: 'made-up' })).status).to.equal(403);
      expect((await browser.send(page, { name: ' Key <b> ' })).status).to.equal(303);
      expect((await browser.ask(PAGE)).html).to.contain('Key &lt;b&gt;');
      const other = await signedIn('una@passkey.test');
      const foreign = await other.ask(page);
      expect(foreign.html, 'somebody else’s').to.not.contain('Key &lt;b&gt;');
    });

    it('has a name of one line, which adds none to the mails that have it', async () => {
      const browser = await signedIn('tim@passkey.test');
      const name = 'My phone.\r\n\r\nThis was you.';
      const page = await beginPasskey(browser, name);
      const made = newPasskey(place).register(challengeIn(page.html));
      expect((await finishPasskey(browser, page, name, made)).status).to.equal(200);
      const mail = place.mails.find(
        ({ template, to }) => template === 'passkeyAdded' && to === 'tim@passkey.test',
      );
      expect(mail).to.have.nested.property('values.name', 'My phone. This was you.');
      const [id = ''] = await passkeyIds(browser);
      await browser.send(`${PAGE}?do=rename&passkey=${id}`, { name: 'One\u2028two' });
      expect((await browser.ask(PAGE)).html).to.contain('One two');
    });

    it('is removed by who gives password and second factor; the last one switches it off', async () => {
      const { email, browser, passkey } = await passkeyOwner(place, 'val@passkey.test');
      const [id = ''] = await passkeyIds(browser);
      const page = `${PAGE}?do=remove&passkey=${id}`;
      expect((await browser.ask(page)).html).to.contain('your only second factor');
      expect((await browser.send(page, { password: PASSWORD })).status, 'no proof').to.equal(422);
      const done = await sendWithPasskey(browser, page, passkey, { password: PASSWORD });
      expect(done.html).to.contain('Your second factor is off');
      await signInByForm(place.server, email, PASSWORD, { auth: auth() });
      expect(mailsTo(email)).to.include.members(['passkeyRemoved', 'secondFactorOff']);
      expect((await auditOf(email)).slice(-2)).to.deep.equal([
        { kind: 'passkey-removed', before: { name: 'My phone' }, after: {} },
        { kind: 'second-factor-off', before: null, after: {} },
      ]);
    });

    it('stands beside one-time codes: either signs in, and each is taken away without the other', async () => {
      const { sub, email, browser, nextCode } = await guarded(place, 'wim@passkey.test');
      const passkey = newPasskey(place);
      const begun = await beginPasskey(browser, 'Key', { code: nextCode() });
      const added = await finishPasskey(
        browser,
        begun,
        'Key',
        passkey.register(challengeIn(begun.html)),
      );
      expect(added.status, 'no new recovery codes').to.equal(303);
      const page = await half(email);
      expect(page.html).to.contain('six digits');
      await comesIn(page, await give(page, passkey.sign(challengeIn(page.html))), sub);
      const other = await half(email);
      const form = { code: nextCode(), passkey: '', form_token: formTokenIn(other.html) };
      await comesIn(other, await other.browser.ask(other.address, form), sub);

      const taken = await sendWithPasskey(browser, `${PAGE}?do=no-app`, passkey, {
        password: PASSWORD,
      });
      expect(taken.status).to.equal(303);
      const bare = await half(email);
      const code = { code: nextCode(), passkey: '', form_token: formTokenIn(bare.html) };
      expect((await bare.browser.ask(bare.address, code)).status, 'codes are off').to.equal(422);
      expect(mailsTo(email)).to.include('oneTimeCodesOff');

      const again = await sendWithPasskey(browser, `${PAGE}?do=app`, passkey, {
        password: PASSWORD,
      });
      const secret = secretIn(again.html);
      const first = oneTimeCode(secret, place.parts.clock());
      const form_token = formTokenIn(again.html);
      const on = await browser.ask(`${PAGE}?do=app`, { secret, code: first, form_token });
      expect(on.status).to.equal(303);
      expect(mailsTo(email)).to.include('oneTimeCodesOn');

      const [id = ''] = await passkeyIds(browser);
      place.wait(60_000);
      const last = await browser.send(`${PAGE}?do=remove&passkey=${id}`, {
        password: PASSWORD,
        code: oneTimeCode(secret, place.parts.clock()),
      });
      expect(last.status).to.equal(303);
      const codesAlone = await half(email);
      expect(optionsIn(codesAlone.html)).to.equal(null);
      expect(codesAlone.html).to.contain('name="code"');
      const kinds = (await auditOf(email)).map(({ kind }) => kind);
      expect(kinds).to.include.members([
        'one-time-codes-off',
        'one-time-codes-on',
        'passkey-removed',
      ]);
      expect(kinds).to.not.include('second-factor-off');
    });

    it('goes with all the rest when the second factor is switched off', async () => {
      const { browser, passkey } = await passkeyOwner(place, 'xia@passkey.test');
      await sendWithPasskey(browser, `${PAGE}?do=off`, passkey, { password: PASSWORD });
      const left = await place.parts.db.transact((tx) =>
        tx.query(sql`select id from passkeys where credential_id = ${passkey.id}`),
      );
      expect(left).to.deep.equal([]);
    });
  });

  it('is allowed the browser’s passkeys on the pages that ask for one, and scripts on no page without passkey and password', async () => {
    const { browser } = await passkeyOwner(place, 'yan@passkey.test');
    const headersOf = async (path: string) => {
      const { headers } = await browser.ask(path);
      const policy = headers.get('content-security-policy') ?? '';
      return [policy.includes("script-src 'self'"), headers.get('permissions-policy')];
    };
    const [scripts, abilities] = await headersOf('/oidc/password');
    expect(scripts).to.equal(true);
    expect(abilities).to.contain('camera=()').and.not.contain('publickey');
    expect((await headersOf('/oidc/devices'))[0]).to.equal(false);
  });

  it('is for sites that browsers make passkeys for', () => {
    const siteOf = (publicUrl: string) => passkeySiteOf({ publicUrl });
    expect(siteOf('https://apps.example.com:8443')).to.deep.equal({
      id: 'apps.example.com',
      origin: 'https://apps.example.com:8443',
    });
    expect(siteOf('http://localhost:3000')?.id).to.equal('localhost');
    for (const without of ['http://apps.example.com', 'https://10.0.0.7', 'https://[::1]:3000'])
      expect(siteOf(without), without).to.equal(null);
  });

  it('is not offered where browsers make none', async () => {
    const numbered = await openPlace({ PUBLIC_URL: 'http://127.0.0.1:3999' });
    try {
      await anAccount(numbered, 'zoe@passkey.test');
      const browser = new PlainBrowser(numbered.server);
      const options = { auth: numbered.parts.config.auth, browser };
      await signInByForm(numbered.server, 'zoe@passkey.test', PASSWORD, options);
      const { html } = await browser.ask(PAGE);
      expect(html).to.contain('type="password"').and.not.contain('do=passkey');
      expect((await browser.ask(ADD)).status).to.equal(303);
    } finally {
      await numbered.close();
    }
  });
});
