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

/** So many requests share a transaction at most, and none joins one that has been open for so long. */
const MOST_SHARING = 32;
const JOINED_WITHIN_MS = 100;

/** What somebody wants to write, and whoever waits for it. */
interface WriteRequest extends WaitingWrite {
  readonly cause: WriteCause;
  readonly work: (write: WriteTransaction) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
}

/** A request that is done, and is durable with the commit. */
interface FinishedWrite {
  readonly request: WriteRequest;
  readonly result: unknown;
  readonly writing: OpenWrite;
  /** Whether the feed has something to tell of it. */
  readonly isTold: boolean;
}

export interface WriterParts {
  readonly pool: pg.Pool;
  readonly transactionQueue: TransactionQueue | null;
  /** Told the number of the last of several commits. */
  readonly committed: (n: number) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: ChangeRecorder;
}

/**
 * The writers of this process, on one connection, so that those who wait hold no place
 * that a reader could have. Requests that wait share a transaction: each has a number of its own
 * in the feed and a savepoint, so that what one is refused undoes nothing of the others. Nobody is
 * answered before the commit.
 */
export class Writer {
  readonly #parts: WriterParts;
  readonly #waiting: WriterQueue<WriteRequest>;
  #isWorking = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#waiting = new WriterQueue(parts.clock);
  }

  /** @throws ProblemError 503 when too many wait, or the database could not do it at this moment */
  async write<T>(cause: WriteCause, work: (write: WriteTransaction) => Promise<T>): Promise<T> {
    refuseInside();
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add({
        by: cause.by,
        since: this.#parts.clock(),
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
      const end = await this.#parts.transactionQueue?.enter('write');
      try {
        await this.#transact();
      } finally {
        end?.();
      }
    }
    this.#isWorking = false;
  }

  /** One transaction. Never rejects: everybody in it hears what became of their request. */
  async #transact(): Promise<void> {
    let client;
    try {
      client = await this.#parts.pool.connect();
    } catch (error) {
      this.#waiting.refuseAll(unavailableProblemOf(error));
      return;
    }
    const shared = new SharedTransaction(client, this.#parts);
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
    const openedAt = this.#parts.clock();
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
      if (this.#parts.clock() - openedAt >= JOINED_WITHIN_MS) return;
      if (this.#parts.transactionQueue?.isReadWaiting === true) return;
      next = this.#waiting.take();
    }
  }

  /** The others of its transaction go on without it. */
  #failed(request: WriteRequest, error: unknown): void {
    if (isCollision(error)) this.#waiting.tryAlone([request]);
    else request.reject(unavailableProblemOf(error));
  }

  /** Nothing of a transaction is there. If that may be because of one in it, each is tried alone. */
  #undone(members: readonly WriteRequest[], error: unknown): void {
    if (members.length > 1 && isAnswer(error)) this.#waiting.tryAlone(members);
    else for (const { reject } of members) reject(unavailableProblemOf(error));
  }

  #notify(done: readonly FinishedWrite[]): void {
    const last = done.filter(({ isTold }) => isTold).at(-1);
    if (last !== undefined) this.#parts.committed(last.writing.n);
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
  /** The number of the last commit, those of this transaction included; null before it is begun. */
  #head: number | null = null;
  #hasSavepoint = false;
  /** The one at work, which is neither done nor refused yet. */
  #atWork: WriteRequest | null = null;

  constructor(
    client: pg.ClientBase,
    { random, recorder }: Pick<WriterParts, 'random' | 'recorder'>,
  ) {
    this.#client = client;
    this.#random = random;
    this.#recorder = recorder;
  }

  /** Those whose fate is that of the transaction. */
  get members(): readonly WriteRequest[] {
    const done = this.done.map(({ request }) => request);
    return this.#atWork === null ? done : [...done, this.#atWork];
  }

  /**
   * Carries out what is asked for; returns what it throws, and then nothing of it is left.
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
        const isTold = await this.#recorder.writeFeed(session, writing.journal, cause, commit);
        return { request, result, writing, isTold };
      });
      this.done.push(done);
      if (done.isTold) this.#head = n;
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
    // The answer to a commit of what a failed statement had undone, whoever had kept silent of it.
    if (command === 'ROLLBACK') throw new SilentRollbackError();
  }

  /** The first is undone with the transaction, those after it with their savepoints. */
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

/** A database error in the words of one that the database would have given. */
class SilentRollbackError extends Error {
  readonly code = '25P02';
  constructor() {
    super('A failed statement undid a transaction, and was passed over');
    this.name = 'UndoneSilently';
  }
}
