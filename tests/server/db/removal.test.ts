import { expect } from 'chai';
import { ProblemError } from '#protocol/problem.ts';
import { resourceOf, storedTypes } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Database } from '#server/db/database.ts';
import { testDatabase } from '../../support/database.ts';
import {
  aCause,
  aGroup,
  aMember,
  anOrganization,
  aProduct,
  aProject,
  aRecord,
  newId,
} from '../../support/make.ts';

describe('[2.7] removing', () => {
  let db: Database;

  before(async () => {
    ({ db } = await testDatabase());
  });

  const remove = (type: TypeName, id: string) => db.write(aCause(), (w) => w.remove(type, id));
  const isThere = async (type: TypeName, id: string) =>
    (await db.read((tx) => tx.one(type, id))) !== null;
  const refusal = (type: TypeName, id: string) =>
    remove(type, id).then(
      () => null,
      (error: unknown) => {
        if (!(error instanceof ProblemError)) throw error;
        return error.problem;
      },
    );

  const below = storedTypes.flatMap((type) =>
    resourceOf(type).below.map((field) => [type, field] as const),
  );
  for (const [type, field] of below) {
    // Nobody removes a person or a project.
    const target = resourceOf(type).fields[field];
    if (target?.is !== 'one' || target.to === 'user' || target.to === 'project') continue;
    if (type === 'project') continue;

    it(`a ${target.to} takes along every ${type} whose ${field} it is`, async () => {
      const parent = await aParent(target.to as TypeName);
      const child = await aRecord(db, type, { [field]: parent });
      await remove(target.to as TypeName, parent);

      expect(await isThere(target.to as TypeName, parent)).to.equal(false);
      expect(await isThere(type, child.id)).to.equal(false);
    });
  }

  /** Fresh, also of a type of which there are seeds. */
  const aParent = async (type: TypeName): Promise<string> => (await aRecord(db, type)).id;

  it('what is gone does nothing', async () => {
    expect(await refusal('group', newId())).to.equal(null);
  });

  it('an organization is refused while it has a project', async () => {
    const project = await aProject(db);

    expect(await refusal('organization', project.organization)).to.deep.equal({
      code: 'in-use',
      meta: { by: { projects: 1 } },
    });
    expect(await isThere('group', project.group)).to.equal(true);
  });

  it('a group is refused while it has a project', async () => {
    const project = await aProject(db);

    expect((await refusal('group', project.group))?.meta).to.deep.equal({ by: { projects: 1 } });
  });

  it('a store, a definition and a workflow are refused while something names them', async () => {
    const store = await aRecord(db, 'store');
    const workflow = await aRecord(db, 'workflowDefinition');
    const productDefinition = await aRecord(db, 'productDefinition', { workflow: workflow.id });
    await aProduct(db, { store: store.id, productDefinition: productDefinition.id });

    expect((await refusal('store', store.id))?.meta).to.deep.equal({ by: { products: 1 } });
    expect((await refusal('workflowDefinition', workflow.id))?.code).to.equal('in-use');
    expect((await refusal('productDefinition', productDefinition.id))?.code).to.equal('in-use');
  });

  it('a membership takes roles, groups, authorships and tasks of that organization, no others', async () => {
    const project = await aProject(db);
    const elsewhere = await anOrganization(db);
    const group = await aGroup(db, { owner: elsewhere.id });
    const { id: user } = await aMember(db, project.organization, {
      roles: ['Author'],
      groups: [project.group],
    });
    await aMember(db, elsewhere.id, { user, roles: ['AppBuilder'], groups: [group.id] });
    await aRecord(db, 'author', { user, project: project.id });
    const product = await aProduct(db, { project: project.id });
    await aRecord(db, 'userTask', { user, product: product.id });

    const [membership] = await db.read((tx) =>
      tx.all('organizationMembership', { user, organization: project.organization }),
    );
    await remove('organizationMembership', membership?.id ?? '');

    const left = await db.read(async (tx) => ({
      roles: (await tx.all('userRole', { user })).map(({ organization }) => organization),
      groups: (await tx.all('groupMembership', { user })).map((one) => one.group),
      authors: await tx.all('author', { user }),
      tasks: await tx.all('userTask', { user }),
    }));
    expect(left).to.deep.equal({
      roles: [elsewhere.id],
      groups: [group.id],
      authors: [],
      tasks: [],
    });
  });

  it("a group membership takes authorships in that group's projects", async () => {
    const project = await aProject(db);
    const { id: user } = await aMember(db, project.organization, { groups: [project.group] });
    const author = await aRecord(db, 'author', { user, project: project.id });
    const [membership] = await db.read((tx) => tx.all('groupMembership', { user }));
    await remove('groupMembership', membership?.id ?? '');

    expect(await isThere('author', author.id)).to.equal(false);
  });

  it("an author takes along the author's tasks, and nobody else's", async () => {
    const product = await aProduct(db);
    const project = await db.read((tx) => tx.one('project', product.project));
    const author = await aRecord(db, 'author', { project: product.project });
    const task = await aRecord(db, 'userTask', { user: author.user, product: product.id });
    const others = await aRecord(db, 'userTask', {
      user: project?.owner ?? null,
      product: product.id,
    });
    await remove('author', author.id);

    expect(await isThere('userTask', task.id)).to.equal(false);
    expect(await isThere('userTask', others.id)).to.equal(true);
  });
});
