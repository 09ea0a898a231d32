import { expect } from 'chai';
import { newId } from '#base/id.ts';
import type { WriteTransaction } from '#server/db/database.ts';
import { keysOf } from '#server/domain/accounts/keys.ts';
import { userIdBySignInAddress } from '#server/domain/accounts/person.ts';
import { loadViewer } from '#server/access/viewer.ts';
import { freshDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { lock, whoAmI } from '../../http/identity/people.ts';
import { openPlace } from '../../http/identity/place.ts';
import type { Place } from '../../http/identity/place.ts';

describe('[domain 9.1] the first sign-in', () => {
  let database: TestDatabase;
  let place: Place;
  let other: Place;

  before(async function () {
    this.timeout(60_000);
    database = await freshDatabase();
    place = await openPlace({ ADMIN_EMAIL: 'Root@hill.test' }, database);
    const { publicUrl } = place.parts.config;
    other = await openPlace({ PUBLIC_URL: publicUrl, ADMIN_EMAIL: 'root@hill.test' }, database);
  });
  after(async () => {
    await place.close();
    await other.close();
    await database.close();
  });

  const write = <T>(work: (w: WriteTransaction) => Promise<T>) =>
    place.parts.db.write({ at: place.parts.clock(), by: null, changes: [] }, work);
  const id = () => newId(place.parts.clock, place.parts.random);
  const usersWith = async (email: string) =>
    (await place.parts.db.read((tx) => tx.all('user', { email }))).length;

  it('makes one user, however many first requests come at once, in two processes', async () => {
    const token = await tokenFor(place.parts, 'race@hill.test');
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => whoAmI(i % 2 === 0 ? place : other, token)),
    );
    expect(new Set(all.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(all.map(({ body }) => body.user?.id)).size).to.equal(1);
    expect(await usersWith('race@hill.test')).to.equal(1);
  });

  it('links a user with that email who never signed in, once and for ever', async () => {
    const user = id();
    await write((w) => w.insert('user', { id: user, email: 'Known@Hill.test', name: 'Kim' }));
    const first = await whoAmI(place, await tokenFor(place.parts, 'known@hill.TEST'));
    expect(first.body.user).to.include({ id: user, name: 'Kim', email: 'Known@Hill.test' });

    const stranger = { email: 'known@hill.test', sub: 'another|account' };
    const second = await whoAmI(place, await tokenFor(place.parts, stranger));
    expect(second.body.user?.id).to.not.equal(user);

    const moved = { email: 'moved@hill.test', sub: 'test|known@hill.test' };
    const third = await whoAmI(place, await tokenFor(place.parts, moved));
    expect(third.body.user, 'sub decides; the contact address stays').to.include({
      id: user,
      email: 'Known@Hill.test',
    });
  });

  it('remembers the verified address by which others find them, not the contact address', async () => {
    const { body } = await whoAmI(place, await tokenFor(place.parts, 'Find@Hill.test'));
    const userId = String(body.user?.id);
    await write((w) => w.change('user', userId, { email: 'contact@hill.test' }));
    const find = (email: string) => place.parts.db.read((tx) => userIdBySignInAddress(tx, email));
    expect(await find('find@hill.test')).to.equal(userId);
    expect(await find('contact@hill.test')).to.equal(null);

    const renamed = { email: 'found@hill.test', sub: 'test|find@hill.test' };
    await whoAmI(place, await tokenFor(place.parts, renamed));
    expect(await find('found@hill.test')).to.equal(userId);
    expect(await find('find@hill.test')).to.equal(null);
  });

  it('takes name and language from the token, in our own form [R221, R410]', async () => {
    const token = await tokenFor(place.parts, {
      email: 'new@hill.test',
      name: `  Nina \n ${'x'.repeat(300)}`,
      given_name: 'Nina',
      locale: 'es',
    });
    const { user } = (await whoAmI(place, token)).body;
    expect(user).to.include({ givenName: 'Nina', familyName: null, locale: 'es-419' });
    expect(user?.name)
      .to.have.length(250)
      .and.match(/^Nina x/);
  });

  it('cuts a long name between two characters, not through one', async () => {
    const token = await tokenFor(place.parts, {
      email: 'signs@hill.test',
      name: `x${'😀'.repeat(200)}`,
    });
    expect((await whoAmI(place, token)).body.user?.name).to.equal(`x${'😀'.repeat(124)}`);
  });

  it('makes the person with ADMIN_EMAIL super admin while there is none', async () => {
    const before = await whoAmI(place, await tokenFor(place.parts, 'root@hill.test'));
    expect(before.body.isSuperAdmin).to.equal(true);
    const again = { email: 'root@hill.test', sub: 'second|root' };
    const second = await whoAmI(place, await tokenFor(place.parts, again));
    expect(second.body.isSuperAdmin, 'there is one already').to.equal(false);
  });

  it('does not bring a locked person back [R22]', async () => {
    const token = await tokenFor(place.parts, 'barred@hill.test');
    await whoAmI(place, token);
    await lock(place, 'test|barred@hill.test');
    expect((await whoAmI(other, token)).body.errors?.[0]?.code).to.equal('user-locked');
  });

  it('[domain P2] counts a role only together with a membership [R292]', async () => {
    const { body } = await whoAmI(place, await tokenFor(place.parts, 'roles@hill.test'));
    const user = String(body.user?.id);
    const [organization, group, membership] = [id(), id(), id()];
    await write(async (w) => {
      const [role] = await w.all('role', { roleName: 'AppBuilder' });
      if (role === undefined) throw new Error('Roles are seeded');
      await w.insert('organization', { id: organization, name: 'Hill', owner: user });
      await w.insert('group', { id: group, name: 'North', abbreviation: 'N', owner: organization });
      await w.insert('groupMembership', { id: id(), user, group });
      const { roleName } = role;
      await w.insert('userRole', { id: id(), user, organization, role: role.id, roleName });
    });
    const viewer = () => place.parts.db.read((tx) => loadViewer(tx, user));
    expect((await viewer()).builderIn.size).to.equal(0);
    expect((await viewer()).groups.size).to.equal(0);

    await write((w) =>
      w.insert('organizationMembership', {
        id: membership,
        user,
        organization,
        dateAccepted: '2026-01-31T09:30:00.000Z',
      }),
    );
    const member = await viewer();
    expect([...member.builderIn]).to.deep.equal([organization]);
    expect([...member.groups]).to.deep.equal([group]);
    expect([...member.memberOf]).to.deep.equal([organization]);
    expect(member.adminOf.size + member.authorIn.size).to.equal(0);
  });

  it('is checked with keys that all processes share', async () => {
    const both = await Promise.all(
      [place, other].map(({ parts: services }) => keysOf(services.db, services.random)),
    );
    expect(both[0]).to.deep.equal(both[1]);
  });
});
