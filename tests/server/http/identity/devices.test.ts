import { expect } from 'chai';
import { sql } from 'kysely';
import { OidcRecords } from '#server/http/identity/adapter.ts';
import {
  authorizeAddress,
  codeOf,
  PlainBrowser,
  redeemAnswer,
  refresh,
  signInByForm,
} from '../../../support/sign-in.ts';
import { anAccount, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

const PAGE = '/oidc/devices';

describe('[12.6] the page of devices', function () {
  this.timeout(60_000);
  let place: Place;
  const auth = () => place.parts.config.auth;
  /** Signs in with a browser of its own. */
  const device = async (email: string) => {
    const browser = new PlainBrowser(place.server);
    return {
      browser,
      tokens: await signInByForm(place.server, email, PASSWORD, { auth: auth(), browser }),
    };
  };
  const devicesIn = (page: string) => page.match(/Last used/g)?.length ?? 0;
  const idsIn = (page: string) =>
    [...page.matchAll(/name="device" value="([^"]+)"/g)].map(([, id]) => id ?? '');

  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  it('lists where one is signed in, and nobody else’s devices', async () => {
    await anAccount(place, 'ana@devices.test');
    await anAccount(place, 'ben@devices.test');
    const { browser } = await device('ana@devices.test');
    await device('ana@devices.test');
    await device('ben@devices.test');
    const { html } = await browser.ask(PAGE);
    expect(devicesIn(html)).to.equal(2);
    expect(html).to.include('This device').and.include('127.0.0.1');
    expect(idsIn(html)).to.have.length(1);
  });

  it('says when each was used in the zone of their owner, where that is known', async () => {
    await anAccount(place, 'zoe@devices.test');
    const { browser, tokens } = await device('zoe@devices.test');
    const { user } = (await whoAmI(place, tokens.access_token)).body;
    const live = (timezone: string) =>
      place.parts.db.write({ at: place.parts.clock(), by: null, changes: [] }, (write) =>
        write.change('user', String(user?.id), { timezone }),
      );
    expect((await browser.ask(PAGE)).html).to.match(/Last used [^<]* UTC/);
    await live('America/Lima');
    expect((await browser.ask(PAGE)).html).to.match(/Last used [^<]* GMT-5/);
    await live('Mars/Olympus');
    expect((await browser.ask(PAGE)).html).to.match(/Last used [^<]* UTC/);
  });

  it('ends one of them at once: its tokens, its refreshes and its session, and no other', async () => {
    await anAccount(place, 'cleo@devices.test');
    const [here, there, third] = [
      await device('cleo@devices.test'),
      await device('cleo@devices.test'),
      await device('cleo@devices.test'),
    ];
    const ended = idsIn((await there.browser.ask(PAGE)).html);
    const [id = ''] = idsIn((await here.browser.ask(PAGE)).html).filter(
      (each) => !ended.includes(each),
    );
    const answer = await here.browser.send(PAGE, { device: id });
    expect(answer.status).to.equal(303);
    expect(devicesIn((await here.browser.ask(PAGE)).html)).to.equal(2);

    expect((await whoAmI(place, there.tokens.access_token)).status).to.equal(401);
    const refused = await refresh(place.server, auth(), there.tokens.refresh_token);
    expect(refused.body.error).to.equal('invalid_grant');
    const { address } = authorizeAddress(auth(), { prompt: 'none' });
    const silent = await there.browser.open(address);
    expect(silent.location).to.include('error=login_required');

    for (const { tokens, browser } of [here, third]) {
      expect((await whoAmI(place, tokens.access_token)).status).to.equal(200);
      expect((await browser.ask(PAGE)).status).to.equal(200);
    }
  });

  it('ends it also for a request that was at work meanwhile', async () => {
    await anAccount(place, 'hal@devices.test');
    const [here, there] = [await device('hal@devices.test'), await device('hal@devices.test')];
    const { db, clock } = place.parts;
    const sessions = new OidcRecords('Session', db, clock);
    const [, cookie = ''] =
      [...there.browser.cookies].find(([name]) => name.endsWith('session')) ?? [];
    const atWork = await sessions.find(cookie);
    const [id = ''] = idsIn((await here.browser.ask(PAGE)).html);
    await here.browser.send(PAGE, { device: id });
    await sessions.upsert(cookie, atWork ?? {}, 86_400);

    expect(atWork?.accountId).to.be.a('string');
    expect(await sessions.find(cookie)).to.equal(undefined);
    const { address } = authorizeAddress(auth(), { prompt: 'none' });
    const silent = await there.browser.open(address);
    expect(silent.location).to.include('error=login_required');
  });

  it('ends no device of somebody else, nor the one at hand, nor what another site sends', async () => {
    await anAccount(place, 'dora@devices.test');
    await anAccount(place, 'emil@devices.test');
    const [dora, other, emil] = [
      await device('dora@devices.test'),
      await device('dora@devices.test'),
      await device('emil@devices.test'),
    ];
    const [ofDora = ''] = idsIn((await other.browser.ask(PAGE)).html);
    await emil.browser.send(PAGE, { device: ofDora });
    await dora.browser.send(PAGE, { device: ofDora });
    await other.browser.ask(PAGE, { device: ofDora, form_token: 'made-up' });
    expect((await whoAmI(place, dora.tokens.access_token)).status).to.equal(200);
    expect((await dora.browser.ask(PAGE)).status).to.equal(200);
  });

  it('ends all others: this session goes on and gets new tokens', async () => {
    await anAccount(place, 'fay@devices.test');
    const [here, there] = [await device('fay@devices.test'), await device('fay@devices.test')];
    const answer = await here.browser.send(PAGE, { all: '1' });
    expect(answer.html).to.include('Every other device has been signed out.');
    expect((await there.browser.ask(PAGE)).location).to.equal('/account?sign-in=again');
    expect((await whoAmI(place, there.tokens.access_token)).status).to.equal(401);

    const { address, verifier } = authorizeAddress(auth(), { prompt: 'none' });
    const code = await codeOf({ browser: here.browser, resume: address, verifier });
    const { body } = await redeemAnswer(place.server, auth(), code ?? '', verifier);
    expect((await whoAmI(place, String(body.access_token))).status).to.equal(200);
    expect(devicesIn((await here.browser.ask(PAGE)).html)).to.equal(1);
  });

  it('lists none that signed out, or was not used for as long as a sign-in lasts', async () => {
    await anAccount(place, 'gus@devices.test');
    await device('gus@devices.test');
    place.wait(91 * 86_400_000);
    const { browser } = await device('gus@devices.test');
    expect(devicesIn((await browser.ask(PAGE)).html)).to.equal(1);
    const left = await place.parts.db.read((tx) =>
      tx.query(sql`select grant_id from signed_in_devices
        where last_used_at < ${new Date(place.parts.clock() - 90 * 86_400_000).toISOString()}::timestamptz`),
    );
    expect(left, 'nothing is kept of it').to.deep.equal([]);
  });

  it('takes the address of a device from the connection, whatever a header says of it', async () => {
    await anAccount(place, 'ida@devices.test');
    const browser = new PlainBrowser(place.server, 'en-US', { 'X-Forwarded-For': '203.0.113.9' });
    await signInByForm(place.server, 'ida@devices.test', PASSWORD, { auth: auth(), browser });
    const { html } = await browser.ask(PAGE);
    expect(html).to.include('127.0.0.1').and.not.include('203.0.113.9');
  });
});
