import { expect } from 'chai';
import type { Find } from '#rules/find.ts';
import type { Database } from '#server/database/database.ts';
import { settle } from '#server/database/settle.ts';
import { testDatabase } from '../../support/database.ts';
import { aMember, aProject, newId } from '../../support/make.ts';

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

    expect(await db.read((tx) => settle(tx, isInGroup))).to.equal(true);
  });

  it('is told that there is nothing where there is nothing', async () => {
    const [id, owner] = [newId(), newId()];
    const rule = (find: Find) => [find.one('project', id), find.all('project', { owner })];

    expect(await db.read((tx) => settle(tx, rule))).to.deep.equal([null, []]);
  });

  it('throws on what it throws', async () => {
    const error = await db
      .read((tx) =>
        settle(tx, () => {
          throw new Error('A bug');
        }),
      )
      .catch((reason: unknown) => reason);

    expect(String(error)).to.contain('A bug');
  });
});
