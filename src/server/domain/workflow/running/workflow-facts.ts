import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { evaluateRule } from '../../../db/evaluate-rule.ts';
import { actorsOf } from '../actors.ts';
import type { WorkflowFacts } from '../guards.ts';
import { definedParameters } from '../parameters.ts';
import { engineJobOf } from './running-workflow.ts';
import type { RunningWorkflow } from './running-workflow.ts';

type For = Pick<RunningWorkflow, 'product' | 'project' | 'definitions' | 'awaited'>;

/**
 * Returns the facts about the world that a step of the workflow needs, as the transaction sees it.
 */
export async function workflowFactsOf(
  tx: DatabaseTransaction,
  running: For,
): Promise<WorkflowFacts> {
  const { product, project, definitions, awaited } = running;
  return {
    actors: await evaluateRule(tx, (find) => actorsOf(project, find)),
    hasReviewers: (await tx.all('reviewer', { project: project.id })).length > 0,
    hasJob: (await engineJobOf(tx, product.id)) !== null,
    newestBuild: await newestBuildOf(tx, product.id),
    awaited,
    isArchived: project.dateArchived !== null,
    parameters: definedParameters(definitions),
  };
}

async function newestBuildOf(
  tx: DatabaseTransaction,
  product: string,
): Promise<WorkflowFacts['newestBuild']> {
  const [row] = await tx.query(
    sql<{ readonly build_id: number; readonly version_code: string | null }>`
      select build_id, version_code from product_builds
      left join build_facts on build_facts.product_build_id = product_builds.id
      where product_id = ${product} and success and build_id is not null
      order by product_builds.date_created desc, product_builds.id desc limit 1`,
  );
  return row === undefined ? null : { buildId: row.build_id, versionCode: row.version_code ?? '' };
}
