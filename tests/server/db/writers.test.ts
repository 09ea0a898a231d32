import { expect } from 'chai';
import { sql } from 'kysely';
import pg from 'pg';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import { localBus } from '#server/kernel/bus/local-bus.ts';
import type { WriteCause, Database, WriteTransaction } from '#server/db/database.ts';
import { headOf } from '#server/feed/write-feed.ts';
import { openOn } from '#server/db/open-database.ts';
import { feedRecorder } from '#server/feed/feed-recorder.ts';
import { openPostgres } from '#server/db/connections/postgres.ts';
import type { StatementTimes } from '#server/db/connections/postgres.ts';
import { TransactionQueue } from '#server/db/connections/transaction-queue.ts';
import { freshDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { aCause, newId } from '../../support/make.ts';
import { testSecrets } from '../../support/test-key.ts';

const url = process.env.DATABASE_URL ?? '';
/** The embedded database has none of these: other processes, connections, time limits. */
const onPostgres = (title: string, body: () => Promise<void>) => {
  if (url !== '') it(title, body);
};

const codeOf = (error: unknown) => (error instanceof ProblemError ? error.problem.code : error);
const reasonOf = (done?: PromiseSettledResult<unknown>) =>
  done?.status === 'rejected' ? codeOf(done.reason) : null;

describe('writers that wait for each other', () => {
  let own: TestDatabase;
  let db: Database;
  /**
   * The clock stands still, so the number that share a transaction does not depend on how fast they
   * are.
   */
  let now = Date.UTC(2026, 0, 31);

  before(async function () {
    this.timeout(60_000);
    own = await freshDatabase(() => now);
    ({ db } = own);
  });
  after(() => own.close());

  const there = (id: string) => db.read(async (tx) => (await tx.one('user', id)) !== null);
  const transactionOf = async (w: WriteTransaction) => {
    const [row] = await w.query(sql<{ readonly id: string }>`select txid_current()::text as id`);
    return row?.id;
  };
  interface WriteEntry<T> {
    readonly cause?: WriteCause;
    readonly work: (w: WriteTransaction) => Promise<T>;
    /** The time after the one before. */
    readonly laterMs?: number;
  }
  /** Requests all that is `wanted` while another write runs, which lasts `afterMs`. */
  const atOnce = async <T>(wanted: readonly WriteEntry<T>[], afterMs = 0) => {
    let go: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => (go = resolve));
    const first = db.write(aCause(), () => wait);
    const asked = wanted.map(({ cause = aCause(), work, laterMs = 0 }) => {
      now += laterMs;
      return db.write(cause, work);
    });
    const ended = Promise.allSettled(asked);
    now += afterMs;
    go();
    await Promise.allSettled([first]);
    return ended;
  };

  it('share a transaction, in which each has a number, a cause and a verdict of its own [14.6]', async () => {
    const ids = [newId(), newId(), newId()];
    const users = ids.map(() => newId());
    const changes = ids.map(() => newId());
    const { n: head } = await db.read(headOf);
    const [one, refused, three] = await atOnce(
      ids.map((id, place) => ({
        cause: { ...aCause(), by: users[place] ?? null, changes: [changes[place] ?? ''] },
        work: async (w: WriteTransaction) => {
          await w.insert('user', { id });
          if (place === 1) throw new ProblemError({ code: 'forbidden' });
          return transactionOf(w);
        },
      })),
    );

    expect(one?.status).to.equal('fulfilled');
    expect(three).to.deep.equal(one);
    expect(reasonOf(refused)).to.equal('forbidden');
    expect(await Promise.all(ids.map(there))).to.deep.equal([true, false, true]);
    const told = await db.read((tx) =>
      tx.query(sql`select n, id, by, changes from feed where n > ${head} order by n`),
    );
    expect(told).to.deep.equal([
      { n: head + 1, id: ids[0], by: users[0], changes: [changes[0]] },
      { n: head + 2, id: ids[2], by: users[2], changes: [changes[2]] },
    ]);
  });

  it('are done one by one when one of them has broken the transaction that they shared [14.6]', async () => {
    const [before, after] = [newId(), newId()];
    const insert = (id: string): WriteEntry<void> => ({ work: (w) => w.insert('user', { id }) });
    const [one, broken, three] = await atOnce([
      insert(before),
      {
        work: async (w) => {
          await w.query(sql`select 1 / 0`).catch(() => undefined);
        },
      },
      insert(after),
    ]);

    expect([one?.status, three?.status]).to.deep.equal(['fulfilled', 'fulfilled']);
    expect(broken?.status).to.equal('rejected');
    expect([await there(before), await there(after)]).to.deep.equal([true, true]);
  });

  /** Requests one write of each of `people`, and notes the position of each among all. */
  const inTurn = async (people: readonly (string | null)[]) => {
    const order: (string | null)[] = [];
    const ended = await atOnce(
      people.map((by) => ({
        cause: { ...aCause(), by },
        work: (w: WriteTransaction) => {
          order.push(w.cause.by);
          return Promise.resolve();
        },
      })),
    );
    return { order, refused: ended.map(reasonOf) };
  };

  it('take turns by person, so that who sends a hundred keeps nobody waiting for them [F11]', async () => {
    const [many, other] = [newId(), newId()];
    const { order } = await inTurn([...Array.from({ length: 100 }, () => many), null, other]);

    // The server had a turn just before.
    expect(order.slice(0, 4)).to.deep.equal([many, other, null, many]);
    expect(order).to.have.length(102);
  });

  it('are 200 of one person at most: what is beyond is answered 503 at once, and others write [F11]', async () => {
    const [many, other] = [newId(), newId()];
    const { order, refused } = await inTurn([...Array.from({ length: 202 }, () => many), other]);

    expect(refused.filter((reason) => reason === 'unavailable')).to.have.length(2);
    expect(refused.slice(200)).to.deep.equal(['unavailable', 'unavailable', null]);
    expect(order).to.have.length(201);
  });

  it('are not carried out when they waited so long that nobody waits for their answer [F11]', async () => {
    const insert = (w: WriteTransaction) => w.insert('user', { id: newId() });
    const [late, inTime] = await atOnce(
      [{ work: insert }, { work: insert, laterMs: 1 }],
      limits.requestTimeoutMs - 1,
    );

    expect(reasonOf(late)).to.equal('unavailable');
    expect(inTime?.status).to.equal('fulfilled');
  });

  onPostgres(
    'are all told 503, and nothing is kept, when the connection that they share breaks [14.6]',
    async () => {
      const ids = [newId(), newId()];
      const { n: head } = await db.read(headOf);
      const ended = await atOnce([
        { work: (w) => w.insert('user', { id: ids[0] ?? '' }) },
        {
          work: async (w) => {
            await w.query(sql`select pg_terminate_backend(pg_backend_pid())`);
          },
        },
        { work: (w) => w.insert('user', { id: ids[1] ?? '' }) },
      ]);

      // The last one had not begun, so it runs on the next connection.
      expect(ended.map(reasonOf)).to.deep.equal(['unavailable', 'unavailable', null]);
      expect(await Promise.all(ids.map(there))).to.deep.equal([false, true]);
      expect((await db.read(headOf)).n).to.equal(head + 1);
    },
  );

  onPostgres(
    'leave every connection to readers while another process holds the writers up [14.6]',
    async () => {
      const other = new pg.Client(own.databaseUrl ?? '');
      await other.connect();
      await other.query('begin; select n from feed_head for update');
      const ids = Array.from({ length: 24 }, () => newId());
      const written = Promise.all(
        ids.map((id) => db.write(aCause(), (w) => w.insert('user', { id }))),
      );

      expect(await there(ids[0] ?? '')).to.equal(false);
      await other.query('rollback');
      await other.end();
      await written;
      expect(await there(ids[23] ?? '')).to.equal(true);
    },
  );

  onPostgres(
    'leave connections to readers while transactions wait for an advisory lock [14.6]',
    async () => {
      const other = new pg.Client(own.databaseUrl ?? '');
      await other.connect();
      await other.query('begin; select pg_advisory_xact_lock(987654321)');
      const waiting = Promise.allSettled(
        Array.from({ length: 24 }, () =>
          db.transact((tx) => tx.query(sql`select pg_advisory_xact_lock(987654321)`)),
        ),
      );

      const read = await db.read((tx) => tx.query(sql`select 1 as one`)).catch(codeOf);
      await other.query('rollback');
      await other.end();
      await waiting;
      expect(read).to.deep.equal([{ one: 1 }]);
    },
  );
});

