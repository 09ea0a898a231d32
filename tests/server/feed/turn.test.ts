import { expect } from 'chai';
import { sql } from 'kysely';
import type { FeedOperation } from '#protocol/operations.ts';
import type { Database, DatabaseTransaction } from '#server/db/database.ts';
import { headOf } from '#server/feed/write-feed.ts';
import type { FeedCommit } from '#server/db/feed-row.ts';
import { feedCursor } from '#server/feed/cursor.ts';
import { readFeed } from '#server/feed/read-feed.ts';
import { ReadBudget } from '#server/feed/read-budget.ts';
import { feedViewerOf } from '#server/feed/reader.ts';
import { loadViewer } from '#server/access/viewer.ts';
import { testDatabase } from '../../support/database.ts';
import { aCause, aMember, anOrganization, aProject, aRecord } from '../../support/make.ts';

const PEOPLE = 2_300;
const FOREIGN = 45_000;
/** One answer may read a page more than it should. */
const MOST_READ = 22_000;

/** Wraps `tx`: `heard` gets the number of rows that each statement gave. */
const counting = (tx: DatabaseTransaction, heard: (rows: number) => void): DatabaseTransaction => ({
  one: (type, id) => tx.one(type, id),
  many: (type, ids) => tx.many(type, ids),
  all: (type, where) => tx.all(type, where),
  query: async (statement) => {
    const rows = await tx.query(statement);
    heard(rows.length);
    return rows;
  },
});

interface Answer {
  readonly operations: readonly FeedOperation[];
  readonly cursor: string;
  /** Rows that its statements gave, by statement. */
  readonly rows: readonly number[];
}

/** Returns the answers for `user` from `start` on until there is no more. */
async function catchUp(
  db: Database,
  user: string,
  start: FeedCommit,
  budget: () => ReadBudget | undefined = () => undefined,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const realm = { identity: db.identity, selected: null };
  let since = feedCursor(realm, { n: start.n, k: 0, place: null, seen: start });
  for (let isMore = true; isMore;) {
    const rows: number[] = [];
    const page = await db.read(async (tx) => {
      const reader = feedViewerOf(await loadViewer(tx, user), null);
      const counted = counting(tx, (some) => rows.push(some));
      const question = { since, answered: [], limit: 500, budget: budget() };
      return readFeed(counted, db.identity, reader, question);
    });
    const { operations } = page;
    ({ cursor: since, more: isMore } = page.meta);
    answers.push({ operations, cursor: since, rows });
  }
  return answers;
}

/** Writes of `FOREIGN` projects of `organization` that this server no longer has. */
async function writeForeign(db: Database, organization: string): Promise<void> {
  const json = JSON.stringify({ organizations: [organization], user: null, audience: true });
  await db.transact(async (tx) => {
    await tx.query(sql`update feed_head set n = n + 1`);
    await tx.query(sql`insert into feed_marks (n, mark) select n, 'afterall' from feed_head`);
    await tx.query(sql`insert into feed (n, k, kind, type, id, op, fields, before, after, changes, at)
      select head.n, number, 'record', 'project', md5('foreign' || number)::uuid, 'remove', '[]',
        ${json}::jsonb, null, '[]', now()
      from feed_head as head, generate_series(1, ${FOREIGN}::integer) as number`);
  });
}

describe('[wire 9] who has lost an organization with thousands of people', () => {
  let db: Database;
  before(async () => {
    ({ db } = await testDatabase());
  });

  it('is told of each of them once, and no statement reads them all at once [14.6]', async () => {
    const organization = (await anOrganization(db)).id;
    const { id: user } = await aMember(db, organization);
    const [membership] = await db.read((tx) => tx.all('organizationMembership', { user }));
    await db.transact(async (tx) => {
      await tx.query(sql`insert into users (id, version, date_created, date_updated,
          profile_visibility, email_notification, is_locked)
        select md5(${organization} || n)::uuid, 1, now(), now(), 1, false, false
        from generate_series(1, ${PEOPLE}::integer) as n`);
      await tx.query(sql`insert into organization_memberships (id, version, date_created,
          date_updated, user_id, organization_id)
        select md5('member ' || ${organization} || n)::uuid, 1, now(), now(),
          md5(${organization} || n)::uuid, ${organization}::uuid
        from generate_series(1, ${PEOPLE}::integer) as n`);
    });
    const start = await db.read(headOf);
    await db.write(aCause(), (w) => w.remove('organizationMembership', membership?.id ?? ''));

    const answers = await catchUp(db, user, start);
    const told = answers.flatMap(({ operations }) => operations);
    const most = Math.max(...answers.flatMap(({ rows }) => rows));

    const removed = told.flatMap((operation) =>
      operation.op === 'remove' && operation.ref.type === 'users' ? [operation.ref.id] : [],
    );
    expect(new Set(removed)).to.have.property('size', removed.length);
    expect(removed).to.have.length(PEOPLE);
    expect(most).to.be.at.most(1_001);
  });
});

describe('[wire 9] who has lost an organization while much was written elsewhere', () => {
  let db: Database;
  before(async () => {
    ({ db } = await testDatabase());
  });

  /** Makes somebody who has just lost an organization, and is still in another. */
  async function aLeaver(): Promise<{
    user: string;
    left: string;
    stays: string;
    start: FeedCommit;
  }> {
    const [left, stays] = [(await anOrganization(db)).id, (await anOrganization(db)).id];
    const { id: user } = await aMember(db, left);
    await aRecord(db, 'organizationMembership', { user, organization: stays });
    const lost = { user, organization: left };
    const [membership] = await db.read((tx) => tx.all('organizationMembership', lost));
    const start = await db.read(headOf);
    await db.write(aCause(), (w) => w.remove('organizationMembership', membership?.id ?? ''));
    return { user, left, stays, start };
  }
  const removalsOf = (answers: readonly Answer[]) =>
    answers.flatMap(({ operations }) =>
      operations.flatMap((operation) => (operation.op === 'remove' ? [operation.ref.id] : [])),
    );

  it('is answered in parts that each look at a bounded number of rows', async () => {
    const { user, left, start } = await aLeaver();
    await writeForeign(db, (await anOrganization(db)).id);
    const answers = await catchUp(db, user, start);

    for (const { rows } of answers)
      expect(rows.reduce((sum, some) => sum + some)).to.be.at.most(MOST_READ);
    const cursors = answers.map(({ cursor }) => cursor);
    expect(cursors, 'each goes on where the one before stopped').to.deep.equal(
      [...new Set(cursors)].sort(),
    );
    expect(removalsOf(answers)).to.include(left);
  });

  it('is told the same, however little one answer may look at', async () => {
    const { user, start } = await aLeaver();
    const usual = await catchUp(db, user, start);
    const small = await catchUp(db, user, start, () => new ReadBudget(1));
    expect(small.length).to.be.above(usual.length);
    expect(removalsOf(small)).to.deep.equal(removalsOf(usual));
  });

  it('has nothing looked at of the organization that they still have', async () => {
    const { user, stays, start } = await aLeaver();
    const project = await aProject(db, { organization: stays });
    await db.transact((tx) =>
      tx.query(sql`insert into reviewers
          (id, version, date_created, date_updated, name, email, locale, project_id)
        select md5('still' || number)::uuid, 1, now(), now(), 'R', 'r@x.test', 'en-US',
          ${project.id}::uuid
        from generate_series(1, ${PEOPLE}::integer) as number`),
    );
    const budget = new ReadBudget(PEOPLE);
    await catchUp(db, user, start, () => budget);
    expect(budget.isSpent).to.equal(false);
  });
});
