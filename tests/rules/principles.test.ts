import { expect } from 'chai';
import { mayCreate, mayRead, mayRemove, mayUpdate, mayWriteField } from '#rules/access.ts';
import { mayDownloadFiles } from '#rules/product.ts';
import { mayDownloadRepository, mayOpenProject, mayUploadRepository } from '#rules/project.ts';
import { viewerOf } from '#rules/viewer.ts';
import type { Viewer } from '#rules/viewer.ts';
import { typeNames } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { aViewer } from '../support/records.ts';
import { aWorld } from './world.ts';

describe('[domain 2.1] permissions', () => {
  it('P1: add up, so who is both author and owner has what either has [R291]', () => {
    const { viewers, sample, db } = aWorld();
    const both = { ...sample.project, owner: viewers.AU.id };
    db.put('project', both);

    expect(mayDownloadRepository(viewers.AU, both, db)).to.equal(true);
    expect(mayUploadRepository(viewers.AU, both, db)).to.equal(true);
    expect(mayUpdate(viewers.AU, 'project', both, db)).to.equal(true);
  });

  it('know four roles: one for everywhere, three for the organization in which they are held [R291]', () => {
    const { viewers, lakeside, harbor } = aWorld();
    const rolesOf = ({ isSuperAdmin, adminOf, builderIn, authorIn }: Viewer) => ({
      isSuperAdmin,
      in: [adminOf, builderIn, authorIn].map((held) => [...held]),
    });
    const [here, there] = [[lakeside.id], [harbor.id]];

    expect(rolesOf(viewers.SA)).to.deep.equal({ isSuperAdmin: true, in: [[], [], []] });
    expect(rolesOf(viewers.OA)).to.deep.equal({ isSuperAdmin: false, in: [here, [], []] });
    expect(rolesOf(viewers.AB)).to.deep.equal({ isSuperAdmin: false, in: [[], here, []] });
    expect(rolesOf(viewers.AU)).to.deep.equal({ isSuperAdmin: false, in: [[], [], here] });
    expect(rolesOf(viewers.OM)).to.deep.equal({ isSuperAdmin: false, in: [[], [], []] });
    expect(rolesOf(viewers.harbor)).to.deep.equal({
      isSuperAdmin: false,
      in: [there, there, there],
    });
  });

  it('P2: a role, and a group, without a membership of the same organization is none [R292]', () => {
    const world = aWorld();
    const { people, lakeside, db } = world;
    world.give(people.nobody, 'OrganizationAdmin', lakeside);
    world.enter(people.nobody, world.groups.north);
    const viewer = viewerOf(people.nobody.id, db);

    expect(viewer.adminOf.size + viewer.groups.size).to.equal(0);
    expect(mayRead(viewer, 'project', world.sample.project, db)).to.equal(false);
    world.join(people.nobody, lakeside);
    expect(viewerOf(people.nobody.id, db).adminOf.has(lakeside.id)).to.equal(true);
  });

  it('P3: super admins pass every role check where they are no member, but are no authors [R292]', () => {
    const { viewers, sample, db, lakeside } = aWorld();

    expect(viewers.SA.memberOf.has(lakeside.id)).to.equal(false);
    expect(mayUpdate(viewers.SA, 'project', sample.project, db)).to.equal(true);
    expect(mayUploadRepository(viewers.SA, sample.project, db)).to.equal(false);
    expect(mayRead(viewers.SA, 'userTask', sample.userTask, db)).to.equal(false);
  });

  it('P4: give a person of another organization nothing at all of a private project [R20]', () => {
    const world = aWorld();
    const { viewers, sample, db } = world;
    const seen = typeNames.filter((type) =>
      mayRead(viewers.harbor, type, sample[type] as Of<TypeName>, db),
    );

    expect(seen).to.have.members([
      ...['role', 'applicationType', 'storeType', 'storeLanguage', 'store'],
      ...['workflowDefinition', 'productDefinition'],
    ]);
  });

  it('P8: know no anonymous directory: reading asks for someone in every case [R7]', () => {
    const { sample, db } = aWorld();
    const stranger = aViewer();
    const seen = typeNames.filter((type) =>
      mayRead(stranger, type, sample[type] as Of<TypeName>, db),
    );

    expect(seen).to.have.members([
      ...['role', 'applicationType', 'storeType', 'storeLanguage', 'store'],
      ...['workflowDefinition', 'productDefinition'],
    ]);
  });

  it('P9: let nobody remove a project or write a build', () => {
    const { viewers, sample, db } = aWorld();
    for (const viewer of Object.values(viewers)) {
      expect(mayRemove(viewer, 'project', sample.project, db)).to.equal(false);
      expect(mayUpdate(viewer, 'productBuild', sample.productBuild, db)).to.equal(false);
      expect(mayCreate(viewer, 'productBuild', sample.productBuild, db)).to.equal(false);
    }
  });

  it('hold for oneself what is given to self: the caller alone reads their notifications', () => {
    const { viewers, sample, db } = aWorld();
    const after = { ...sample.notification, dateRead: '2026-01-31T09:30:00.000Z' };

    expect(
      mayWriteField(viewers.subject, 'notification', 'dateRead', sample.notification, after, db),
    ).to.equal(true);
    expect(mayRead(viewers.SA, 'notification', sample.notification, db)).to.equal(false);
  });
});

describe('[domain 2.6] a project', () => {
  it('is edited by its owner, its group and the admins of its organization [R303]', () => {
    const { viewers, sample, db } = aWorld();
    const who = Object.entries(viewers).filter(([, viewer]) =>
      mayUpdate(viewer, 'project', sample.project, db),
    );

    expect(who.map(([name]) => name).join(' ')).to.equal('SA OA PO GM');
  });

  it('opens its page for its team, not for every member [R303, R304]', () => {
    const { viewers, sample, db } = aWorld();
    const who = Object.entries(viewers).filter(([, viewer]) =>
      mayOpenProject(viewer, sample.project, db),
    );

    expect(who.map(([name]) => name).join(' ')).to.equal('SA OA PO GM AU');
  });

  it('takes uploads from its owner, and from an author while the workflow lets them [R214]', () => {
    const { viewers, sample, db } = aWorld();
    const who = () =>
      Object.entries(viewers)
        .filter(([, viewer]) => mayUploadRepository(viewer, sample.project, db))
        .map(([name]) => name)
        .join(' ');

    expect(who()).to.equal('PO');
    db.put('author', { ...sample.author, canUpload: true });
    expect(who()).to.equal('PO AU');
  });

  it('keeps its files to members unless it is public, live, and allows downloads [R21]', () => {
    const { viewers, sample } = aWorld();
    const open = { ...sample.project, isPublic: true, allowDownloads: true };

    expect(mayDownloadFiles(null, open)).to.equal(true);
    expect(mayDownloadFiles(null, { ...open, allowDownloads: false })).to.equal(false);
    expect(mayDownloadFiles(null, { ...open, isPublic: false })).to.equal(false);
    expect(mayDownloadFiles(null, { ...open, dateArchived: '2026-01-31T09:30:00.000Z' })).to.equal(
      false,
    );
    expect(mayDownloadFiles(viewers.OM, sample.project)).to.equal(true);
    expect(mayDownloadFiles(viewers.harbor, sample.project)).to.equal(false);
  });
});
