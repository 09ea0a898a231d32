import { expect } from 'chai';
import { EngineError } from '#protocol/engine.ts';
import type { Database } from '#server/db/database.ts';
import { troubleOf } from '#server/db/jobs/job-trouble.ts';
import { RetryLater } from '#server/db/jobs/jobs.ts';
import { testDatabase } from '../../../support/database.ts';
import { emptyQueue, jobsOn } from '../../../support/jobs.ts';
import { sql } from 'kysely';

const MINUTE_MS = 60_000;
const coded = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: token=s3cret`), { code, ...more });

describe('why a job failed', () => {
  let db: Database;
  before(async () => {
    ({ db } = await testDatabase());
  });
  beforeEach(() => emptyQueue(db));

  it('is a word of a closed list, whatever the error says', async () => {
    const thrown = await db
      .read((tx) => tx.query(sql`select no_such_column from queued_jobs`))
      .catch((error: unknown) => error);
    expect(
      [
        new EngineError('unreachable'),
        new EngineError('refused'),
        new EngineError('no-usable-answer'),
        new RetryLater(1_000, 'Not ready'),
        coded('ECONNREFUSED'),
        coded('EAUTH', { responseCode: 535 }),
        coded('ENOSPC'),
        new TypeError('fetch failed', { cause: coded('ENOTFOUND') }),
        new DOMException('The operation timed out', 'TimeoutError'),
        thrown,
        coded('toString'),
        new Error('s3cret'),
        's3cret',
        null,
      ].map(troubleOf),
    ).to.deep.equal([
      ...['engine-unreachable', 'engine-refused', 'engine-failed', 'not-yet', 'unreachable'],
      ...['mail-refused', 'disk-full', 'unreachable', 'unreachable', 'database'],
      ...['fault', 'fault', 'fault', 'fault'],
    ]);
  });

  it('is kept with the job until it is done, and nothing of the error is', async () => {
    let now = Date.now();
    let isBroken = true;
    const { jobs } = jobsOn(db, { clock: () => now });
    jobs.on('test-note', () => {
      if (isBroken) throw coded('ECONNREFUSED');
      return Promise.resolve();
    });
    const request = { isFailed: true, limit: 10 };
    const failed = () => db.read((tx) => jobs.list(tx, request));
    await db.transact((tx) => jobs.enqueue(tx, { name: 'test-note', data: { note: 'x' } }));
    await jobs.untilIdle();
    const [one] = (await failed()).jobs;
    expect(one).to.deep.include({ name: 'test-note', failures: 1, trouble: 'unreachable' });
    expect(Date.parse(one?.failedAt ?? '')).to.equal(now);
    const rows = await db.read((tx) =>
      tx.query(sql<{ readonly text: string }>`select q::text as text from queued_jobs q`),
    );
    expect(JSON.stringify(rows)).not.to.include('s3cret');

    // Before its time it is tried only when somebody asks for it.
    isBroken = false;
    await jobs.untilIdle();
    expect((await failed()).total).to.equal(1);
    const again = await db.transact((tx) => jobs.runAgain(tx, one?.id ?? ''));
    expect(again).to.deep.equal({ name: 'test-note', isBroughtForward: true });
    await jobs.untilIdle();
    expect((await failed()).total).to.equal(0);
    now += MINUTE_MS;
    expect((await db.read((tx) => jobs.list(tx, { ...request, isFailed: false }))).total).to.equal(
      0,
    );
  });

  it('is forgotten by a recurring job with its next success', async () => {
    let now = Date.now();
    let isBroken = true;
    const { jobs } = jobsOn(db, { clock: () => now });
    jobs.every('test-tick', MINUTE_MS, () => {
      if (isBroken) throw new Error('s3cret');
      return Promise.resolve();
    });
    await jobs.untilIdle();
    const list = (isFailed: boolean) => db.read((tx) => jobs.list(tx, { isFailed, limit: 10 }));
    expect((await list(true)).jobs.map(({ trouble }) => trouble)).to.deep.equal(['fault']);
    isBroken = false;
    now += MINUTE_MS;
    await jobs.untilIdle();
    expect((await list(true)).jobs).to.deep.equal([]);
    expect(
      (await list(false)).jobs.map(({ trouble, failedAt }) => [trouble, failedAt]),
    ).to.deep.equal([[null, null]]);
  });
});
