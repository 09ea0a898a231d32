import { expect } from 'chai';
import { mayCreate, mayRead, mayWriteField } from '#rules/access.ts';
import { mayClaim } from '#rules/project.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { recordOf } from '../support/records.ts';
import { aWorld } from './world.ts';
import type { Person, World } from './world.ts';

const EVERYONE: readonly Person[] = [
  'SA',
  'OA',
  'AB',
  'PO',
  'GM',
  'AU',
  'OM',
  'subject',
  'harbor',
  'nobody',
];

/**
 * Lists who may bring `fields` of the world's record of `type` to these values, each by its own
 * rule.
 */
function writers<T extends TypeName>(world: World, type: T, change: Partial<Of<T>>): string {
  const before = world.sample[type] as unknown as Of<T>;
  const after = { ...before, ...change };
  return EVERYONE.filter((person) =>
    Object.keys(change).every((field) =>
      mayWriteField(world.viewers[person], type, field, before, after, world.db),
    ),
  ).join(' ');
}

describe('[domain 2.5] who writes', () => {
  it('whether a project is public, downloads and automatic builds: owner and admins [R116]', () => {
    const world = aWorld();
    for (const field of ['isPublic', 'allowDownloads', 'automaticBuilds'] as const) {
      expect(writers(world, 'project', { [field]: false }), field).to.equal('SA OA PO');
    }
  });

  it('whether a project is archived: owner and admins [R303, R308]', () => {
    expect(writers(aWorld(), 'project', { dateArchived: '2026-01-31T09:30:00.000Z' })).to.equal(
      'SA OA PO',
    );
  });

  it('the owner of a project: who is in its group, admins, who hand it over, and super admins [R119]', () => {
    const world = aWorld();

    expect(writers(world, 'project', { owner: world.people.GM.id })).to.equal('SA OA GM');
  });

  it('the group of a project: to a group of their own; super admins to any [R118]', () => {
    const world = aWorld();
    const { south, harbor } = world.groups;

    expect(writers(world, 'project', { group: south.id })).to.equal('SA OA');
    expect(writers(world, 'project', { group: harbor.id })).to.equal('SA');
  });

  it('the group of a project: its owner too, once they are in the other group', () => {
    const world = aWorld();
    const { PO } = world.viewers;
    const project = world.sample.project;
    const after = { ...project, group: world.groups.south.id };
    const owner = { ...PO, groups: new Set([world.groups.south.id]) };

    expect(mayWriteField(PO, 'project', 'group', project, after, world.db)).to.equal(false);
    expect(mayWriteField(owner, 'project', 'group', project, after, world.db)).to.equal(true);
  });

  it('product properties: admins, not the owner of the project [R288, R303]', () => {
    expect(writers(aWorld(), 'product', { properties: '{}' })).to.equal('SA OA');
  });

  it('the properties of a new product: admins, though the owner adds it', () => {
    const { viewers, sample, db } = aWorld();
    const record = { ...sample.product, properties: '{}' };

    expect(mayCreate(viewers.PO, 'product', record, db)).to.equal(true);
    expect(mayWriteField(viewers.PO, 'product', 'properties', null, record, db)).to.equal(false);
    expect(mayWriteField(viewers.OA, 'product', 'properties', null, record, db)).to.equal(true);
  });

  it('the owner of an organization: super admins alone', () => {
    const world = aWorld();

    expect(writers(world, 'organization', { owner: world.people.AB.id })).to.equal('SA');
  });

  it('the address, mail and visibility of a person: they themselves and super admins [R305]', () => {
    const world = aWorld();

    expect(writers(world, 'user', { email: 'a@b.test' })).to.equal('SA subject');
    expect(writers(world, 'user', { emailNotification: false })).to.equal('SA subject');
    expect(writers(world, 'user', { silencedMails: ['tasks'] })).to.equal('SA subject');
    expect(writers(world, 'user', { profileVisibility: 1 })).to.equal('SA subject');
  });

  it('the lock of a person: super admins, and an admin of all of their organizations [R305]', () => {
    const world = aWorld();

    expect(writers(world, 'user', { isLocked: true })).to.equal('SA OA');
    world.join(world.people.subject, world.harbor);
    expect(writers(world, 'user', { isLocked: true })).to.equal('SA');
  });

  it('the lock of a super admin: no admin, and never of oneself', () => {
    const world = aWorld();
    const { viewers, people, db } = world;
    world.give(people.subject, 'SuperAdmin', null);
    const locked = { ...people.SA, isLocked: true };

    expect(writers(world, 'user', { isLocked: true })).to.equal('SA');
    expect(mayWriteField(viewers.SA, 'user', 'isLocked', people.SA, locked, db)).to.equal(false);
  });
});

