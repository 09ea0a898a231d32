import { expect } from 'chai';
import { mayRemove } from '#rules/access.ts';
import { usesOf } from '#rules/undo/in-use.ts';
import { aWorld } from '../world.ts';

describe('[domain 2.7] removing is refused', () => {
  it('for an organization and a group that have a project, an archived one too', () => {
    const { db, sample, harbor, groups } = aWorld();
    db.put('project', { ...sample.project, dateArchived: '2026-01-31T09:30:00.000Z' });

    expect(usesOf('organization', sample.organization, db)).to.deep.equal({ project: 1 });
    expect(usesOf('organization', harbor, db)).to.equal(null);
    expect(usesOf('group', sample.group, db)).to.deep.equal({ project: 1 });
    expect(usesOf('group', groups.harbor, db)).to.equal(null);
  });

  it('for the membership of who owns a live project there, or the organization', () => {
    const { db, sample, people, lakeside } = aWorld();
    const uses = (user: string) => {
      const [membership] = db.all('organizationMembership', { user, organization: lakeside.id });
      if (membership === undefined) throw new Error('No member');
      return usesOf('organizationMembership', membership, db);
    };

    expect(uses(people.PO.id)).to.deep.equal({ project: 1 });
    expect(uses(people.OA.id)).to.deep.equal({ organization: 1 });
    expect(uses(people.OM.id)).to.equal(null);
    db.put('project', { ...sample.project, dateArchived: '2026-01-31T09:30:00.000Z' });
    expect(uses(people.PO.id)).to.equal(null);
  });

  it('for being in a group in which one owns a project, an archived one too', () => {
    const { db, sample, people, enter } = aWorld();
    const membership = enter(people.PO, sample.group);
    db.put('project', { ...sample.project, dateArchived: '2026-01-31T09:30:00.000Z' });

    expect(usesOf('groupMembership', membership, db)).to.deep.equal({ project: 1 });
    expect(usesOf('groupMembership', sample.groupMembership, db)).to.equal(null);
  });

  it('for what the catalogue names', () => {
    const { db, sample } = aWorld();

    expect(usesOf('storeType', sample.storeType, db)).to.deep.equal({
      store: 1,
      workflowDefinition: 1,
    });
    expect(usesOf('store', sample.store, db)).to.deep.equal({ product: 1 });
    expect(usesOf('productDefinition', sample.productDefinition, db)).to.deep.equal({ product: 1 });
    expect(usesOf('workflowDefinition', sample.workflowDefinition, db)).to.deep.equal({
      productDefinition: 1,
    });
    expect(usesOf('store', db.add('store'), db)).to.equal(null);
  });

  it('for the last super admin, by anyone', () => {
    const { db, viewers, people, roles, give } = aWorld();
    const [held] = db.all('userRole', { role: roles.SuperAdmin.id });
    if (held === undefined) throw new Error('No super admin');

    expect(mayRemove(viewers.SA, 'userRole', held, db)).to.equal(false);
    give(people.OM, 'SuperAdmin', null);
    expect(mayRemove(viewers.SA, 'userRole', held, db)).to.equal(true);
    expect(mayRemove(viewers.OA, 'userRole', held, db)).to.equal(false);
  });
});
