import { CompiledQuery, sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import PgBoss from 'pg-boss';
import { newId } from '#base/id.ts';
import type { Clock, Random } from '#base/id.ts';
import type { DatabaseTransaction } from '../database.ts';

/** A job as it is stored. */
export interface QueuedJob {
  readonly name: string;
  readonly data: unknown;
  readonly failures: number;
  /** At most one job of a name waits under this key. */
  readonly key: string | null;
}

/** A job that this process has taken to do. */
export interface ActiveJob extends QueuedJob {
  readonly id: string;
}

/** The jobs that a process can take now. */
export interface TakeRequest {
  /** The number of further jobs that it can take, by name. */
  readonly places: ReadonlyMap<string, number>;
  /** The ids of the jobs that it is running: taken and alive. */
  readonly activeIds: readonly string[];
}

export interface TakenJobs {
  readonly taken: readonly ActiveJob[];
  /** The time at which the next waiting job is due, in ms; null when none waits. */
  readonly nextAt: number | null;
}

/** A process without a sign of life for this long is dead, and others take over its jobs. */
export const DEAD_AFTER_MS = 20_000;

export interface JobQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The queue of pg-boss. */
  readonly name: string;
}

const boss = new PgBoss({
  schema: 'jobs',
  db: { executeSql: () => Promise.reject(new Error('pg-boss is only used in a transaction')) },
});

/**
 * Jobs in the tables of pg-boss, all in one queue of its: `created` waits, `active` is running
 * (`started_on`: last sign of life), `retry` was released by its process, and a completed job is
 * removed. Our clock decides when a job is due, not the database's.
 */
export class JobQueue {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #name: string;

  constructor({ clock, random, name }: JobQueueOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#name = name;
  }

  get now(): number {
    return this.#clock();
  }

  async enqueue(tx: DatabaseTransaction, job: QueuedJob, dueAt: number): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      if (await this.bringForward(tx, job, dueAt)) return;
      // Another may have put one under the key a moment ago; it is brought forward then.
      if (await this.#send(tx, job, dueAt)) return;
    }
    throw new Error(`The job ${job.name} could not be put into the queue ${this.#name}`);
  }

  /**
   * Makes the job that waits under the key due at `dueAt` if that is earlier, and keeps it from
   * beginning before the commit, so that it sees what this transaction writes. Returns true if
   * there is one.
   */
  async bringForward(
    tx: DatabaseTransaction,
    { name, key, failures }: QueuedJob,
    dueAt: number,
  ): Promise<boolean> {
    if (key === null) return false;
    const rows = await tx.query(sql`update jobs.job
      set start_after = least(start_after, ${isoOf(dueAt)}::timestamptz),
        data = jsonb_set(data, '{failures}',
          to_jsonb(greatest((data->>'failures')::int, ${failures}::int)))
      where name = ${this.#name} and coalesce(singleton_key, '') = ${whole(name, key)}
        and state = 'created' and policy = 'short' returning id`);
    return rows.length > 0;
  }

  async #send(
    tx: DatabaseTransaction,
    { name, key, ...rest }: QueuedJob,
    dueAt: number,
  ): Promise<boolean> {
    const id = newId(this.#clock, this.#random);
    const sent = await boss.send(
      this.#name,
      { name, ...rest },
      {
        id,
        startAfter: new Date(dueAt),
        // pg-boss would take all jobs without a key for one.
        singletonKey: key === null ? id : whole(name, key),
        db: { executeSql: async (text, values) => ({ rows: await tx.query(sqlOf(text, values)) }) },
      },
    );
    return sent !== null;
  }

  /**
   * Takes jobs that are due or were released, the longest due first; the next job of a key never
   * starts before its last one is done.
   */
  async take(tx: DatabaseTransaction, { places, activeIds }: TakeRequest): Promise<TakenJobs> {
    const names = [...places.keys()];
    const [now, dead] = [isoOf(this.now), isoOf(this.now - DEAD_AFTER_MS)];
    const rows = await tx.query(sql<Row>`
      with due as (
        select found.id from unnest(${names}::text[], ${[...places.values()]}::int[]) as place (name, free)
        cross join lateral (
          select id from jobs.job
          where name = ${this.#name} and data->>'name' = place.name and id <> all(${activeIds}::uuid[])
            and (state < 'active' and start_after <= ${now}::timestamptz
              or state = 'active' and started_on <= ${dead}::timestamptz)
            and not exists (select from jobs.job ahead where ahead.name = job.name
              and ahead.singleton_key = job.singleton_key and ahead.id <> job.id
              and ahead.state in ('retry', 'active') and ahead.state > job.state)
          order by start_after, id limit place.free for update skip locked
        ) as found
      )
      update jobs.job set state = 'active', started_on = ${now}::timestamptz
      from due where job.name = ${this.#name} and job.id = due.id
      returning job.id, job.data, job.singleton_key`);
    const [next] = await tx.query(sql<{ readonly at: string | null }>`
      select min(start_after) as at from jobs.job
      where name = ${this.#name} and state < 'active' and start_after > ${now}::timestamptz
        and data->>'name' = any(${names}::text[])`);
    const at = next?.at ?? null;
    return { taken: rows.map(activeJobOf), nextAt: at === null ? null : Date.parse(at) };
  }

  /** Removes a job that was taken. Returns true if it was still there. */
  async remove(tx: DatabaseTransaction, { id }: ActiveJob): Promise<boolean> {
    const rows = await tx.query(sql`delete from jobs.job
      where name = ${this.#name} and id = ${id}::uuid returning id`);
    return rows.length > 0;
  }

  /**
   * Gives a sign of life. A job that a writer completes at this moment is left out: waiting for it
   * while it waits for another would be a deadlock.
   */
  async heartbeat(tx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
    await tx.query(sql`update jobs.job set started_on = ${isoOf(this.now)}::timestamptz
      where name = ${this.#name} and id in (select id from jobs.job
        where name = ${this.#name} and state = 'active' and id = any(${ids}::uuid[])
        for update skip locked)`);
  }

  /** Nobody runs these jobs any more: they can be taken at once. */
  async release(tx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
    await tx.query(sql`update jobs.job set state = 'retry'
      where name = ${this.#name} and state = 'active' and id = any(${ids}::uuid[])`);
  }

  /** Nobody runs any job. */
  async releaseAll(tx: DatabaseTransaction): Promise<void> {
    await tx.query(sql`update jobs.job set state = 'retry'
      where name = ${this.#name} and state = 'active'`);
  }
}

const MOST_TRIES = 5;

interface Row {
  readonly id: string;
  readonly data: Omit<QueuedJob, 'key'>;
  readonly singleton_key: string;
}

function activeJobOf({ id, data, singleton_key: key }: Row): ActiveJob {
  return { ...data, id, key: key === id ? null : key.slice(whole(data.name, '').length) };
}

/** A key counts only within its job name. */
const whole = (name: string, key: string): string => `${name}/${key}`;

/** Makes a statement from text and values that exist already. */
function sqlOf<R>(text: string, values: readonly unknown[]): RawBuilder<R> {
  return { compile: () => CompiledQuery.raw(text, [...values]) } as unknown as RawBuilder<R>;
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
