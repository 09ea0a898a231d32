import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '#base/id.ts';
import type { EngineDatabase } from '../host.ts';
import { nextBuildByOrganization } from './fair-build-order.ts';
import type { StoredFile } from '../engine-paths.ts';

/** A task that a process has taken up. */
export interface BuildTask {
  readonly id: number;
  /** Counts the attempts, this one included: only the last one may write. */
  readonly taken: number;
  /** Counts how often it was under way when its process ended. */
  readonly interrupted: number;
}

/** The result of a build or release. */
export interface BuildTaskResult {
  readonly result: 'SUCCESS' | 'FAILURE' | 'EXCEPTION';
  readonly error: string | null;
  readonly files: readonly StoredFile[];
  /** The link of a release. */
  readonly publishLink?: string;
}

/**
 * Builds or releases that wait: releases first come, first served; builds one of an organization at
 * a time, organizations in turn, so that nobody's many or slow builds stop another's. A worker that
 * takes one up has a lease of a minute and renews it; one whose worker died is taken up again by
 * the next.
 */
export interface BuildQueue {
  take(): Promise<BuildTask | null>;
  /** False: somebody else has it. */
  renewLease(task: BuildTask): Promise<boolean>;
  /** Undoes taking it up. */
  release(task: BuildTask): Promise<void>;
  finish(task: BuildTask, ended: BuildTaskResult): Promise<void>;
  /** Releases what other processes held: none of them lives. */
  releaseOthers(): Promise<void>;
}

/** Another one after every start. */
const THIS_PROCESS = randomUUID();

const LEASE_MS = 60_000;
export const RENEW_EVERY_MS = 20_000;

interface QueueParts {
  readonly db: EngineDatabase;
  readonly clock: Clock;
}

export function openBuildQueue(
  table: 'engine_builds' | 'engine_releases',
  { db, clock }: QueueParts,
): BuildQueue {
  const at = (ms: number) => new Date(ms).toISOString();
  const leaseEnd = () => at(clock() + LEASE_MS);
  const now = () => at(clock());
  const [rows, mine] = [
    sql.table(table),
    (task: BuildTask) => sql`id = ${task.id} and taken = ${task.taken} and status = 'active'`,
  ];
  const begun = () => (table === 'engine_builds' ? sql`, started = ${now()}` : sql``);
  const link = ({ publishLink = null }: { readonly publishLink?: string | null }) =>
    table === 'engine_releases' ? sql`, publish_link = ${publishLink}` : sql``;

  return {
    take: () =>
      db.transact(async (tx) => {
        const next =
          table === 'engine_builds'
            ? await nextBuildByOrganization(tx, now())
            : sql`select id from ${rows} where status <> 'completed'
                and (held_until is null or held_until <= ${now()})
                order by id limit 1 for update skip locked`;
        if (next === null) return null;
        const [task] = await tx.query(
          sql<BuildTask>`update ${rows} set status = 'active', taken = taken + 1,
              interrupted = interrupted + case status when 'active' then 1 else 0 end,
              held_by = ${THIS_PROCESS}, held_until = ${leaseEnd()}, updated = ${now()} ${begun()}
            where id = (${next}) returning id, taken, interrupted`,
        );
        return task ?? null;
      }),
    renewLease: (task) =>
      db.transact(async (tx) => {
        const still = await tx.query(
          sql`update ${rows} set held_until = ${leaseEnd()} where ${mine(task)} returning id`,
        );
        return still.length > 0;
      }),
    release: async (task) => {
      await db.transact((tx) =>
        tx.query(sql`update ${rows} set status = 'accepted', held_until = null
          where ${mine(task)}`),
      );
    },
    finish: async (task, ended) => {
      const files = JSON.stringify(ended.files);
      await db.transact((tx) =>
        tx.query(sql`update ${rows} set status = 'completed', result = ${ended.result},
          error = ${ended.error}, files = ${files}::text::jsonb, held_until = null,
          updated = ${now()} ${link(ended)} where ${mine(task)}`),
      );
    },
    releaseOthers: async () => {
      await db.transact((tx) =>
        tx.query(sql`update ${rows} set held_until = null
          where status = 'active' and held_by <> ${THIS_PROCESS}`),
      );
    },
  };
}
