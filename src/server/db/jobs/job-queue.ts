import { sql } from 'kysely';
import { newId } from '#base/id.ts';
import type { Clock, Random } from '#base/id.ts';
import type { JobTrouble } from '#protocol/jobs.ts';
import type { DatabaseTransaction } from '../database.ts';

/** A job as it is stored. */
export interface QueuedJob {
  readonly name: string;
  readonly data: unknown;
  readonly failures: number;
  /** At most one job of a name waits under this key. */
  readonly key: string | null;
}

/** Why the last attempt at a job failed, and when. */
export interface FailedAttempt {
  readonly trouble: JobTrouble;
  readonly at: number;
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

export interface JobListRequest {
  readonly isFailed: boolean;
  readonly limit: number;
}

/** A job as `list` gives it. */
export interface ListedJob extends Pick<ActiveJob, 'id' | 'name' | 'data' | 'failures'> {
  readonly isRunning: boolean;
  readonly trouble: string | null;
  /** ISO 8601, as is `dueAt`. */
  readonly failedAt: string | null;
  readonly dueAt: string;
}

export interface TakenJobs {
  readonly taken: readonly ActiveJob[];
  /** The time at which the next waiting job is due, in ms; null when none waits. */
  readonly nextAt: number | null;
}

/** A process without a sign of life for this long is dead, and others take over its jobs. */
export const DEAD_AFTER_MS = 20_000;

/**
 * The table `queued_jobs`. A job waits, is active (`alive_at`: the last sign of life of its
 * process), or was released by its process; a completed job is removed. Our clock decides when a
 * job is due, not the database's.
 */
export class JobQueue {
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  get now(): number {
    return this.#clock();
  }

  /**
   * Puts a job into the queue. If one waits under its key, that one is brought forward instead; the
   * lock on it keeps it from beginning before the commit, so that it sees what this transaction
   * writes.
   */
  async enqueue(
    tx: DatabaseTransaction,
    job: QueuedJob,
    dueAt: number,
    failed: FailedAttempt | null = null,
  ): Promise<void> {
    const { name, key, data, failures } = job;
    const failedAt = failed === null ? null : isoOf(failed.at);
    await tx.query(sql`insert into queued_jobs as job
      (id, name, key, data, failures, due_at, trouble, failed_at)
      values (${newId(this.#clock, this.#random)}::uuid, ${name}, ${key}, ${JSON.stringify(data)}::jsonb,
        ${failures}, ${isoOf(dueAt)}::timestamptz, ${failed?.trouble ?? null},
        ${failedAt}::timestamptz)
      on conflict (name, key) where state = 'waiting' do update
        set due_at = least(job.due_at, excluded.due_at),
          failures = greatest(job.failures, excluded.failures),
          trouble = coalesce(excluded.trouble, job.trouble),
          failed_at = coalesce(excluded.failed_at, job.failed_at)`);
  }

  /** Lists the first `limit` jobs that failed, or that did not, those due next first; counts all. */
  async list(
    tx: DatabaseTransaction,
    { isFailed, limit }: JobListRequest,
  ): Promise<{ readonly jobs: readonly ListedJob[]; readonly total: number }> {
    const wanted = isFailed ? sql`failures > 0` : sql`failures = 0`;
    const [counted] = await tx.query(
      sql<{ readonly total: number }>`select count(*) as total from queued_jobs where ${wanted}`,
    );
    const jobs =
      await tx.query(sql<ListedJob>`select id, name, data, state = 'active' as "isRunning",
      failures, trouble, failed_at as "failedAt", due_at as "dueAt"
      from queued_jobs where ${wanted} order by due_at, id limit ${limit}`);
    return { jobs, total: counted?.total ?? 0 };
  }

  /**
   * Makes a failed job due now. One that runs already, or is due, stays as it is; null: no job of
   * that id has failed.
   */
  async runAgain(
    tx: DatabaseTransaction,
    id: string,
  ): Promise<{ readonly name: string; readonly isBroughtForward: boolean } | null> {
    const now = isoOf(this.now);
    const [failed] = await tx.query(sql<{ readonly name: string }>`select name from queued_jobs
      where id = ${id}::uuid and failures > 0`);
    if (failed === undefined) return null;
    const changed = await tx.query(sql`update queued_jobs set due_at = ${now}::timestamptz
      where id = ${id}::uuid and state = 'waiting' and due_at > ${now}::timestamptz returning id`);
    return { name: failed.name, isBroughtForward: changed.length > 0 };
  }

  /** Makes the job that waits under a key due at `dueAt` if that is earlier. Returns false if none waits. */
  async bringForward(
    tx: DatabaseTransaction,
    { name, key }: Pick<QueuedJob, 'name' | 'key'>,
    dueAt: number,
  ): Promise<boolean> {
    const rows = await tx.query(sql`update queued_jobs
      set due_at = least(due_at, ${isoOf(dueAt)}::timestamptz)
      where name = ${name} and key = ${key} and state = 'waiting' returning id`);
    return rows.length > 0;
  }

  /**
   * Takes jobs that are due, were released or whose process is dead, the longest due first; the
   * next job of a key never starts before its last one is done.
   */
  async take(tx: DatabaseTransaction, { places, activeIds }: TakeRequest): Promise<TakenJobs> {
    const names = [...places.keys()];
    const [now, dead] = [isoOf(this.now), isoOf(this.now - DEAD_AFTER_MS)];
    const taken = await tx.query(sql<ActiveJob>`
      with due as (
        select found.id from unnest(${names}::text[], ${[...places.values()]}::int[]) as place (name, free)
        cross join lateral (
          select id from queued_jobs job
          where name = place.name and id <> all(${activeIds}::uuid[])
            and (state <> 'active' and due_at <= ${now}::timestamptz
              or state = 'active' and alive_at <= ${dead}::timestamptz)
            and not (state = 'waiting' and exists (select from queued_jobs begun
              where begun.name = job.name and begun.key = job.key and begun.state <> 'waiting'))
          order by due_at, id limit place.free for update skip locked
        ) as found
      )
      update queued_jobs job set state = 'active', alive_at = ${now}::timestamptz
      from due where job.id = due.id
      returning job.id, job.name, job.key, job.data, job.failures`);
    const [next] = await tx.query(sql<{ readonly at: string | null }>`
      select min(due_at) as at from queued_jobs
      where name = any(${names}::text[]) and state <> 'active' and due_at > ${now}::timestamptz`);
    const at = next?.at ?? null;
    return { taken, nextAt: at === null ? null : Date.parse(at) };
  }

  /** Removes a job that was taken. Returns true if it was still there. */
  async remove(tx: DatabaseTransaction, { id }: ActiveJob): Promise<boolean> {
    const rows = await tx.query(sql`delete from queued_jobs where id = ${id}::uuid returning id`);
    return rows.length > 0;
  }

  /**
   * Gives a sign of life. A job that a writer completes at this moment is left out: waiting for it
   * while it waits for another would be a deadlock.
   */
  async heartbeat(tx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
    await tx.query(sql`update queued_jobs set alive_at = ${isoOf(this.now)}::timestamptz
      where id in (select id from queued_jobs
        where state = 'active' and id = any(${ids}::uuid[]) for update skip locked)`);
  }

  /** Nobody runs these jobs any more: they can be taken at once. */
  async release(tx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
    await tx.query(sql`update queued_jobs set state = 'released'
      where state = 'active' and id = any(${ids}::uuid[])`);
  }

  /** Nobody runs any job. */
  async releaseAll(tx: DatabaseTransaction): Promise<void> {
    await tx.query(sql`update queued_jobs set state = 'released' where state = 'active'`);
  }
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
