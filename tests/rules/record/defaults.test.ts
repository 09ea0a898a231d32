import { expect } from 'chai';
import { newRecord } from '#rules/record/defaults.ts';
import { resourceOf, typeNames } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { anId, NOW } from '../../support/records.ts';
import { aWorld } from '../world.ts';
import type { Person, World } from '../world.ts';

function born<T extends TypeName>(
  world: World,
  person: Person,
  type: T,
  fields: Partial<Of<T>>,
): Of<T> {
  const viewer = world.viewers[person];
  return newRecord(type, fields, { viewer, find: world.db, at: NOW, id: anId() });
}

describe('a new record', () => {
  it('states every field of its type, and nothing is undefined', () => {
    const world = aWorld();
    for (const type of typeNames) {
      const record = born(world, 'AB', type, {}) as Readonly<Record<string, unknown>>;
      const fields = Object.entries(resourceOf(type).fields).filter(([, { is }]) => is !== 'many');

      expect(Object.keys(record)).to.have.members([
        ...['id', 'version', 'dateCreated', 'dateUpdated'],
        ...fields.map(([name]) => name),
      ]);
      expect(Object.values(record), type).not.to.include(undefined);
      expect(record.version).to.equal(0);
    }
  });

  it('of a project is its maker’s, and as public as the organization wants [R90, R416]', () => {
    const world = aWorld();
    const project = (fields: Partial<Of<'project'>> = {}) =>
      born(world, 'AB', 'project', { organization: world.lakeside.id, ...fields });

    expect(project().owner).to.equal(world.people.AB.id);
    expect(project().isPublic).to.equal(true);
    world.db.put('organization', { ...world.lakeside, publicByDefault: false });
    expect(project().isPublic).to.equal(false);
    expect(project({ isPublic: true }).isPublic).to.equal(true);
  });

  it('keeps a null that was stated where there must be a value, to be refused', () => {
    expect(born(aWorld(), 'AB', 'project', { isPublic: null as never }).isPublic).to.equal(null);
  });

  it('of an invitation ends in a day, and says who invites [R192, R409]', () => {
    const world = aWorld();
    const invite = born(world, 'OA', 'organizationMembershipInvite', {});

    expect(invite.expiresAt).to.equal('2026-02-01T09:30:00.000Z');
    expect(invite.invitedBy).to.equal(world.people.OA.id);
  });

  it('of a reviewer speaks the language of who adds them [R280]', () => {
    const world = aWorld();
    world.db.put('user', { ...world.people.PO, locale: 'fr-FR' });
    world.db.put('user', { ...world.people.OA, locale: null });

    expect(born(world, 'PO', 'reviewer', {}).locale).to.equal('fr-FR');
    expect(born(world, 'OA', 'reviewer', {}).locale).to.equal('en-US');
    expect(born(world, 'PO', 'reviewer', { locale: 'es-419' }).locale).to.equal('es-419');
  });

  it('of a role held copies its name; of an invited organization is the caller’s [R186]', () => {
    const world = aWorld();
    const { roles, people } = world;

    expect(born(world, 'OA', 'userRole', { role: roles.Author.id }).roleName).to.equal('Author');
    expect(born(world, 'nobody', 'organization', { token: 'abc' }).owner).to.equal(
      people.nobody.id,
    );
    expect(born(world, 'SA', 'organization', {}).owner).to.equal(null);
  });
});
