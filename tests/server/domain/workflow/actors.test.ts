import { expect } from 'chai';
import { actorsOf } from '#server/domain/workflow/actors.ts';
import { aWorld } from '../../../rules/world.ts';

describe('[domain 4.1] the actors of a project', () => {
  it('are its owner, the admins of its organization and its authors [R291]', () => {
    const { db, sample, people } = aWorld();
    expect(actorsOf(sample.project, db)).to.deep.equal({
      Owner: [people.PO.id],
      OrgAdmin: [people.OA.id],
      Author: [people.AU.id],
    });
  });

  it('are nobody who is locked', () => {
    const { db, sample, people } = aWorld();
    for (const person of [people.PO, people.OA, people.AU])
      db.put('user', { ...person, isLocked: true });
    expect(actorsOf(sample.project, db)).to.deep.equal({ Owner: [], OrgAdmin: [], Author: [] });
  });

  it('has the owner of the organization stand in while it has no admin', () => {
    const { db, sample, people, lakeside } = aWorld();
    db.put('user', { ...people.OA, isLocked: true });
    db.put('organization', { ...lakeside, owner: people.OM.id });
    expect(actorsOf(sample.project, db).OrgAdmin).to.deep.equal([people.OM.id]);
  });

  it('[P2] hold their role together with a membership of that organization [R292]', () => {
    const { db, sample, people, roles, harbor, lakeside } = aWorld();
    const give = (organization: string) =>
      db.add('userRole', {
        user: people.nobody.id,
        role: roles.OrganizationAdmin.id,
        roleName: 'OrganizationAdmin',
        organization,
      });
    give(lakeside.id);
    expect(actorsOf(sample.project, db).OrgAdmin).to.deep.equal([people.OA.id]);
    db.add('organizationMembership', { user: people.nobody.id, organization: harbor.id });
    give(harbor.id);
    expect(actorsOf(sample.project, db).OrgAdmin).to.deep.equal([people.OA.id]);
  });

  it('has no author who lost the role [R307]', () => {
    const { db, sample, people } = aWorld();
    db.add('author', { user: people.GM.id, project: sample.project.id });
    expect(actorsOf(sample.project, db).Author).to.deep.equal([people.AU.id]);
  });
});
