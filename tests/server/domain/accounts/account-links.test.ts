import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { newLink } from '#server/domain/accounts/account-links.ts';
import { authorizeAddress, PlainBrowser } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD } from '../../http/identity/people.ts';
import { openPlace } from '../../http/identity/place.ts';
import type { Place } from '../../http/identity/place.ts';

const tokenIn = (mail: Mail) =>
  new URL('link' in mail.values ? mail.values.link : '').searchParams.get('token') ?? '';

describe('the secret of a link that is mailed', () => {
  let place: Place;
  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
  });
  after(() => place.close());

  const mailed = async (email: string) => {
    await new PlainBrowser(place.server).send('/oidc/forgot', { email });
    return tokenIn(await place.mailTo(email));
  };
  const rowsOf = (accountId: string) =>
    place.parts.db.transact((tx) =>
      tx.query(sql<{ readonly row: string }>`select l::text || a::text as row
        from accounts a left join account_links l on l.account_id = a.id where a.id = ${accountId}`),
    );

  it('has 256 bits, all of them from the random source, and is never the same', async () => {
    const { db, clock } = place.parts;
    const accountId = await anAccount(place, 'bits@links.test');
    const asked: number[] = [];
    let next = 0;
    const random = (bytes: Uint8Array) => {
      asked.push(bytes.length);
      return bytes.fill((next += 1));
    };
    const link = { accountId, purpose: 'sign-in' } as const;
    const first = await db.transact((tx) => newLink(tx, link, clock, random));
    const second = await db.transact((tx) => newLink(tx, link, clock, random));
    expect(asked).to.deep.equal([32, 32]);
    expect(Buffer.from(first, 'base64url')).to.deep.equal(Buffer.alloc(32, 1));
    expect(Buffer.from(second, 'base64url')).to.deep.equal(Buffer.alloc(32, 2));
  });

  it('is not in the database, only its SHA-256', async () => {
    const accountId = await anAccount(place, 'hashed@links.test');
    const token = await mailed('hashed@links.test');
    expect(Buffer.from(token, 'base64url')).to.have.length(32);
    const [{ row } = { row: '' }] = await rowsOf(accountId);
    expect(row)
      .to.include(createHash('sha256').update(token).digest('base64url'))
      .and.not.include(token);
  });

  it('is used up by its form alone: opening the link changes nothing, however often', async () => {
    const { db, clock, random } = place.parts;
    const accountId = await anAccount(place, 'opened@links.test', { isVerified: false });
    for (const [path, purpose] of [
      ['/oidc/verify', 'verify'],
      ['/oidc/sign-in', 'sign-in'],
      ['/oidc/reset', 'reset'],
    ] as const) {
      const token = await db.transact((tx) => newLink(tx, { accountId, purpose }, clock, random));
      const before = await rowsOf(accountId);
      const browser = new PlainBrowser(place.server);
      for (let n = 0; n < 3; n += 1)
        expect((await browser.ask(`${path}?token=${token}`)).status, path).to.equal(200);
      await fetch(`${place.server}${path}?token=${token}`, { method: 'HEAD' });
      expect(await rowsOf(accountId), path).to.deep.equal(before);
      const { address } = authorizeAddress(place.parts.config.auth);
      expect((await browser.open(address)).html, path).to.include('type="password"');

      const sent = await browser.send(`${path}?token=${token}`, { password: PASSWORD });
      expect(sent.status, path).to.equal(200);
      expect((await browser.ask(`${path}?token=${token}`)).status, path).to.equal(410);
    }
  }).timeout(20_000);
});
