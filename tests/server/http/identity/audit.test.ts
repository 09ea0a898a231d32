import { expect } from 'chai';
import { sql } from 'kysely';
import { changePassword, signOutEverywhere } from '#server/http/identity/account-changes.ts';
import { hashPassword } from '#server/domain/accounts/password.ts';
import { keyOf } from '#server/domain/accounts/person.ts';
import { limitTable } from '#server/db/limits/limit-table.ts';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { PlainBrowser, signInByForm } from '../../../support/sign-in.ts';
import { anAccount, lock, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

interface Told {
  readonly kind: string;
  readonly actor: string | null;
  readonly subject: string | null;
  readonly name: string | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
}

const linkIn = (mail: Mail) => ('link' in mail.values ? mail.values.link : '');

describe('the audit log of signing in', () => {
  let place: Place;
  const email = 'ana@audit.test';
  let user: string;

  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
    await anAccount(place, email);
    const tokens = await signIn(email, PASSWORD);
    user = String((await whoAmI(place, tokens.access_token)).body.user?.id);
  });
  after(() => place.close());

  const signIn = (address: string, password: string) =>
    signInByForm(place.server, address, password, { auth: place.parts.config.auth });
  const fail = (address: string) => signIn(address, 'not the password').catch(() => 'refused');
  /** Leaves out how often suites before were refused, which is written up to a minute later. */
  const told = async (work: () => Promise<unknown>): Promise<Told[]> => {
    const { db } = place.parts;
    const [last] = await db.read((tx) =>
      tx.query(sql<{ readonly n: number }>`select coalesce(max(n), 0) as n from audit_events`),
    );
    await work();
    return db.read((tx) =>
      tx.query(sql<Told>`select kind, actor_id as actor, subject_id as subject,
        subject_name as name, after, address from audit_events where n > ${last?.n ?? 0}
          and kind <> 'refusals-left-out' order by n`),
    );
  };

  it('tells of a wrong password whose account it was for and from where, and not who it was', async () => {
    const known = await told(() => fail(email));
    const common = { kind: 'sign-in-failed', actor: null, address: '127.0.0.1', after: null };
    expect(known).to.deep.equal([{ ...common, subject: user, name: 'Ana Hill' }]);
    const unknown = await told(() => fail('nobody@audit.test'));
    expect(unknown).to.deep.equal([{ ...common, subject: null, name: null }]);
  });

  it('tells that somebody was locked out after too many tries', async () => {
    const written = await told(async () => {
      for (let n = 0; n < 11; n += 1) await fail(email);
    });
    expect(written.at(-1)).to.include({ kind: 'sign-in-locked-out', subject: user, actor: null });
    expect(written.filter(({ kind }) => kind === 'sign-in-locked-out').length).to.be.greaterThan(0);
  });

  it('tells of a password that was reset, and holds neither password nor link', async () => {
    const browser = new PlainBrowser(place.server);
    const written = await told(async () => {
      await browser.send('/oidc/forgot', { email });
      const link = linkIn(await place.mailTo(email));
      await browser.send(link, { password: 'quite another horse' });
      place.wait(60_000);
      expect(JSON.stringify(await everything())).not.to.include(
        new URL(link).searchParams.get('token'),
      );
    });
    expect(written).to.deep.equal([
      {
        ...{ kind: 'password-reset', actor: user, address: '127.0.0.1' },
        ...{ subject: user, name: 'Ana Hill', after: null },
      },
    ]);
    expect(JSON.stringify(await everything())).not.to.include('quite another horse');
  });

  it('tells of an address that was confirmed after signing up', async () => {
    const fresh = 'zoe@audit.test';
    const browser = new PlainBrowser(place.server);
    const written = await told(async () => {
      await browser.send('/oidc/sign-up', {
        email: fresh,
        password: 'zebra stripes 12',
        name: 'Zoé',
      });
      await browser.send(linkIn(await place.mailTo(fresh)), { password: 'zebra stripes 12' });
    });
    expect(written).to.deep.equal([
      {
        ...{ kind: 'sign-up-verified', actor: null, address: '127.0.0.1' },
        ...{ subject: null, name: null, after: { email: fresh } },
      },
    ]);
  });

  it('tells of nobody when the address is unknown, for what was typed may be a password', async () => {
    const typed = 'my-passw0rd@audit.test';
    await fail(typed);
    expect(JSON.stringify(await everything())).not.to.include('my-passw0rd');
  });

  it('tells of tries at an account that had too many from everywhere', async () => {
    const victim = 'eva@audit.test';
    await anAccount(place, victim);
    await place.parts.db.transact(async (tx) => {
      for (let n = 0; n < limitTable.passwordsOfAccount.most; n += 1)
        await place.parts.limits.count(tx, 'passwordsOfAccount', keyOf(victim));
    });
    const written = await told(() => fail(victim));
    expect(written).to.deep.equal([
      {
        ...{ kind: 'sign-in-locked-out', actor: null, address: '127.0.0.1' },
        ...{ subject: null, name: null, after: { email: victim } },
      },
    ]);
  });

  it('tells of somebody who is locked and gave the right password', async () => {
    const locked = 'lou@audit.test';
    const sub = await anAccount(place, locked, { name: 'Lou Reed' });
    await whoAmI(place, (await signIn(locked, PASSWORD)).access_token);
    await lock(place, sub);
    const written = await told(() => signIn(locked, PASSWORD).catch(() => 'refused'));
    expect(written.map(({ kind, name, after }) => ({ kind, name, after }))).to.deep.equal([
      { kind: 'sign-in-failed', name: 'Lou Reed', after: { reason: 'user-locked' } },
    ]);
  });

  it('tells of a password that was changed, and of signing out everywhere', async () => {
    const changing = 'tom@audit.test';
    const sub = await anAccount(place, changing, { name: 'Tom Waits' });
    const { body } = await whoAmI(place, (await signIn(changing, PASSWORD)).access_token);
    const hash = await hashPassword('a wholly new one', place.parts.random);
    const written = await told(async () => {
      await changePassword(place.parts, sub, hash, null, '192.0.2.7');
      await signOutEverywhere(place.parts, sub, null, '192.0.2.7');
    });
    const actor = String(body.user?.id);
    const common = { actor, address: '192.0.2.7', subject: actor, name: 'Tom Waits', after: null };
    expect(written).to.deep.equal([
      { kind: 'password-changed', ...common },
      { kind: 'signed-out-everywhere', ...common },
    ]);
    expect(JSON.stringify(await everything())).not.to.include(hash);
  });

  const everything = () =>
    place.parts.db.read((tx) => tx.query(sql`select a::text as text from audit_events a`));
});
