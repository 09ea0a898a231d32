import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EngineTx } from '../host.ts';

/** The host's database gives this number of an advisory lock to nothing else. */
const TURNS_LOCK = 7_305_520;

/**
 * Builds that are not completed, each with its organization: that of the product that its job was
 * made for. A job of no product of ours stands for itself.
 */
const waiting = sql`select build.id, build.status, build.held_until,
    coalesce(project.organization_id::text, 'job ' || job.id) as tenant
  from engine_builds build join engine_jobs job on job.id = build.job_id
  left join products product on product.id = case
    when job.request_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then job.request_id::uuid end
  left join projects project on project.id = product.project_id
  where build.status <> 'completed'`;

/**
 * The id of the build to take up: the oldest of that organization whose turn was the longest ago,
 * without those that have one under way. Null: none. Whoever asks next waits until this is taken.
 */
export async function nextBuildByOrganization(
  tx: EngineTx,
  now: string,
): Promise<RawBuilder<number> | null> {
  await tx.query(sql`select pg_advisory_xact_lock(${TURNS_LOCK})`);
  const [next] = await tx.query(
    sql<{ readonly id: number; readonly tenant: string }>`
      with waiting as (${waiting})
      select waiting.id, waiting.tenant from waiting
      left join engine_turns last on last.tenant = waiting.tenant
      where (held_until is null or held_until <= ${now}) and not exists (select from waiting other
        where other.tenant = waiting.tenant and other.status = 'active' and other.held_until > ${now})
      order by last.turn nulls first, waiting.id limit 1`,
  );
  if (next === undefined) return null;
  await tx.query(sql`insert into engine_turns (tenant, turn)
    values (${next.tenant}, (select coalesce(max(turn), 0) + 1 from engine_turns))
    on conflict (tenant) do update set turn = excluded.turn`);
  return sql<number>`${next.id}`;
}

/**
 * Counts the builds that begin before the build `id`, if nothing new comes: those of its own
 * organization before it, and of each other one as many as have their turn until then.
 */
export const aheadOf = (id: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(with waiting as (${waiting}),
      own as (select tenant from waiting where waiting.id = ${id}),
      mine as (select count(*) as ahead from waiting join own using (tenant) where waiting.id < ${id})
    select ahead + coalesce((select sum(greatest(least(others.builds, mine.ahead),
        least(others.older, mine.ahead + 1))) from (
          select count(*) as builds, count(*) filter (where waiting.id < ${id}) as older
          from waiting where tenant <> (select tenant from own) group by tenant
        ) as others), 0)::bigint from mine)`;
