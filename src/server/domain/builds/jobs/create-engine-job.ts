import type { Services } from '../../services.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import type { WriteContext } from '../../write-context.ts';
import type { JobAttempt } from '../../../db/jobs/jobs.ts';
import { sendEvent } from '../../workflow/running/run-workflow.ts';
import { workflowFactsOf } from '../../workflow/running/workflow-facts.ts';
import { engineJobOf, saveEngineJob, runningOf } from '../../workflow/running/running-workflow.ts';
import type { RunningWorkflow } from '../../workflow/running/running-workflow.ts';
import { namesOfProduct, notifyOfProduct } from '../../workflow/running/notify-of-product.ts';
import type { EngineError, JobRequest } from '#protocol/engine.ts';
import { engineOf } from './engine-of.ts';
import { tryCall, retryJob, runWrite } from './retry-job.ts';

/** Has the engine make a job for a product that waits in Product Creation. */
export async function createEngineJob(
  parts: Services,
  id: string,
  attempt: JobAttempt,
): Promise<void> {
  const asked = await parts.db.read((tx) => jobRequestOf(tx, id));
  if (asked === null) return;
  const { running, job } = asked;
  const { engine } = await engineOf(parts, running.project.organization);
  const heard = await tryCall(() => engine.createJob(job));
  if (heard.is === 'failed') {
    await retryJob(parts, attempt, (doing) => notifyUnable(doing, running, heard.error));
    return;
  }
  await runWrite(parts, async (doing) => {
    const { write } = doing;
    await attempt.complete(write);
    await saveJob(doing, id, heard.answer.id);
  });
}

/** Keeps which job of the engine it is, and has the product go on. */
export async function saveJob(doing: WriteContext, id: string, job: number): Promise<void> {
  const { write } = doing;
  if ((await write.one('product', id)) === null) return;
  await saveEngineJob(write, id, job);
  const now = await runningOf(write, id);
  if (now !== null) await sendEvent(doing, now, { is: 'job created' });
}

/** What the engine is asked for; null: nothing waits for a job. */
export async function jobRequestOf(
  tx: DatabaseTransaction,
  id: string,
): Promise<{ readonly running: RunningWorkflow; readonly job: JobRequest } | null> {
  const running = await runningOf(tx, id);
  if (running === null || (await engineJobOf(tx, id)) !== null) return null;
  const { product, project } = running;
  const type = await tx.one('applicationType', project.type);
  const store = product.store === null ? null : await tx.one('store', product.store);
  const job = {
    requestId: id,
    gitUrl: project.workflowProjectUrl ?? '',
    appId: type?.name ?? '',
    publisherId: store?.name ?? null,
  };
  return { running, job };
}

/** Goes on trying: nothing else can be done with the product. */
async function notifyUnable(
  doing: WriteContext,
  running: RunningWorkflow,
  error: EngineError,
): Promise<boolean> {
  const { write } = doing;
  const { actors } = await workflowFactsOf(write, running);
  const { owner } = running.project;
  const values = { ...(await namesOfProduct(write, running)), error: error.message };
  if (error.because !== 'refused') {
    const people = [...actors.OrgAdmin, owner];
    await notifyOfProduct(doing, running, 'productFailedUnableToConnect', people, values);
    return false;
  }
  const admins = actors.OrgAdmin.filter((user) => user !== owner);
  await notifyOfProduct(doing, running, 'productCreationFailedOwner', [owner], values);
  await notifyOfProduct(doing, running, 'productCreationFailedAdmin', admins, values);
  return false;
}
