import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { engineJobOf, runningOf } from '../../workflow/running/running-workflow.ts';
import type { RunningWorkflow } from '../../workflow/running/running-workflow.ts';

/** A build or release that the engine is working on, with all that a request for it needs. */
export interface EngineTask<T extends 'productBuild' | 'productPublication'> {
  readonly record: Of<T>;
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
  /** The engine's job; null: the workflow was moved on before there was one. */
  readonly job: number | null;
  /** Null: the workflow is over, or waits for something else; then it moves nothing (W64). */
  readonly running: RunningWorkflow | null;
}

/** Returns the task; null when it was removed or has ended. */
export async function engineTaskOf<T extends 'productBuild' | 'productPublication'>(
  tx: DatabaseTransaction,
  type: T,
  id: string,
): Promise<EngineTask<T> | null> {
  const record = await tx.one(type, id);
  const { success = false, product: of = null } = (record ?? {}) as Partial<Of<'productBuild'>>;
  if (record === null || success !== null || of === null) return null;
  const product = await tx.one('product', of);
  const project = product === null ? null : await tx.one('project', product.project);
  const job = await engineJobOf(tx, of);
  if (product === null || project === null) return null;
  const running = await runningOf(tx, product.id);
  return { record, product, project, job, running: running?.awaited === id ? running : null };
}
