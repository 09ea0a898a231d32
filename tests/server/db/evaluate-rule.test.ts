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