describe('a statement of a read on PostgreSQL', () => {
  const openWith = async (times?: StatementTimes) => {
    const server = await openPostgres(url, () => undefined, times);
    const random = (bytes: Uint8Array) => bytes;
    const options = {
      bus: localBus(),
      clock: Date.now,
      random,
      secrets: testSecrets,
      recorder: feedRecorder,
    };
    return openOn(server, 'postgres', options);
  };

  onPostgres('is given up with 503 after a time, and the next is answered [F11]', async () => {
    const db = await openWith({ readWithinMs: 1_000 });
    const slow = await db.read((tx) => tx.query(sql`select pg_sleep(60)`)).catch(codeOf);

    expect(slow).to.equal('unavailable');
    expect(await db.read((tx) => tx.query(sql`select 1 as one`))).to.deep.equal([{ one: 1 }]);
    await db.close();
  });

  onPostgres('has ten seconds, one process and no compilation [F11]', async () => {
    const db = await openWith();
    const [set] = await db.read((tx) =>
      tx.query(
        sql`select current_setting('statement_timeout') as timeout, current_setting('jit') as jit,
          current_setting('max_parallel_workers_per_gather') as workers`,
      ),
    );

    expect(set).to.deep.equal({ timeout: '10s', jit: 'off', workers: '0' });
    await db.close();
  });
});

describe('the embedded database, which does one thing at a time,', () => {
  /** Returns the order in which requests begin that come while the database is held. */
  const orderOf = async (asked: readonly ('read' | 'write')[]) => {
    const turns = new TransactionQueue();
    const end = await turns.enter('write');
    const order: string[] = [];
    const all = asked.map(async (purpose, place) => {
      const done = await turns.enter(purpose);
      order.push(`${purpose} ${place}`);
      done();
    });
    end();
    await Promise.all(all);
    return order;
  };

  it('lets reads that wait go before writes that wait, each in their order [14.6]', async () => {
    expect(await orderOf(['write', 'read', 'write', 'read'])).to.deep.equal([
      'read 1',
      'read 3',
      'write 0',
      'write 2',
    ]);
  });

  it('lets a write go after twenty reads, so that no crowd of readers keeps it out [14.6]', async () => {
    const order = await orderOf(['write', ...Array.from({ length: 30 }, () => 'read' as const)]);

    expect(order.indexOf('write 0')).to.equal(20);
  });
});
