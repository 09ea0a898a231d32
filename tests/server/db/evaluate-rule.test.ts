import { expect } from 'chai';
import type { Find } from '#rules/find.ts';
import type { Database } from '#server/db/database.ts';
import { evaluateRule } from '#server/db/evaluate-rule.ts';
import { testDatabase } from '../../support/database.ts';
import { aCause, aMember, aProject, newId } from '../../support/make.ts';

describe('a rule that looks at related records', () => {
  let db: Database;

  before(async () => {
    ({ db } = await testDatabase());
  });

  it('sees what the transaction sees, though it cannot wait', async () => {
    const { id, organization, group } = await aProject(db);
    const { id: user } = await aMember(db, organization, { groups: [group] });
    const isInGroup = (find: Find) => {
      const project = find.one('project', id);
      return (
        project !== null && find.all('groupMembership', { user, group: project.group }).length > 0
      );
    };

    expect(await db.read((tx) => evaluateRule(tx, isInGroup))).to.equal(true);
  });

  it('is told that there is nothing where there is nothing', async () => {
    const [id, owner] = [newId(), newId()];
    const rule = (find: Find) => [find.one('project', id), find.all('project', { owner })];

    expect(await db.read((tx) => evaluateRule(tx, rule))).to.deep.equal([null, []]);
  });

  it('finds nothing by what a broken document leaves out, also next to what is not set', async () => {
    const { id } = await aProject(db, { dateArchived: null });
    const rule = (find: Find) =>
      [null, undefined].map((dateArchived) =>
        find.all('project', { id, dateArchived } as never).map((project) => project.id),
      );

    expect(await db.read((tx) => evaluateRule(tx, rule))).to.deep.equal([[id], []]);
    expect(await db.write(aCause(), (w) => evaluateRule(w, rule))).to.deep.equal([[id], []]);
  });

  it('gets the records of a type that it needs in one query', async () => {
    const projects = [await aProject(db), await aProject(db), await aProject(db)];
    const owners = projects.map(({ owner }) => owner);
    const rule = (find: Find) =>
      projects
        .map(({ id }) => find.one('project', id))
        .map((project) => project?.owner && find.one('user', project.owner)?.id);
    const asked: string[] = [];

    const found = await db.read((tx) =>
      evaluateRule(
        {
          query: (statement) => tx.query(statement),
          all: (type, where) => tx.all(type, where),
          one: (type, id) => (asked.push(`one ${type}`), tx.one(type, id)),
          many: (type, ids) => (asked.push(`${ids.length} ${type}`), tx.many(type, ids)),
        },
        rule,
      ),
    );

    expect(found).to.deep.equal(owners);
    expect(asked).to.deep.equal(['3 project', '3 user']);
  });

  it('may stumble over what is not loaded yet', async () => {
    const { id, name } = await aProject(db);
    const rule = (find: Find) => {
      const project = find.one('project', id);
      if (project === null) throw new Error('There is no project');
      return project.name;
    };

    expect(await db.read((tx) => evaluateRule(tx, rule))).to.equal(name);
  });

  it('takes an id that is none for one that names no record', async () => {
    const rule = (find: Find) => [find.one('project', 'no-id'), find.one('user', null as never)];

    expect(await db.read((tx) => evaluateRule(tx, rule))).to.deep.equal([null, null]);
    expect(await db.write(aCause(), (w) => evaluateRule(w, rule))).to.deep.equal([null, null]);
  });

  it('throws on what it throws', async () => {
    const error = await db
      .read((tx) =>
        evaluateRule(tx, () => {
          throw new Error('A bug');
        }),
      )
      .catch((reason: unknown) => reason);

    expect(String(error)).to.contain('A bug');
  });
});
