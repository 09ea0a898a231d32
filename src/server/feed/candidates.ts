import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TypeName } from '#schema/index.ts';
import { LISTED } from '../access/query/query-sql.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import { tableOf } from '../db/tables.ts';
import type { ReadBudget } from './read-budget.ts';

/** The name of the table in `Candidates.conditions`. */
export const CANDIDATE = 'candidate';

/** The first `most` records of a type, by id, that meet one of some conditions. */
export interface Candidates {
  readonly type: TypeName;
  readonly conditions: readonly RawBuilder<boolean>[];
  /** The candidates have ids beyond this one. */
  readonly after: string;
  /** The last id that a candidate may have; null: there is no limit. */
  readonly upTo: string | null;
  readonly most: number;
}

export interface CandidateCount {
  readonly count: number;
  /** The last id that was reached; null: nothing is left of the type. */
  readonly end: string | null;
}

/** Counts the candidates, which are about to be read, and spends budget on them. */
export async function countCandidates(
  tx: DatabaseTransaction,
  candidates: Candidates,
  budget: ReadBudget,
): Promise<CandidateCount> {
  const { conditions, upTo, most } = candidates;
  if (conditions.length === 0) return { count: 0, end: upTo };
  const [row] = await tx.query(sql<{ readonly looked: number; readonly last: string | null }>`
    with candidates as materialized (${candidatesSql(candidates)})
    select count(*) as looked, (select id from candidates order by id desc limit 1) as last
    from candidates`);
  const { looked = 0, last = null } = row ?? {};
  budget.spend(looked);
  return { count: looked, end: looked < most ? upTo : last };
}

/** Returns the condition that the row `LISTED` is one of the candidates. */
export function isCandidate(candidates: Candidates): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${LISTED}.id`)} in (${candidatesSql(candidates)})`;
}

/** Makes a query for each condition, because no index serves several that are joined by `or`. */
function candidatesSql({ type, conditions, after, upTo, most }: Candidates): RawBuilder<unknown> {
  const id = sql.ref(`${CANDIDATE}.id`);
  const isUpTo = upTo === null ? sql`` : sql`and ${id} <= ${upTo}::uuid`;
  const queries = conditions.map(
    (condition) => sql`select ${id} from ${sql.table(tableOf(type))} as ${sql.id(CANDIDATE)}
      where ${condition} and ${id} > ${after}::uuid ${isUpTo}`,
  );
  return sql`select id from (${sql.join(queries, sql` union `)}) as candidates
    order by id limit ${most}`;
}
