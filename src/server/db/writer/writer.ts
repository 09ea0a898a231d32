import type pg from 'pg';
import type { Clock, Random } from '#base/id.ts';
import type { WriteCause, WriteTransaction } from '../database.ts';
import { randomName } from '../random-name.ts';
import { begin, refuseInside, rolledBack, within } from '../connections/transaction-session.ts';
import {
  isAnswer,
  isCollision,
  isConnectionLost,
  unavailableProblemOf,
} from '../connections/database-errors.ts';
import type { TransactionQueue } from '../connections/transaction-queue.ts';
import type { ChangeRecorder } from './change-recorder.ts';
import { WriterQueue } from './writer-queue.ts';
import type { WaitingWrite } from './writer-queue.ts';
import { OpenWrite } from './open-write.ts';

/**
 * At most this many requests share a transaction, and none joins one that has been open for this
 * long.
 */
const MOST_SHARING = 32;
const JOINED_WITHIN_MS = 100;

/** A request to write, and the promise of whoever waits for it. */
interface WriteRequest extends WaitingWrite {
  readonly cause: WriteCause;
  readonly work: (write: WriteTransaction) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
}

/** A request that is done; it is durable with the commit. */
interface FinishedWrite {
  readonly request: WriteRequest;
  readonly result: unknown;
  readonly writing: OpenWrite;
  /** True when the feed has something new because of it. */
  readonly hasFeedRows: boolean;
}

export interface WriterServices {
  readonly pool: pg.Pool;
  readonly transactionQueue: TransactionQueue | null;
  /** Called with the number of the last of several commits. */
  readonly committed: (n: number) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: ChangeRecorder;
}

/**
 * Runs the writes of this process, on one connection, so that those who wait hold no connection
 * that a reader could have. Waiting requests share a transaction: each has a number of its own in
 * the feed and a savepoint, so that a refusal undoes nothing of the others. Nobody is answered
 * before the commit.
 */
export class Writer {
  readonly #services: WriterServices;
  readonly #waiting: WriterQueue<WriteRequest>;
  #isWorking = false;

  constructor(services: WriterServices) {
    this.#services = services;
    this.#waiting = new WriterQueue(services.clock);
  }

  /** @throws ProblemError 503 when too many wait, or the database could not do it at this moment */
  async write<T>(cause: WriteCause, work: (write: WriteTransaction) => Promise<T>): Promise<T> {
    refuseInside();
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add({
        by: cause.by,
        since: this.#services.clock(),
        cause,
        work,
        resolve: resolve as (result: unknown) => void,
        reject,
      });
      void this.#runQueue();
    });
  }

  async #runQueue(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    while (!this.#waiting.isEmpty) {
      const end = await this.#services.transactionQueue?.enter('write');
      try {
        await this.#transact();
      } finally {
        end?.();
      }
    }
    this.#isWorking = false;
  }

  /**
   * Runs one transaction. It never rejects: everybody in it learns what became of their request.
   */
  async #transact(): Promise<void> {
    let client;
    try {
      client = await this.#services.pool.connect();
    } catch (error) {
      this.#waiting.refuseAll(unavailableProblemOf(error));
      return;
    }
    const shared = new SharedTransaction(client, this.#services);
    try {
      await this.#share(shared);
      await shared.commit();
    } catch (error) {
      client.release(isConnectionLost(error) || !(await rolledBack(client)));
      this.#undone(shared.members, error);
      return;
    }
    client.release();
    this.#notify(shared.done);
  }

  async #share(shared: SharedTransaction): Promise<void> {
    const openedAt = this.#services.clock();
    const alone = this.#waiting.takeAlone();
    if (alone !== null) {
      const error = await shared.run(alone);
      if (error !== null) alone.reject(unavailableProblemOf(error));
      return;
    }
    let next = this.#waiting.take();
    while (next !== null) {
      const error = await shared.run(next);
      if (error !== null) this.#failed(next, error);
      if (shared.members.length >= MOST_SHARING || this.#waiting.hasAlone) return;
      if (this.#services.clock() - openedAt >= JOINED_WITHIN_MS) return;
      if (this.#services.transactionQueue?.isReadWaiting === true) return;
      next = this.#waiting.take();
    }
  }

  /** Rejects one request; the others of its transaction go on without it. */
  #failed(request: WriteRequest, error: unknown): void {
    if (isCollision(error)) this.#waiting.tryAlone([request]);
    else request.reject(unavailableProblemOf(error));
  }

  /**
   * The whole transaction was undone. If one request in it may be the cause, each is tried alone.
   */
  #undone(members: readonly WriteRequest[], error: unknown): void {
    if (members.length > 1 && isAnswer(error)) this.#waiting.tryAlone(members);
    else for (const { reject } of members) reject(unavailableProblemOf(error));
  }

  #notify(done: readonly FinishedWrite[]): void {
    const last = done.filter(({ hasFeedRows }) => hasFeedRows).at(-1);
    if (last !== undefined) this.#services.committed(last.writing.n);
    for (const { request, writing, result } of done) {
      try {
        for (const act of writing.afterwards) act();
        request.resolve(result);
      } catch (error) {
        request.reject(error);
      }
    }
  }
}

