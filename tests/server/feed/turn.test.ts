import { expect } from 'chai';
import { sql } from 'kysely';
import type { NewsOperation } from '#protocol/operations.ts';
import type { Database, Tx } from '#server/database/database.ts';
import { headOf } from '#server/database/feed.ts';
import { feedCursor } from '#server/feed/cursor.ts';
import { readFeed } from '#server/feed/feed.ts';
import { readerOf } from '#server/feed/reader.ts';
import { loadViewer } from '#server/identity/viewer.ts';
import { testDatabase } from '../../support/database.ts';
import { aCause, aMember, anOrganization } from '../../support/make.ts';

const PEOPLE = 2_300;

describe('[wire 9] who has lost an organization with thousands of people', () => {
  let db: Database;
  before(async () => {
    ({ db } = await testDatabase());
  });

  /** `tx`, of which `heard` is told how many rows each statement gave. */
  const counting = (tx: Tx, heard: (rows: number) => void): Tx => ({
    one: (type, id) => tx.one(type, id),
    all: (type, where) => tx.all(type, where),
    query: async (statement) => {
      const rows = await tx.query(statement);
      heard(rows.length);
      return rows;
    },
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

    const told: NewsOperation[] = [];
    let most = 0;
    let isMore = true;
    const realm = { identity: db.identity, selected: null };
    for (let since = feedCursor(realm, { n: start.n, k: 0, place: null, seen: start }); isMore;) {
      const page = await db.read(async (tx) => {
        const reader = readerOf(await loadViewer(tx, user), null);
        const counted = counting(tx, (rows) => (most = Math.max(most, rows)));
        return readFeed(counted, db.identity, reader, since, 500);
      });
      told.push(...page.operations);
      ({ cursor: since, more: isMore } = page.meta);
    }

    const removed = told.flatMap((news) =>
      news.op === 'remove' && news.ref.type === 'users' ? [news.ref.id] : [],
    );
    expect(new Set(removed)).to.have.property('size', removed.length);
    expect(removed).to.have.length(PEOPLE);
    expect(most).to.be.at.most(1_001);
  });
});
