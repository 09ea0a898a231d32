// Covers server/domain/personal-data and server/http/api/calls/data-export.ts.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { storedTypes, toOnesOf } from '#schema/index.ts';
import { addAccount } from '#server/domain/accounts/accounts.ts';
import { addPasskey } from '#server/domain/accounts/passkeys.ts';
import { leaveOutAddresses, LEFT_OUT } from '#server/domain/personal-data/leave-out-addresses.ts';
import { personalDataOf } from '#server/domain/personal-data/personal-data.ts';
import { notify } from '#server/domain/notifications/notify.ts';
import { newId } from '../../../support/make.ts';
import { filesOfZip, inFolder } from '../../../support/zips.ts';
import { HTML, Town } from '../../publishing/town.ts';
import type { Name } from '../../publishing/town.ts';

const HOUR_MS = 3_600_000;
const ADDRESS = '/api/users/current-user/export';

/** Whatever people wrote themselves is theirs. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'product-comments.json',
  'product-transitions.json',
]);

describe('[12.6] [wire 11.13] an export of one’s own data', function () {
  this.timeout(120_000);
  let town: Town;
  before(async () => {
    town = await Town.found();
  });
  after(() => town.stop());

  const ask = (who: Name, method = 'GET', path = ADDRESS) => town.ask(who, method, path);
  const exported = () => readdirSync(join(town.server.parts.config.dataDir, 'exports'));
  const audited = (who: Name) =>
    town.server.parts.db.read((tx) =>
      tx.query(sql<{ readonly kind: string }>`select kind from audit_events
        where kind like 'data-%' and subject_id = ${town.people[who]} order by n`),
    );
  /** Asks for it, and returns the files in it. */
  async function filesFor(who: Name): Promise<ReadonlyMap<string, unknown>> {
    expect((await ask(who, 'POST')).status).to.equal(200);
    await town.server.parts.jobs.untilIdle();
    const { json } = await ask(who, 'GET', `${ADDRESS}/link`);
    const answer = await town.fetch(null, 'GET', String(json.url));
    expect(answer.status).to.equal(200);
    return inFolder(async (folder) => {
      const path = join(folder, 'export.zip');
      writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
      const files = await filesOfZip(path);
      return new Map(
        [...files].map(([name, bytes]) => {
          const text = bytes.toString('utf8');
          return [name, name.endsWith('.json') ? (JSON.parse(text) as unknown) : text];
        }),
      );
    });
  }

  it('is made by a job, told of by a notification and a mail, and kept for a day', async () => {
    expect((await ask('author')).json).to.deep.include({ state: 'none', nextAt: null });
    expect((await ask('author', 'GET', `${ADDRESS}/link`)).status).to.equal(404);
    expect((await ask('author', 'POST')).json).to.deep.include({ state: 'being-made' });

    town.letters.length = 0;
    await town.server.parts.jobs.untilIdle();
    const ready = (await ask('author')).json;
    expect(ready.state).to.equal('ready');
    expect(ready.sizeBytes).to.be.greaterThan(0);
    expect(town.letters.map(({ template }) => template)).to.deep.equal(['dataExport']);
    expect(town.letters[0]?.values).to.deep.equal({ link: `${town.server.url}/account` });
    const [told] = (await town.told('author')).toReversed();
    expect(told).to.deep.include({ messageId: 'dataExportReady', linkUrl: '/account' });

    const { json: link } = await ask('author', 'GET', `${ADDRESS}/link`);
    expect((await town.fetch(null, 'GET', String(link.url))).status).to.equal(200);
    town.pass(HOUR_MS);
    expect((await town.fetch(null, 'GET', String(link.url))).status, 'an old link').to.equal(404);
    town.pass(22 * HOUR_MS);
    const { json: later } = await ask('author', 'GET', `${ADDRESS}/link`);
    expect((await town.fetch(null, 'GET', String(later.url))).status).to.equal(200);
    town.pass(HOUR_MS);
    expect((await town.fetch(null, 'GET', String(later.url))).status).to.equal(404);
    expect((await ask('author')).json).to.deep.include({ state: 'none', nextAt: null });
    // One that a crash left without its row, and one that is being made.
    const now = town.server.parts.clock();
    const { dataDir } = town.server.parts.config;
    const [left, being] = [`left-${now - 47 * HOUR_MS}.zip`, `being-${now - HOUR_MS}.zip`];
    for (const name of [left, being]) writeFileSync(join(dataDir, 'exports', name), '');
    await town.live(2 * HOUR_MS);
    expect(exported()).to.deep.equal([being]);
    rmSync(join(dataDir, 'exports', being));
    expect((await audited('author')).map(({ kind }) => kind)).to.deep.equal([
      'data-exported',
      'data-downloaded',
      'data-downloaded',
    ]);
  });

  it('can be asked for once an hour, and the newest takes the place of the one before', async () => {
    await filesFor('member');
    const refused = await ask('member', 'POST');
    expect([refused.status, refused.refusal]).to.deep.equal([429, 'too-many-requests']);
    expect((await ask('member')).json.state).to.equal('ready');
    expect(Date.parse(String((await ask('member')).json.nextAt))).to.be.greaterThan(
      town.server.parts.clock(),
    );
    // Nobody else waits for it.
    expect((await ask('admin', 'POST')).status).to.equal(200);

    town.pass(HOUR_MS);
    expect((await ask('member')).json.nextAt).to.equal(null);
    await town.server.parts.jobs.untilIdle();
    const before = exported().length;
    await filesFor('member');
    expect(exported()).to.have.length(before);
  });

  it('has everything that names the person, and of others no more than names', async () => {
    const project = await town.project('Lantern');
    await town.upload(project);
    const product = await town.product(project);
    await town.workOff();
    await town.command('owner', product, 'Continue');
    await town.workOff();
    const said = 'I wrote this, ask bob@elsewhere.test';
    await town.server.parts.db.write(
      { at: town.server.parts.clock(), by: null, changes: [] },
      async (write) => {
        const { owner, admin } = town.people;
        await write.change('user', owner, { phone: '+51 7', email: 'olga@lakeside.test' });
        await write.change('user', admin, { phone: '+51 999', email: 'secret@lakeside.test' });
        await write.insert('organizationMembershipInvite', {
          id: newId(),
          email: 'invited@elsewhere.test',
          organization: town.organization,
          invitedBy: owner,
        });
        await write.insert('productTransition', {
          id: newId(),
          product,
          transitionType: 1,
          workflowUserId: owner,
          comment: said,
        });
        await write.insert('productComment', {
          id: newId(),
          product,
          user: owner,
          text: `${said}, or @[${admin}]`,
        });
        const message = {
          id: 'membershipInviteRedeemed',
          organization: town.organization,
          values: { userName: 'Ida', orgName: 'Lakeside, invited@elsewhere.test' },
          linkUrl: '/',
        } as const;
        await notify({ services: town.server.parts, write }, owner, message);
      },
    );
    const files = await filesFor('owner');
    const names = [...files.keys()];
    expect(names).to.include.members([
      'README.txt',
      'users.json',
      'user-roles.json',
      'organization-memberships.json',
      'group-memberships.json',
      'organization-membership-invites.json',
      'projects.json',
      'product-comments.json',
      'product-transitions.json',
      'notifications.json',
      'sign-in.json',
      'repository-uploads.json',
      'recent-changes.json',
      'audit-events.json',
    ]);
    expect(files.get('users.json')).to.deep.include.members([
      { ...(files.get('users.json') as readonly object[])[0], phone: '+51 7' },
    ]);
    expect(JSON.stringify(files.get('projects.json'))).to.include('Lantern');
    // A build that the person began, and not what the engine said of it.
    const [build] = files.get('product-builds.json') as readonly Record<string, unknown>[];
    expect(Object.keys(build ?? {})).to.have.members([
      'id',
      'version',
      'success',
      'triggered-by',
      'date-started',
      'date-finished',
      'product',
      'date-created',
      'date-updated',
    ]);
    expect(build).to.deep.include({ success: true, 'triggered-by': 'person' });
    expect(build?.product).to.deep.include({ id: product, name: `Lantern, ${HTML}` });
    expect(names).not.to.include('products.json');
    expect(JSON.stringify(files.get('product-transitions.json'))).to.include(said);
    // Whom it mentions has a name there, and no id.
    const comments = JSON.stringify(files.get('product-comments.json'));
    expect(comments).to.include(`${said}, or @`).and.not.to.include(town.people.admin);
    expect(JSON.stringify(files.get('organization-memberships.json'))).to.include('Lakeside Press');
    expect(JSON.stringify(files.get('notifications.json')))
      .to.include(LEFT_OUT)
      .and.include('Ida');

    const all = [...files.entries()]
      .filter(([name]) => name.endsWith('.json') && !OWN_WORDS.has(name))
      .map(([, content]) => JSON.stringify(content))
      .join();
    expect(all).to.include('olga@lakeside.test');
    for (const other of ['invited@elsewhere.test', 'secret@lakeside.test', '+51 999'])
      expect(all).not.to.include(other);
    const [account] = await town.server.parts.db.read((tx) =>
      tx.query(
        sql<{ readonly hash: string }>`select password_hash as hash from accounts
          where id::text = (select auth_id from users where id = ${town.people.owner})`,
      ),
    );
    if (account !== undefined) expect(all).not.to.include(account.hash);
    expect(all).not.to.match(/token|password/i);
    expect(town.faults).to.deep.equal([]);
  });

  it('tells the second factor with its passkeys by name, and nothing that lets anybody in', async () => {
    const { clock, random, db } = town.server.parts;
    const key = { credentialId: 'aWQtb2YtYS1rZXk', publicKey: 'cHVibGljLWtleQ' };
    const account = {
      ...{ email: `ada-${newId()}@lakeside.test`, name: 'Ada', locale: 'en-US' as const },
      ...{ passwordHash: 'hash-of-a-password', isVerified: true },
    };
    const data = await db.transact(async (tx) => {
      const id = (await addAccount(tx, account, clock, random)) ?? '';
      const passkey = { name: 'Phone of Ada', ...key, counter: 1, transports: ['internal'] };
      expect((await addPasskey(tx, id, passkey, { clock, random })).is).to.equal('added');
      const [ada] = await tx.all('user', { id: town.people.admin });
      if (ada === undefined) throw new Error('There is no admin');
      return personalDataOf(tx, { ...ada, authId: id }, clock);
    });
    const signIn = data['sign-in'] as Readonly<
      Record<'second-factor', { readonly passkeys: readonly object[] }>
    >;
    expect(signIn['second-factor']).to.include({ 'recovery-codes-left': 10 });
    expect(signIn['second-factor'].passkeys).to.have.length(1);
    expect(signIn['second-factor'].passkeys[0]).to.include({
      name: 'Phone of Ada',
      'last-used-at': null,
    });
    for (const secret of [...Object.values(key), account.passwordHash])
      expect(JSON.stringify(data)).not.to.include(secret);
  });

  it('names a person in each type that has a to-one to people, unless it is somebody else’s', () => {
    const naming = storedTypes.flatMap((type) =>
      toOnesOf(type).flatMap(([field, { to }]) => (to === 'user' ? [`${type}.${field}`] : [])),
    );
    // A new one is exported by itself; whoever adds it looks here at whose data it is.
    expect(naming).to.have.members([
      'author.user',
      'groupMembership.user',
      'notification.user',
      'organization.owner',
      'organizationMembership.addedBy',
      'organizationMembership.user',
      'organizationMembershipInvite.invitedBy',
      'product.assigned',
      'productBuild.startedBy',
      'productComment.user',
      'project.owner',
      'projectImport.owner',
      'savedView.owner',
      'userRole.user',
      'userTask.assigned',
      'userTask.user',
    ]);
  });

  it('is for nobody who is signed out, and leaves no file when its person is gone', async () => {
    expect((await town.fetch(null, 'GET', ADDRESS)).status).to.equal(401);
    expect((await town.fetch(null, 'POST', ADDRESS)).status).to.equal(401);
    const before = exported();
    town.pass(HOUR_MS);
    await ask('super', 'POST');
    await town.server.parts.db.transact((tx) =>
      tx.query(sql`delete from data_exports where user_id = ${town.people.super}`),
    );
    await town.server.parts.jobs.untilIdle();
    expect(exported()).to.deep.equal(before);
    expect(existsSync(join(town.server.parts.config.dataDir, 'exports'))).to.equal(true);
  });
});

describe('[12.6] addresses of others in an export', () => {
  it('are left out wherever they stand, and one’s own stay', () => {
    const clean = (text: unknown) => leaveOutAddresses(text, ['Ana@Hill.test']);
    expect(clean('ana@hill.test wrote to ben@lake.test.')).to.equal(
      `ana@hill.test wrote to ${LEFT_OUT}.`,
    );
    expect(clean({ to: ['<ben@lake.test>'], n: 3, none: null })).to.deep.equal({
      to: [`<${LEFT_OUT}>`],
      n: 3,
      none: null,
    });
  });

  it('are looked for in a time that grows with the text alone', () => {
    const long = 'x'.repeat(200_000);
    const begun = process.cpuUsage();
    expect(leaveOutAddresses(long, [])).to.equal(long);
    expect(process.cpuUsage(begun).user).to.be.lessThan(5_000_000);
  });
});
