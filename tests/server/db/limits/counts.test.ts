import { expect } from 'chai';
import { sql } from 'kysely';
import type { ProblemError } from '#protocol/problem.ts';
import type { Database } from '#server/db/database.ts';
import { pruneCounts } from '#server/db/limits/exact-counts.ts';
import { openLimits } from '#server/db/limits/limits.ts';
import type { LimitOptions, RateLimiter } from '#server/db/limits/limits.ts';
import { limitTable } from '#server/db/limits/limit-table.ts';
import type { ExactLimit, Limit, PlainLimit } from '#server/db/limits/limit-table.ts';
import { freshPlace, openAt, testDatabase } from '../../../support/database.ts';
import { newId } from '../../../support/make.ts';
import { OwnTime } from '../../../support/own-time.ts';

const START = Date.UTC(2026, 5, 1, 12);
const rows = Object.entries(limitTable) as [ExactLimit | PlainLimit, Limit][];
const exact = rows.filter(([, { counting }]) => counting === 'exact') as [ExactLimit, Limit][];
const plain = rows.filter(([, { counting }]) => counting === 'plain') as [PlainLimit, Limit][];

/** One of two processes, with the limits of one installation. */
interface Process {
  readonly db: Database;
  readonly limits: RateLimiter;
  readonly time: OwnTime;
  /** Resolves once the counts that it began to share are shared. */
  readonly shared: () => Promise<void>;
}

