import { expect } from 'chai';
import { sql } from 'kysely';
import { authorizeAddress, PlainBrowser, refresh, signInByForm } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD } from '../identity/people.ts';
import { guarded, switchOn } from '../identity/with-second-factor.ts';
import type { Guarded } from '../identity/with-second-factor.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Reply, World } from './world.ts';

describe('[wire 11.12] the second factor of a person', () => {
  let world: World;
  const place = () => ({
    server: world.server.url,
    parts: world.server.parts,
    wait: () => {
      throw new Error('The clock of this server is not the test’s');
    },
  });
  const auth = () => world.server.parts.config.auth;
  const email = (name: string) => `${name}-${world.id()}@factor.test`;
  const path = (user: string) => `/api/users/${user}/second-factor`;

  /** Somebody whose second factor is on, and a token of theirs. */
  const somebody = async (name: string) => {
    const person = await guarded(place(), email(name));
    return { ...person, ...(await tokenOf(person)) };
  };
  const tokenOf = async ({ browser }: Guarded) => {
    const { address, verifier } = authorizeAddress(auth(), { prompt: 'none' });
    const back = await browser.open(address);
    const code = new URL(back.location ?? '').searchParams.get('code') ?? '';
    const answer = await fetch(`${world.server.url}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: auth().clientId,
        code,
        redirect_uri: `${new URL(auth().issuer).origin}${auth().redirectPath}`,
        code_verifier: verifier,
        resource: auth().audience,
      }),
    });
    const { access_token, refresh_token } = (await answer.json()) as Record<string, string>;
    const token = access_token ?? '';
    const me = await ask(token, '/api/users/current-user');
    return { token, refresh_token: refresh_token ?? '', id: me.body.data.id };
  };
  const ask = async (token: string, url: string) => {
    const answer = await fetch(`${world.server.url}${url}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const body = (await answer.json()) as { readonly data: { readonly id: string } };
    return { status: answer.status, body };
  };
  const reset = (who: keyof World['people'], user: string): Promise<Reply> =>
    world.people[who].ask('POST', `${path(user)}/reset`, undefined, {
      'Idempotency-Key': world.id(),
    });

  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  it('is told to them and to super admins, and to no other', async () => {
    const ana = await somebody('ana');
    const own = await ask(ana.token, path(ana.id));
    expect(own.body).to.include({ on: true, recoveryCodes: 10 });
    const reply = await world.people.super.get(path(ana.id));
    expect(reply.body).to.include({ on: true, recoveryCodes: 10 });
    expect((await world.people.admin.get(path(ana.id))).status, 'not seen').to.equal(404);
    const { member } = world.people;
    expect((await world.people.admin.get(path(member.id))).refusal).to.equal('forbidden');
    expect((await member.get(path(member.id))).body).to.deep.equal({
      on: false,
      since: null,
      recoveryCodes: 0,
      passkeys: 0,
    });
  });

  it('is reset by a super admin: the password alone signs in, every sign-in ends, the owner is told', async () => {
    const ben = await somebody('ben');
    const reply = await reset('super', ben.id);
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.body).to.deep.equal({ on: false, since: null, recoveryCodes: 0, passkeys: 0 });
    expect((await ask(ben.token, '/api/users/current-user')).status).to.equal(401);
    const again = await refresh(world.server.url, auth(), ben.refresh_token);
    expect(again.body.error).to.equal('invalid_grant');
    expect((await ben.browser.ask('/oidc/second-factor')).location).to.include('sign-in=again');
    await signInByForm(world.server.url, ben.email, PASSWORD, { auth: auth() });
    const mails = world.letters.filter(({ to }) => to === ben.email);
    expect(mails.map(({ template }) => template)).to.deep.equal([
      'secondFactorOn',
      'secondFactorReset',
    ]);
    const events = await world.server.parts.db.read((tx) =>
      tx.query(sql`select actor_id as by, address from audit_events
        where kind = 'second-factor-reset' and subject_id = ${ben.id}`),
    );
    expect(events).to.deep.equal([{ by: world.people.super.id, address: '127.0.0.1' }]);
    const left = await world.server.parts.db.read((tx) =>
      tx.query(sql`select account_id from second_factors where account_id = ${ben.sub}
        union all select account_id from recovery_codes where account_id = ${ben.sub}`),
    );
    expect(left).to.deep.equal([]);
  });

  it('stays when anybody else asks for it, or it is a super admin’s own', async () => {
    const cy = await somebody('cy');
    for (const who of ['admin', 'member', 'stranger', 'nobody'] as const) {
      expect((await reset(who, cy.id)).status, who).to.equal(404);
      expect((await reset(who, world.people[who].id)).refusal, who).to.equal('forbidden');
    }
    expect((await reset('admin', world.people.member.id)).refusal).to.equal('forbidden');
    expect((await reset('super', world.people.super.id)).refusal).to.equal('forbidden');
    expect((await ask(cy.token, path(cy.id))).body).to.include({ on: true });
  });

  it('needs no reset where it is off: nobody is signed out or told', async () => {
    const address = email('di');
    await anAccount(place(), address);
    const browser = new PlainBrowser(world.server.url);
    const { access_token } = await signInByForm(world.server.url, address, PASSWORD, {
      auth: auth(),
      browser,
    });
    const me = await ask(access_token, '/api/users/current-user');
    expect((await reset('super', me.body.data.id)).status).to.equal(200);
    expect((await ask(access_token, '/api/users/current-user')).status).to.equal(200);
    expect(world.letters.some(({ to }) => to === address)).to.equal(false);
  });

  it('stays on that was switched on anew when the same reset comes once more', async () => {
    const ed = await somebody('ed');
    const headers = { 'Idempotency-Key': world.id() };
    const send = () => world.people.super.ask('POST', `${path(ed.id)}/reset`, undefined, headers);
    expect((await send()).status).to.equal(200);
    const { browser } = ed;
    await signInByForm(world.server.url, ed.email, PASSWORD, { auth: auth(), browser });
    await switchOn(place(), browser);
    expect((await send()).headers.get('Idempotency-Replayed')).to.equal('true');
    const now = await world.people.super.get(path(ed.id));
    expect(now.body).to.include({ on: true });
    const mails = world.letters.filter(({ to }) => to === ed.email);
    expect(mails.filter(({ template }) => template === 'secondFactorReset')).to.have.length(1);
  });
});
