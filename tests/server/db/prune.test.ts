import { expect } from 'chai';
import { sql } from 'kysely';
import { recordVerdicts, verdictOf } from '#server/db/changes.ts';
import { tombstoneOf } from '#server/feed/write-feed.ts';
import { prune } from '#server/db/prune.ts';
import type { Database, DatabaseTransaction } from '#server/db/database.ts';
import { freshDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { aCause, newId } from '../../support/make.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 1);
const daysAgo = (days: number) => ({ ...aCause(), at: NOW - days * DAY_MS });

describe('forgetting', () => {
  let own: TestDatabase;
  let db: Database;
  const author = newId();
  const [old, recent] = [newId(), newId()];

  before(async function () {
    this.timeout(60_000);
    own = await freshDatabase();
    ({ db } = own);
    await leaveTraces(91, old);
    await leaveTraces(89, recent);
    await db.write(daysAgo(31), (w) => w.insert('user', { id: newId() }));
    await db.write(daysAgo(29), (w) => w.insert('user', { id: newId() }));
    await prune(db, NOW);
  });

  after(async () => {
    await own.close();
  });

  async function leaveTraces(days: number, id: string): Promise<void> {
    await db.write(daysAgo(days), async (w) => {
      await w.insert('user', { id });
      await recordVerdicts(w, author, [{ id, digest: 'digest', verdict: { status: 200 } }]);
    });
    await db.write(daysAgo(days), (w) => w.remove('user', id));
  }

  it('takes feed rows after 30 days', async () => {
    const days = await db.read((tx) => tx.query(sql<{ readonly at: string }>`select at from feed`));

    expect(days.map(({ at }) => (NOW - Date.parse(at)) / DAY_MS)).to.deep.equal([29]);
  });

  it('takes verdicts after 90 days', async () => {
    expect(await db.read((tx) => verdictOf(tx, author, old))).to.equal(null);
    expect(await db.read((tx) => verdictOf(tx, author, recent))).to.deep.equal({ status: 200 });
  });

  it('takes tombstones after 90 days', async () => {
    expect(await db.read((tx) => tombstoneOf(tx, 'user', old))).to.equal(null);
    expect((await db.read((tx) => tombstoneOf(tx, 'user', recent)))?.by).to.equal(null);
  });

  it('goes in pieces, so that nobody waits for all of it, and takes every commit whole [14.6]', async () => {
    const [commit, ids] = [newId(), Array.from({ length: 5 }, () => newId())];
    await db.write(daysAgo(91), async (w) => {
      for (const id of ids) await w.insert('user', { id });
      const verdicts = ids.map((id) => ({ id, digest: 'digest', verdict: {} }));
      await recordVerdicts(w, commit, verdicts);
    });
    await db.write(daysAgo(1), (w) => w.insert('user', { id: newId() }));
    let transactions = 0;
    const counting = {
      read: <T>(work: (tx: DatabaseTransaction) => Promise<T>) => db.read(work),
      transact: <T>(work: (tx: DatabaseTransaction) => Promise<T>) => {
        transactions += 1;
        return db.transact(work);
      },
    };

    const { feed, verdicts } = await prune(counting, NOW, 2);

    expect([feed >= 5, verdicts]).to.deep.equal([true, 5]);
    // Two for the feed, whose commit of five rows goes at once; three for the verdicts; two for the rest.
    expect(transactions).to.be.at.least(7);
    expect(await db.read((tx) => verdictOf(tx, commit, ids[4] ?? ''))).to.equal(null);
  });

  it('leaves the newest commit however old it is', async () => {
    await prune(db, NOW + 400 * DAY_MS);
    const rows = await db.read((tx) =>
      tx.query(
        sql<{ readonly ok: boolean }>`select feed.n = feed_head.n as ok from feed, feed_head`,
      ),
    );

    expect(rows).to.deep.equal([{ ok: true }]);
  });
});