describe('[wire 15.2] limits that two processes of an installation share', () => {
  let now = START;
  let here: Process;
  let there: Process;
  let close: () => Promise<void>;
  const failures: unknown[] = [];

  const processOn = (db: Database, options: LimitOptions): Process => {
    const time = new OwnTime();
    let sharing: Promise<unknown> = Promise.resolve();
    const watched: Database = {
      ...db,
      transact: (work) => {
        const result = db.transact(work);
        sharing = result;
        return result;
      },
    };
    const failed = (error: unknown) => failures.push(error);
    const means = { db: watched, clock: () => now, timers: time, failed };
    const shared = async () => {
      await sharing;
      await new Promise(setImmediate);
    };
    return { db, time, shared, limits: openLimits(means, options) };
  };

  // The embedded database belongs to one process; there both have the same connection.
  before(async () => {
    const url = process.env.DATABASE_URL ?? '';
    const options = { installation: newId() };
    if (url === '') {
      const { db } = await testDatabase();
      [here, there] = [processOn(db, options), processOn(db, options)];
      close = () => Promise.resolve();
      return;
    }
    const place = await freshPlace(url);
    const [one, other] = [await openAt(place), await openAt(place)];
    [here, there] = [processOn(one.db, options), processOn(other.db, options)];
    close = async () => {
      await one.close();
      await other.close();
      await place.remove();
    };
  });
  after(async () => {
    await here.limits.stop();
    await there.limits.stop();
    await close();
    expect(failures).to.deep.equal([]);
  });

  /** Returns the seconds to wait; 0 when it is allowed. */
  const tryExactly = async ({ db, limits }: Process, name: ExactLimit, key: string) =>
    (await db.transact((tx) => limits.count(tx, name, key))).waitSeconds;
  const tryRate = ({ limits }: Process, name: PlainLimit, key: string): number => {
    try {
      limits.requireRate(name, key);
      return 0;
    } catch (error) {
      return Number((error as ProblemError).headers['Retry-After']);
    }
  };
  const pass = async (ms: number) => {
    now += ms;
    for (const { time, shared } of [here, there]) {
      time.pass(ms);
      await shared();
    }
  };
  /** A second passes in both, and what each counted is shared. */
  const share = () => pass(1_000);

  for (const [name, { most, withinMs, per }] of exact)
    it(`${name}: ${String(most)} in ${String(withinMs / 60_000)} min and ${per} are allowed, and not one more`, async () => {
      const key = newId();
      const tries = Array.from({ length: most + 4 }, (_, n) =>
        tryExactly(n % 2 === 0 ? here : there, name, key),
      );
      const waits = await Promise.all(tries);
      expect(waits.filter((wait) => wait === 0)).to.have.lengthOf(most);
      expect(waits.filter((wait) => wait > 0)).to.deep.equal(Array(4).fill(withinMs / 1_000));
      expect(await tryExactly(here, name, newId()), 'another').to.equal(0);
    });

  it('an exact limit begins anew when its time is over, and not before', async () => {
    const key = newId();
    expect(await tryExactly(here, 'verificationMails', key)).to.equal(0);
    now += 59_001;
    expect(await tryExactly(there, 'verificationMails', key)).to.equal(1);
    now += 999;
    expect(await tryExactly(there, 'verificationMails', key)).to.equal(0);
    expect(await tryExactly(here, 'verificationMails', key)).to.equal(60);
  });

  it('what is counted and undone by two processes at once leaves the count as it was', async () => {
    const key = newId();
    const both = [here, there, here, there, here, there];
    const counted = await Promise.all(
      both.map(({ db, limits }) =>
        db.transact((tx) => limits.count(tx, 'passwordsFromAddress', key)),
      ),
    );
    await Promise.all(counted.map(({ undo }, n) => (n % 2 === 0 ? there : here).db.transact(undo)));
    const waits = [];
    for (let n = 0; n < 11; n += 1) waits.push(await tryExactly(here, 'passwordsFromAddress', key));
    expect(waits.filter((wait) => wait === 0)).to.have.lengthOf(10);
  });

  it('undoing what was counted in a window that is over takes nothing off the next', async () => {
    const key = newId();
    const old = await here.db.transact((tx) => here.limits.count(tx, 'verificationMails', key));
    now += 60_000;
    expect(await tryExactly(there, 'verificationMails', key)).to.equal(0);
    await here.db.transact(old.undo);
    expect(await tryExactly(there, 'verificationMails', key)).to.equal(60);
  });

  it('several that are counted together are allowed together or not at all', async () => {
    const key = newId();
    const tryMany = async ({ db, limits }: Process, many: number) =>
      (await db.transact((tx) => limits.count(tx, 'formsOfAddress', key, many))).waitSeconds;
    const { most, withinMs } = limitTable.formsOfAddress;
    expect(await tryMany(here, most + 1), 'more than the limit').to.equal(withinMs / 1_000);
    expect(await tryMany(there, most - 1)).to.equal(0);
    expect(await tryMany(here, 2)).to.equal(withinMs / 1_000);
    expect(await tryMany(here, 1), 'the last').to.equal(0);
  });

  it('several that are undone are all taken off the count', async () => {
    const key = newId();
    const count = (many: number) =>
      here.db.transact((tx) => here.limits.count(tx, 'passwordsFromAddress', key, many));
    const { undo } = await count(10);
    expect((await count(1)).waitSeconds).to.be.greaterThan(0);
    await here.db.transact(undo);
    expect((await count(10)).waitSeconds).to.equal(0);
  });

  it('a transaction that is undone takes its count along', async () => {
    const key = newId();
    const undone = here.db.transact(async (tx) => {
      await here.limits.count(tx, 'verificationMails', key);
      throw new Error('undone');
    });
    expect(await undone.catch((error: unknown) => String(error))).to.include('undone');
    expect(await tryExactly(there, 'verificationMails', key)).to.equal(0);
  });

  for (const [name, { most, withinMs, per }] of plain)
    it(`${name}: beyond ${String(most)} in ${String(withinMs / 60_000)} min and ${per} both processes refuse at most 1 s late`, async () => {
      const key = newId();
      const half = Math.ceil(most / 2);
      for (let n = 0; n < half; n += 1) {
        expect(tryRate(here, name, key)).to.equal(0);
        expect(tryRate(there, name, key)).to.equal(0);
      }
      await share();
      expect(tryRate(there, name, key)).to.equal(59);
      expect(tryRate(here, name, key), 'the one that shared before the other').to.equal(0);
      await share();
      expect(tryRate(here, name, key)).to.equal(58);
      expect(tryRate(here, name, newId()), 'another').to.equal(0);
      now += withinMs;
      expect(tryRate(here, name, key), 'when the time is over').to.equal(0);
      expect(tryRate(there, name, key)).to.equal(0);
    });

  it('a rate for a minute is no longer full after the clock was set back', async () => {
    const [key, hour] = [newId(), 3_600_000];
    now += hour;
    for (let n = 0; n < 10; n += 1) expect(tryRate(here, 'engineTests', key)).to.equal(0);
    await share();
    expect(tryRate(here, 'engineTests', key)).to.be.greaterThan(0);
    now -= hour;
    expect(tryRate(here, 'engineTests', key)).to.equal(0);
    await share();
    expect(tryRate(there, 'engineTests', key)).to.equal(0);
  });

  it('an exact limit is no longer full after the clock was set back, and is where clocks differ a little', async () => {
    const [key, hour] = [newId(), 3_600_000];
    now += hour;
    expect(await tryExactly(here, 'verificationMails', key)).to.equal(0);
    now -= 30_000;
    expect(await tryExactly(there, 'verificationMails', key)).to.equal(90);
    now -= hour;
    expect(await tryExactly(there, 'verificationMails', key)).to.equal(0);
    expect(await tryExactly(here, 'verificationMails', key)).to.equal(60);
  });

  it('one process alone refuses a plain limit at once', () => {
    const key = newId();
    const waits = Array.from({ length: 11 }, () => tryRate(here, 'engineTests', key));
    expect(waits).to.deep.equal([...Array<number>(10).fill(0), 60]);
  });

  it('what one process used up is refused by the other within a second, whenever each last shared', async () => {
    const { most } = limitTable.requestsOfAddress;
    for (let headStart = 0; headStart < 1_000; headStart += 100) {
      const key = newId();
      tryRate(there, 'requestsOfAddress', key);
      await pass(headStart);
      for (let n = 0; n < most; n += 1) tryRate(here, 'requestsOfAddress', key);
      for (let ms = 0; ms < 900; ms += 100) {
        await pass(100);
        tryRate(there, 'requestsOfAddress', key);
      }
      const wait = tryRate(there, 'requestsOfAddress', key);
      expect(wait, `${String(headStart)} ms after the other began`).to.be.greaterThan(0);
    }
  });

  it('counts whose time is over are removed, and no others', async () => {
    const [old, fresh] = [newId(), newId()];
    await tryExactly(here, 'verificationMails', old);
    now += 60_000;
    await tryExactly(here, 'verificationMails', fresh);
    await pruneCounts(here.db, now);
    const left = await here.db.transact((tx) =>
      tx.query<{ readonly key: string }>(sql`select key from limit_counts`),
    );
    const keys = left.map(({ key }) => key).join('\n');
    expect(keys).to.include(fresh).and.not.to.include(old);
  });

  it('counts whose time is over are removed in pieces, so that no statement is long', async () => {
    for (let n = 0; n < 5; n += 1) await tryExactly(here, 'verificationMails', newId());
    now += 60_000;
    let transactions = 0;
    const counting: Pick<Database, 'transact'> = {
      transact: (work) => {
        transactions += 1;
        return here.db.transact(work);
      },
    };
    expect(await pruneCounts(counting, now, 2)).to.be.at.least(5);
    expect(transactions).to.be.at.least(3);
  });
});
