import { expect } from 'chai';
import { sql } from 'kysely';
import type { Database, WriteTransaction } from '#server/db/database.ts';
import type { FeedRow } from '#server/db/feed-row.ts';
import { lastChangeOf, tombstoneOf } from '#server/feed/write-feed.ts';
import { testDatabase } from '../../support/database.ts';
import {
  aCause,
  aGroup,
  aMember,
  anOrganization,
  aProduct,
  aProject,
  aRecord,
  aUser,
  newId,
} from '../../support/make.ts';

describe('[9] what the feed tells of a commit', () => {
  let db: Database;

  before(async () => {
    ({ db } = await testDatabase());
  });

  /** Returns the rows of the commit that `work` makes. */
  async function told(
    work: (w: WriteTransaction) => Promise<void>,
    cause = aCause(),
  ): Promise<FeedRow[]> {
    const n = await db.write(cause, async (w) => {
      await work(w);
      return w.n;
    });
    return db.read((tx) => tx.query(sql<FeedRow>`select * from feed where n = ${n} order by k`));
  }

  const inShort = (rows: readonly FeedRow[]) =>
    rows.map(({ kind, op, type, id }) => `${kind} ${op} ${type} ${id}`);

  it('is each record once, with what was done to it, who did it and why', async () => {
    const project = await aProject(db);
    const [by, change] = [newId(), newId()];
    const rows = await told(
      async (w) => {
        await w.change('project', project.id, { name: 'First' });
        await w.change('project', project.id, { name: 'Second', language: project.language });
      },
      aCause(by, change),
    );

    expect(inShort(rows)).to.deep.equal([`record update project ${project.id}`]);
    expect(rows[0]).to.deep.include({ k: 1, by, changes: [change], fields: ['name'] });
  });

  it('has parents before children, and what is removed after what is below it', async () => {
    const { id: user } = await aUser(db);
    const [organization, group, membership] = [newId(), newId(), newId()];
    const added = await told(async (w) => {
      await w.insert('organization', { id: organization, owner: user });
      await w.insert('organizationMembership', { id: membership, user, organization });
      await w.insert('group', { id: group, name: 'G', abbreviation: 'G', owner: organization });
    });
    const removed = await told((w) => w.remove('organization', organization));

    const place = (rows: readonly FeedRow[], id: string) => rows.findIndex((row) => row.id === id);
    expect(place(added, organization)).to.be.lessThan(place(added, membership));
    expect(place(added, organization)).to.be.lessThan(place(added, group));
    expect(place(removed, organization)).to.be.greaterThan(place(removed, membership));
    expect(place(removed, organization)).to.be.greaterThan(place(removed, group));
  });

  it('says who had a record in their feed before, and who has it after', async () => {
    const reviewer = await aRecord(db, 'reviewer');
    const other = await aProject(db);
    const project = await db.read((tx) => tx.one('project', reviewer.project));
    const [row] = await told((w) => w.change('reviewer', reviewer.id, { project: other.id }));

    const { organization = '', group = '' } = project ?? {};
    expect(row?.before).to.deep.equal({
      organizations: [organization],
      user: null,
      audience: {
        is: 'anyOf',
        of: [
          'superAdmin',
          {
            is: 'allOf',
            of: [
              { set: 'memberOf', id: organization },
              { set: 'self', id: project?.owner },
            ],
          },
          { set: 'adminOf', id: organization },
          { set: 'groups', id: group },
        ],
      },
    });
    expect(row?.after?.organizations).to.deep.equal([other.organization]);
  });

  it('says of what members see no more than whose it is', async () => {
    const project = await aProject(db);
    const [row] = await told((w) => w.change('project', project.id, { isPublic: false }));

    const facts = { organizations: [project.organization], user: null, audience: true };
    expect([row?.before, row?.after]).to.deep.equal([facts, facts]);
  });

  it('finds the organization of what hangs on a product, also when all of it is removed at once', async () => {
    const product = await aProduct(db);
    const project = await db.read((tx) => tx.one('project', product.project));
    const build = await aRecord(db, 'productBuild', { product: product.id });
    const artifact = await aRecord(db, 'productArtifact', {
      product: product.id,
      productBuild: build.id,
    });
    const rows = await told((w) => w.remove('product', product.id));

    expect(inShort(rows)).to.deep.equal([
      `record remove productArtifact ${artifact.id}`,
      `record remove productBuild ${build.id}`,
      `record remove product ${product.id}`,
    ]);
    for (const { before, after } of rows) {
      expect(before?.organizations).to.deep.equal([project?.organization]);
      expect(after).to.equal(null);
    }
  });

  it('knows whose own a task is', async () => {
    const { id: user } = await aUser(db);
    const product = await aProduct(db);
    const id = newId();
    const [task] = await told((w) => w.insert('userTask', { id, user, product: product.id }));

    expect(task?.after?.user).to.equal(user);
    expect(task?.after?.audience).to.deep.equal({ set: 'self', id: user });
  });

  it('shows a new member to the others, and sends the member to compare what they see', async () => {
    const organization = await anOrganization(db);
    const { id: user } = await aUser(db);
    const membership = newId();
    const rows = await told((w) =>
      w.insert('organizationMembership', { id: membership, user, organization: organization.id }),
    );

    expect(inShort(rows)).to.deep.equal([
      `sight update user ${user}`,
      `record add organizationMembership ${membership}`,
      `viewer update user ${user}`,
    ]);
    expect(rows[0]?.before?.organizations).to.deep.equal([]);
    expect(rows[0]?.after?.organizations).to.deep.equal([organization.id]);
  });

  it('sends whoever gets a role, joins a group or is locked to compare what they see', async () => {
    const organization = await anOrganization(db);
    const group = await aGroup(db, { owner: organization.id });
    const { id: user } = await aMember(db, organization.id);
    const role = await aRecord(db, 'userRole', {
      user,
      organization: organization.id,
      roleName: 'AppBuilder',
    });
    const writes: ((w: WriteTransaction) => Promise<void>)[] = [
      (w) => w.remove('userRole', role.id),
      (w) => w.insert('groupMembership', { id: newId(), user, group: group.id }),
      (w) => w.change('user', user, { isLocked: true }),
    ];

    for (const write of writes) {
      const rows = await told(write);
      expect(inShort(rows).at(-1)).to.equal(`viewer update user ${user}`);
    }
    const renamed = await told((w) => w.change('user', user, { name: 'Other' }));
    expect(renamed.map(({ kind }) => kind)).to.deep.equal(['record']);
  });

  it('shows the reviewers of a project to its new team', async () => {
    const project = await aProject(db);
    const reviewer = await aRecord(db, 'reviewer', { project: project.id });
    const { id: user } = await aMember(db, project.organization, { groups: [project.group] });
    const given = await told((w) => w.change('project', project.id, { owner: user }));
    const joined = await told((w) =>
      w.insert('author', { id: newId(), user, project: project.id }),
    );

    const isTold = (rows: readonly FeedRow[], side: 'before' | 'after', id: string) => {
      const row = rows.find((one) => one.id === reviewer.id && one.kind === 'sight');
      return JSON.stringify(row?.[side]?.audience).includes(`"id":"${id}","set":"self"`);
    };
    for (const rows of [given, joined]) {
      expect(isTold(rows, 'after', user)).to.equal(true);
      expect(isTold(rows, 'before', user)).to.equal(rows === joined);
    }
  });

  it('has no line of what stands as it stood, though something that it hangs on changed', async () => {
    const product = await aProduct(db);
    const rows = await told((w) =>
      w.change('project', product.project, { dateArchived: '2026-01-31T09:30:00.000Z' }),
    );

    expect(inShort(rows)).to.deep.equal([`record update project ${product.project}`]);
  });

  it('keeps of what is removed who could see it and who did it, until it comes back', async () => {
    const organization = await anOrganization(db);
    const group = await aGroup(db, { owner: organization.id });
    const by = newId();
    await db.write(aCause(by), (w) => w.remove('group', group.id));
    const tombstone = () => db.read((tx) => tombstoneOf(tx, 'group', group.id));

    const left = await tombstone();
    expect(left?.audience).to.deep.equal({
      is: 'anyOf',
      of: ['superAdmin', { set: 'memberOf', id: organization.id }],
    });
    expect(left?.by).to.equal(by);

    const again = await aGroup(db, { id: group.id, owner: organization.id });
    expect(await tombstone()).to.equal(null);
    expect(again.version).to.be.greaterThan(left?.n ?? 0);
  });

  it('says who changed a field last, not the record', async () => {
    const project = await aProject(db);
    const [first, second] = [newId(), newId()];
    await db.write(aCause(first), (w) => w.change('project', project.id, { name: 'Mine' }));
    await db.write(aCause(second), (w) => w.change('project', project.id, { language: 'fr' }));
    const by = (fields: readonly string[]) =>
      db.read(async (tx) => (await lastChangeOf(tx, 'project', project.id, fields))?.by);

    expect(await by(['name'])).to.equal(first);
    expect(await by(['name', 'language'])).to.equal(second);
    expect(await by(['description'])).to.equal(null);
  });
});
