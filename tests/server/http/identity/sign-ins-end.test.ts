import { expect } from 'chai';
import { sql } from 'kysely';
import { OidcRecords } from '#server/http/identity/adapter.ts';
import { newLink, redeemLink, storeLink } from '#server/domain/accounts/account-links.ts';
import { acrOf, endSignIns } from '#server/domain/accounts/sign-ins.ts';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { codeOf, PlainBrowser, prepareSignIn } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

const linkIn = (mail: Mail) => ('link' in mail.values ? mail.values.link : '');

describe('a sign-in that was begun with a password that is no longer the account’s', () => {
  let place: Place;
  const browser = () => new PlainBrowser(place.server);
  const prepare = (email: string, password: string) =>
    prepareSignIn(place.server, email, password, { auth: place.parts.config.auth });

  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
  });
  after(() => place.close());

  it('leads to no code after the password was reset [F2]', async () => {
    await anAccount(place, 'victim@era.test');
    const attacker = await prepare('victim@era.test', PASSWORD);
    await browser().send('/oidc/forgot', { email: 'victim@era.test' });
    const link = linkIn(await place.mailTo('victim@era.test'));
    expect((await browser().send(link, { password: 'one that is new' })).status).to.equal(200);

    expect(await codeOf(attacker)).to.equal(null);
  });

  it('leads to no code after the owner of the address has taken over an account that somebody else had begun [F2]', async () => {
    const signUp = (password: string) =>
      browser().send('/oidc/sign-up', { email: 'pre@era.test', password, name: 'Pre Hijack' });
    await signUp('of the attacker');
    await place.mailTo('pre@era.test');
    const attacker = await prepare('pre@era.test', 'of the attacker');

    await signUp('of the owner');
    const link = linkIn(await place.mailTo('pre@era.test'));
    const confirmed = await browser().send(link, { password: 'of the owner' });
    expect(confirmed.status).to.equal(200);

    expect(await codeOf(attacker)).to.equal(null);
    expect(await codeOf(await prepare('pre@era.test', 'of the owner'))).to.be.a('string');
  });

  it('signs nobody in by a mailed link that was opened while the sign-ins were ended [F2]', async () => {
    const { db, clock, random } = place.parts;
    const accountId = await anAccount(place, 'late-link@era.test');
    const [token, secret] = ['a mailed link', 'of a browser'];
    await db.transact((tx) => storeLink(tx, token, { accountId, purpose: 'sign-in' }, clock));
    const link = await db.transact((tx) => redeemLink(tx, token, 'sign-in', clock));
    const cause = { at: clock(), by: null, changes: [] };
    await db.write(cause, (write) => endSignIns(write, accountId));
    const opened = { accountId, purpose: 'browser', era: link?.era ?? null } as const;
    await db.transact((tx) => storeLink(tx, secret, opened, clock));

    expect(await db.transact((tx) => redeemLink(tx, secret, 'browser', clock))).to.equal(null);
    const fresh = { accountId, purpose: 'sign-in' } as const;
    const next = await db.transact((tx) => newLink(tx, fresh, clock, random));
    const found = await db.transact((tx) => redeemLink(tx, next, 'sign-in', clock));
    expect(found?.accountId, 'a link that is mailed after it').to.equal(accountId);
  });

  for (const model of ['Session', 'Interaction', 'AuthorizationCode', 'RefreshToken'])
    it(`leaves no ${model} behind when it is stored after the sign-ins were ended [F2]`, async () => {
      const { db, clock } = place.parts;
      const accountId = await anAccount(place, `${model}@era.test`);
      const records = new OidcRecords(model, db, clock);
      const login = { accountId, acr: acrOf(0) };
      const held = model === 'Interaction' ? { result: { login } } : { ...login, uid: 'a uid' };
      const payload = { ...held, jti: `${model} in time` };

      await records.upsert(`${model} in time`, payload, 60);
      expect(await records.find(`${model} in time`)).to.deep.equal(payload);
      const cause = { at: clock(), by: null, changes: [] };
      await db.write(cause, (write) => endSignIns(write, accountId));
      await records.upsert(`${model} too late`, payload, 60);

      expect(await records.find(`${model} in time`)).to.equal(undefined);
      expect(await records.find(`${model} too late`)).to.equal(undefined);
      const rows = await db.read((tx) =>
        tx.query(sql`select id from oidc_records where account_id = ${accountId}`),
      );
      expect(rows).to.deep.equal([]);
    });
});
