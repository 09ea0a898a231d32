import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { makeDataExport, requestDataExport } from '#server/domain/personal-data/data-export.ts';
import { callerOf } from '#server/domain/accounts/caller.ts';
import { DELETED_NAME } from '#server/domain/accounts/delete-account.ts';
import { statedBy } from '#server/domain/writes/document.ts';
import { performChange } from '#server/domain/writes/perform-change.ts';
import {
  aGroup,
  aMember,
  anOrganization,
  aProject,
  aRecord,
  aRole,
  aUser,
} from '../../../support/make.ts';
import { PlainBrowser, refresh, signInByForm } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';
import { guarded } from './with-second-factor.ts';

const PAGE = '/oidc/delete-account';

describe('[12.6] [domain 2.7] the page to delete one’s account', function () {
  this.timeout(60_000);
  let place: Place;
  const signedIn = async (email: string) => {
    const sub = await anAccount(place, email);
    const browser = new PlainBrowser(place.server);
    const { auth } = place.parts.config;
    const tokens = await signInByForm(place.server, email, PASSWORD, { auth, browser });
    const { user } = (await whoAmI(place, tokens.access_token)).body;
    return { sub, browser, tokens, user: String(user?.id) };
  };
  const person = (id: string) => place.parts.db.read((tx) => tx.one('user', id));
  const count = async (table: string, column: string, value: string) => {
    const [row] = await place.parts.db.read((tx) =>
      tx.query(
        sql<{ readonly n: number }>`select count(*)::integer as n from ${sql.table(table)}
          where ${sql.ref(column)}::text = ${value}`,
      ),
    );
    return row?.n;
  };

  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  it('deletes it with all that is theirs alone, and leaves what they did under no name', async () => {
    const { db } = place.parts;
    const { sub, browser, tokens, user } = await signedIn('ana@gone.test');
    const other = new PlainBrowser(place.server);
    const { auth } = place.parts.config;
    const elsewhere = await signInByForm(place.server, 'ana@gone.test', PASSWORD, {
      auth,
      browser: other,
    });
    const organization = (await anOrganization(db)).id;
    const group = (await aGroup(db, { owner: organization })).id;
    await aMember(db, organization, { user, roles: ['AppBuilder'], groups: [group] });
    const archived = await aProject(db, {
      organization,
      group,
      owner: user,
      dateArchived: new Date().toISOString(),
    });
    await aRecord(db, 'notification', { user, message: 'Hello' });
    const view = { list: 'all', owner: user } as const;
    const shared = await aRecord(db, 'savedView', { ...view, organization, isShared: true });
    await aRecord(db, 'savedView', { ...view, organization });
    await aRecord(db, 'savedView', { ...view, organization: null });
    await db.write({ at: place.parts.clock(), by: user, changes: [] }, (write) =>
      write.change('user', user, { phone: '+51 1', timezone: 'America/Lima' }),
    );

    const page = await browser.ask(PAGE);
    expect(page.html).to.include('ana@gone.test').and.include(DELETED_NAME);
    const wrong = await browser.send(PAGE, { password: 'wrong' });
    expect(wrong.status).to.equal(422);
    expect((await person(user))?.name, 'nothing is done').to.equal('Ana Hill');

    const done = await browser.send(PAGE, { password: PASSWORD });
    expect(done.status).to.equal(200);
    expect(done.html).to.include('Your account is deleted');
    expect(await place.mailTo('ana@gone.test')).to.include({
      template: 'accountDeleted',
      language: 'fr-FR',
    });

    expect(await person(user)).to.deep.include({
      id: user,
      name: DELETED_NAME,
      givenName: null,
      familyName: null,
      email: null,
      phone: null,
      timezone: null,
      locale: null,
      authId: null,
      workflowUserId: null,
      profileVisibility: 0,
      emailNotification: false,
      isLocked: true,
    });
    for (const table of [
      'organization_memberships',
      'user_roles',
      'group_memberships',
      'notifications',
      'sign_ins',
    ])
      expect(await count(table, 'user_id', user), table).to.equal(0);
    expect(await count('accounts', 'id', sub)).to.equal(0);
    expect(await count('oidc_records', 'account_id', sub)).to.equal(0);
    expect(await count('signed_in_devices', 'account_id', sub)).to.equal(0);
    expect(await count('saved_views', 'owner_id', user)).to.equal(0);
    expect(await db.read((tx) => tx.one('savedView', shared.id))).to.include({ owner: null });
    const kept = await db.read((tx) => tx.one('project', archived.id));
    expect(kept?.owner).to.equal(user);

    // Nothing that a device holds signs anybody in, or makes the person anew.
    for (const held of [tokens, elsewhere]) {
      expect((await whoAmI(place, held.access_token)).status).to.equal(401);
      expect((await refresh(place.server, auth, held.refresh_token)).body.error).to.equal(
        'invalid_grant',
      );
    }
    for (const one of [browser, other])
      expect((await one.ask(PAGE)).location).to.equal('/account?sign-in=again');
    expect(await count('users', 'auth_id', sub)).to.equal(0);
  });

  it('clears what the app keeps on the device, and brings no session back', async () => {
    const { browser, sub } = await signedIn('bea@gone.test');
    const { headers } = await browser.send(PAGE, { password: PASSWORD });
    expect(headers.get('clear-site-data')).to.equal('"cache", "storage"');
    expect(headers.getSetCookie().join()).to.match(/_session=;/);
    expect(await count('oidc_records', 'account_id', sub)).to.equal(0);
  });

  it('keeps a write that was let in before from filling the row again', async () => {
    const { browser, tokens, user } = await signedIn('ines@gone.test');
    const caller = await callerOf(place.parts, tokens.access_token);
    await browser.send(PAGE, { password: PASSWORD });
    const stated = statedBy({ phone: '+51 2', name: 'Ines Hill' });
    const { results } = await performChange(place.parts, caller, {
      id: null,
      operations: [
        {
          op: 'update',
          type: 'user',
          id: user,
          stated,
          base: null,
          relationship: null,
          match: null,
          isUndo: false,
        },
      ],
    });
    expect(results).to.have.nested.property('[0].problems[0].code', 'user-locked');
    expect(await person(user)).to.deep.include({ name: DELETED_NAME, phone: null });
  });

  it('is audited, and takes the name out of the audit log', async () => {
    const { browser, user } = await signedIn('cleo@gone.test');
    const organization = (await anOrganization(place.parts.db)).id;
    await aMember(place.parts.db, organization, { user, roles: ['Author'] });
    await browser.send(PAGE, { password: PASSWORD });
    const events = await place.parts.db.read((tx) =>
      tx.query(sql<{
        readonly kind: string;
        readonly actor: string | null;
        readonly actorName: string | null;
        readonly subject: string | null;
        readonly address: string | null;
      }>`select kind, actor_id as actor, actor_name as "actorName", subject_name as subject, address
        from audit_events where actor_id = ${user} or subject_id = ${user} order by n`),
    );
    const deleted = events.find(({ kind }) => kind === 'account-deleted');
    expect(deleted).to.deep.include({ actor: user, actorName: DELETED_NAME, address: '127.0.0.1' });
    const kinds = events.map(({ kind }) => kind);
    expect(kinds).to.include.members(['membership-added', 'membership-left', 'role-taken']);
    expect(kinds).not.to.include('user-locked');
    for (const { subject, actorName } of events) {
      expect(subject).to.equal(DELETED_NAME);
      expect([DELETED_NAME, null]).to.include(actorName);
    }
  });

  it('is refused while they own a project or an organization, and lists both by name', async () => {
    const { db, clock } = place.parts;
    const { browser, user } = await signedIn('dan@stays.test');
    const organization = (await anOrganization(db, { owner: user, name: 'Dan & Co' })).id;
    const group = (await aGroup(db, { owner: organization })).id;
    await aMember(db, organization, { user, groups: [group] });
    const project = await aProject(db, { organization, group, owner: user, name: 'Harvest <1>' });
    const { html, status } = await browser.ask(PAGE);
    expect(status).to.equal(200);
    expect(html).to.include('Dan &amp; Co').and.include('Harvest &lt;1&gt;');
    expect(html).to.include(`/projects/${project.id}`);
    expect(html).to.include(`/users/${user}/settings/groups`);
    expect(html).not.to.include('type="password"');

    const refused = await browser.send(PAGE, { password: PASSWORD });
    expect(refused.status).to.equal(422);
    expect((await person(user))?.isLocked).to.equal(false);

    const heir = (await aUser(db)).id;
    await db.write({ at: clock(), by: null, changes: [] }, async (write) => {
      await write.change('project', project.id, { dateArchived: new Date().toISOString() });
      await write.change('organization', organization, { owner: heir });
    });
    expect((await browser.ask(PAGE)).html).to.include('type="password"');
  });
  it('is refused to the only super admin who can sign in', async () => {
    const { db, clock } = place.parts;
    const { browser, user } = await signedIn('sue@stays.test');
    await db.write({ at: clock(), by: null, changes: [] }, async (write) => {
      for (const held of await write.all('userRole', { roleName: 'SuperAdmin' }))
        await write.remove('userRole', held.id);
    });
    await aRole(db, user, 'SuperAdmin', null);
    const second = await signedIn('sam@stays.test');
    await aRole(db, second.user, 'SuperAdmin', null);
    await db.write({ at: clock(), by: null, changes: [] }, (write) =>
      write.change('user', second.user, { isLocked: true }),
    );
    expect((await browser.ask(PAGE)).html).to.include('the only super admin');
    await db.write({ at: clock(), by: null, changes: [] }, (write) =>
      write.change('user', second.user, { isLocked: false }),
    );
    expect((await browser.send(PAGE, { password: PASSWORD })).status).to.equal(200);
    expect((await person(user))?.name).to.equal(DELETED_NAME);
  });

  it('removes an export of their data with it', async () => {
    const services = place.parts;
    const { browser, user } = await signedIn('eve@gone.test');
    const cause = { at: services.clock(), by: user, changes: [] };
    await services.db.write(cause, (write) => requestDataExport(services, write, user));
    await makeDataExport(services, user, {
      failures: 0,
      signal: AbortSignal.timeout(60_000),
      complete: () => Promise.resolve(),
      retry: () => Promise.resolve(),
    });
    const [row] = await services.db.read((tx) =>
      tx.query(
        sql<{ readonly path: string }>`select path from data_exports where user_id = ${user}`,
      ),
    );
    const path = join(services.config.dataDir, row?.path ?? '');
    expect(existsSync(path)).to.equal(true);
    expect((await browser.send(PAGE, { password: PASSWORD })).status).to.equal(200);
    expect(existsSync(path)).to.equal(false);
    expect(await count('data_exports', 'user_id', user)).to.equal(0);
  });

  it('does not take a form that came from elsewhere', async () => {
    const { browser, user } = await signedIn('finn@stays.test');
    const answer = await browser.ask(PAGE, { password: PASSWORD, form_token: 'made-up' });
    expect(answer.status).to.equal(403);
    expect((await person(user))?.isLocked).to.equal(false);
  });

  it('asks for a code where a second factor is on', async () => {
    const { browser, nextCode } = await guarded(place, 'kim@gone.test');
    const without = await browser.send(PAGE, { password: PASSWORD });
    expect(without.status).to.equal(422);
    expect(await count('accounts', 'email', 'kim@gone.test')).to.equal(1);
    const done = await browser.send(PAGE, { password: PASSWORD, code: nextCode() });
    expect(done.status).to.equal(200);
    expect(await count('accounts', 'email', 'kim@gone.test')).to.equal(0);
  });
});
