import { sql } from 'kysely';
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
  async enqueue(tx: DatabaseTransaction, job: QueuedJob, dueAt: number): Promise<void> {
    const { name, key, data, failures } = job;
    await tx.query(sql`insert into queued_jobs as job (id, name, key, data, failures, due_at)
      values (${newId(this.#clock, this.#random)}::uuid, ${name}, ${key}, ${JSON.stringify(data)}::jsonb,
        ${failures}, ${isoOf(dueAt)}::timestamptz)
      on conflict (name, key) where state = 'waiting' do update
        set due_at = least(job.due_at, excluded.due_at),
          failures = greatest(job.failures, excluded.failures)`);
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
