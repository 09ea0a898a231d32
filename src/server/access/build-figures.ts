import { sql } from 'kysely';
import { limits } from '#protocol/limits.ts';
import type { BuildFigures, BuildWeek, StepWait } from '#protocol/builds/build-figures.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import { withinSql } from './query/within.ts';
import { visibleSql } from './scope-sql.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The first day of 1970 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Counts the builds of an organization by week, and measures how long its products waited in each
 * step, over the last weeks. Nothing counts that `viewer` does not see.
 *
 * @param now in ms
 */
export async function readBuildFigures(
  tx: DatabaseTransaction,
  viewer: Viewer,
  organization: string,
  now: number,
): Promise<BuildFigures> {
  const thisWeek = now - ((now - FIRST_MONDAY_MS) % WEEK_MS);
  const first = thisWeek - (limits.buildFigureWeeks - 1) * WEEK_MS;
  const since = new Date(first).toISOString();
  const counted = await tx.query(sql<BuildWeek>`
    select to_char(date_trunc('week', b.date_created at time zone 'UTC'), 'YYYY-MM-DD') as begins,
      (count(*) filter (where b.success))::integer as built,
      (count(*) filter (where not b.success))::integer as failed,
      (count(*) filter (where b.success is null))::integer as building
    from product_builds as b
    where b.date_created >= ${since} and ${withinSql('productBuild', 'b', [organization])}
      and ${visibleSql('productBuild', 'b', viewer)}
    group by 1`);
  const steps = await tx.query(sql<StepWait>`
    select t.initial_state as state, count(*)::integer as count,
      round(extract(epoch from percentile_cont(0.5) within group
        (order by t.date_transition - t.date_started)) * 1000)::float8 as "medianMs"
    from product_transitions as t
    where t.transition_type = 1 and t.date_transition >= ${since}
      and t.date_started is not null and t.initial_state is not null
      and ${withinSql('productTransition', 't', [organization])}
      and ${visibleSql('productTransition', 't', viewer)}
    group by 1 order by 3 desc, 1 limit ${limits.buildFigureSteps}`);
  const byWeek = new Map(counted.map((week) => [week.begins, week]));
  const weeks = Array.from({ length: limits.buildFigureWeeks }, (_, n): BuildWeek => {
    const begins = dayOf(first + n * WEEK_MS);
    return byWeek.get(begins) ?? { begins, built: 0, failed: 0, building: 0 };
  });
  return { weeks, steps };
}