describe('[domain 2.2] a new project', () => {
  const by = (person: Person, fields: (world: World) => Partial<Of<'project'>>) => {
    const world = aWorld();
    const record = recordOf('project', { organization: world.lakeside.id, ...fields(world) });
    return mayCreate(world.viewers[person], 'project', record, world.db);
  };

  it('may be made by an app builder in a group of their own, for themself [R306]', () => {
    expect(
      by('AB', ({ groups, people }) => ({ group: groups.south.id, owner: people.AB.id })),
    ).to.equal(true);
  });

  it('may not be made for someone else, nor in another group', () => {
    expect(
      by('AB', ({ groups, people }) => ({ group: groups.south.id, owner: people.OM.id })),
    ).to.equal(false);
    expect(
      by('AB', ({ groups, people }) => ({ group: groups.north.id, owner: people.AB.id })),
    ).to.equal(false);
  });

  it('may not be made by an admin who is no app builder, nor by a builder of elsewhere [R306]', () => {
    expect(
      by('OA', ({ groups, people }) => ({ group: groups.south.id, owner: people.OA.id })),
    ).to.equal(false);
    expect(
      by('harbor', ({ groups, people }) => ({ group: groups.harbor.id, owner: people.harbor.id })),
    ).to.equal(false);
  });

  it('may be made by a super admin in any group, for anyone [R272]', () => {
    expect(
      by('SA', ({ groups, people }) => ({ group: groups.north.id, owner: people.OM.id })),
    ).to.equal(true);
  });

  it('may be imported by an admin in a group of their own, for themself [R301]', () => {
    const world = aWorld();
    const may = (group: string, owner: string) =>
      mayCreate(
        world.viewers.OA,
        'projectImport',
        { ...world.sample.projectImport, group, owner },
        world.db,
      );

    expect(may(world.groups.south.id, world.people.OA.id)).to.equal(true);
    expect(may(world.groups.north.id, world.people.OA.id)).to.equal(false);
    expect(may(world.groups.south.id, world.people.OM.id)).to.equal(false);
  });
});

describe('[domain 2.2] roles', () => {
  const give = (person: Person, to: Person, role: 'SuperAdmin' | 'Author') => {
    const { viewers, people, roles, lakeside, db } = aWorld();
    const organization = role === 'SuperAdmin' ? null : lakeside.id;
    const record = recordOf('userRole', {
      user: people[to].id,
      role: roles[role].id,
      organization,
    });
    return mayCreate(viewers[person], 'userRole', record, db);
  };

  it('are given by admins to others, never to themselves [R284]', () => {
    expect(give('OA', 'OM', 'Author')).to.equal(true);
    expect(give('OA', 'OA', 'Author')).to.equal(false);
  });

  it('are given by super admins, to themselves too [R284, R300]', () => {
    expect(give('SA', 'SA', 'Author')).to.equal(true);
    expect(give('SA', 'OM', 'SuperAdmin')).to.equal(true);
  });

  it('never make a super admin by an admin, whatever the record says of its name [R284]', () => {
    const { viewers, people, roles, lakeside, db } = aWorld();
    const disguised = recordOf('userRole', {
      user: people.OM.id,
      role: roles.SuperAdmin.id,
      roleName: 'Author',
      organization: lakeside.id,
    });

    expect(give('OA', 'OM', 'SuperAdmin')).to.equal(false);
    expect(mayCreate(viewers.OA, 'userRole', disguised, db)).to.equal(false);
  });
});

describe('an organization', () => {
  it('may be created by whoever brings a token, for themself [R357]', () => {
    const { viewers, people, db } = aWorld();
    const invited = recordOf('organization', { token: 'abc', owner: people.nobody.id });
    const blank = recordOf('organization', { token: ' ', owner: people.nobody.id });
    const owner = (record: Of<'organization'>) =>
      mayWriteField(viewers.nobody, 'organization', 'owner', null, record, db);

    expect(mayCreate(viewers.nobody, 'organization', invited, db)).to.equal(true);
    expect(mayCreate(viewers.nobody, 'organization', blank, db)).to.equal(false);
    expect(owner(invited)).to.equal(true);
    expect(owner({ ...invited, owner: people.OA.id })).to.equal(false);
  });
});

describe('claiming a project', () => {
  it('is for those of its group who do not own it [R276, R310]', () => {
    const { viewers, sample } = aWorld();
    const who = EVERYONE.filter((person) => mayClaim(viewers[person], sample.project));

    expect(who.join(' ')).to.equal('GM');
    expect(mayClaim(viewers.GM, { ...sample.project, owner: viewers.GM.id })).to.equal(false);
  });
});

describe('outsiders', () => {
  it('meet the owner of a public project and of its organization, and nobody else there [R309]', () => {
    const world = aWorld();
    const { viewers, people, db } = world;
    const meets = () =>
      EVERYONE.filter((person) => mayRead(viewers.harbor, 'user', people[person], db)).join(' ');

    expect(meets()).to.equal('harbor');
    world.publish();
    expect(meets()).to.equal('OA PO harbor');
  });

  it('lose sight of a public project once it is archived [R129]', () => {
    const world = aWorld();
    const open = world.publish();
    const sees = () => mayRead(world.viewers.harbor, 'product', world.sample.product, world.db);

    expect(sees()).to.equal(true);
    world.db.put('project', { ...open, dateArchived: '2026-01-31T09:30:00.000Z' });
    expect(sees()).to.equal(false);
  });
});