/** A transaction that requests share. */
class SharedTransaction {
  readonly done: FinishedWrite[] = [];
  readonly #client: pg.ClientBase;
  readonly #random: Random;
  readonly #recorder: ChangeRecorder;
  /**
   * The number of the last commit, including those of this transaction; null before it has begun.
   */
  #head: number | null = null;
  #hasSavepoint = false;
  /** The request that runs now and is neither done nor refused yet. */
  #atWork: WriteRequest | null = null;

  constructor(
    client: pg.ClientBase,
    { random, recorder }: Pick<WriterServices, 'random' | 'recorder'>,
  ) {
    this.#client = client;
    this.#random = random;
    this.#recorder = recorder;
  }

  /** Returns the requests whose result depends on the transaction. */
  get members(): readonly WriteRequest[] {
    const done = this.done.map(({ request }) => request);
    return this.#atWork === null ? done : [...done, this.#atWork];
  }

  /**
   * Runs a request; returns what it throws, and then nothing of it is left.
   *
   * @throws Error when the transaction cannot go on
   */
  async run(request: WriteRequest): Promise<unknown> {
    const { cause, work } = request;
    this.#atWork = request;
    const n = (await this.#stepIn()) + 1;
    try {
      const done = await within(this.#client, async (session) => {
        const writing = new OpenWrite(session, cause, n, this.#recorder);
        const result = await work(writing);
        await this.#recorder.auditJournal(session, writing.journal, writing.audited, cause);
        const commit = { n, mark: randomName(this.#random) };
        const hasFeedRows = await this.#recorder.writeFeed(session, writing.journal, cause, commit);
        return { request, result, writing, hasFeedRows };
      });
      this.done.push(done);
      if (done.hasFeedRows) this.#head = n;
      this.#atWork = null;
      return null;
    } catch (error) {
      await this.#stepBack(error);
      this.#atWork = null;
      return error;
    }
  }

  async commit(): Promise<void> {
    if (this.#head === null) return;
    const { command } = await this.#client.query('commit');
    // PostgreSQL answers so to a commit after a failed statement whose error nobody passed on.
    if (command === 'ROLLBACK') throw new SilentRollbackError();
  }

  /** The first request is undone with the transaction, those after it with their savepoints. */
  async #stepIn(): Promise<number> {
    if (this.#head === null) {
      const opened: unknown = await this.#client.query(begin.write);
      const head = (opened as pg.QueryResult[]).at(-1)?.rows[0] as { n: number } | undefined;
      if (head === undefined) throw new Error('The feed has no head');
      this.#head = head.n;
    } else {
      const release = this.#hasSavepoint ? 'release savepoint request; ' : '';
      await this.#client.query(`${release}savepoint request`);
      this.#hasSavepoint = true;
    }
    return this.#head;
  }

  async #stepBack(error: unknown): Promise<void> {
    if (this.#hasSavepoint) {
      await this.#client.query('rollback to savepoint request');
    } else {
      if (!(await rolledBack(this.#client))) throw error;
      this.#head = null;
    }
  }
}

/** A database error with the text that the database would have given. */
class SilentRollbackError extends Error {
  readonly code = '25P02';
  constructor() {
    super('A failed statement undid a transaction, and was passed over');
    this.name = 'SilentRollbackError';
  }
}
