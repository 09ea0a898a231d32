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

/** Lets the engine make a job for a product that waits in Product Creation. */
export async function createEngineJob(
  services: Services,
  id: string,
  attempt: JobAttempt,
): Promise<void> {
  const jobRequest = await services.db.read((tx) => jobRequestOf(tx, id));
  if (jobRequest === null) return;
  const { running, job } = jobRequest;
  const { engine } = await engineOf(services, running.project.organization);
  const called = await tryCall(() => engine.createJob(job));
  if (called.is === 'failed') {
    await retryJob(services, attempt, called.error, (context) =>
      notifyUnable(context, running, called.error),
    );
    return;
  }
  await runWrite(services, async (context) => {
    const { write } = context;
    await attempt.complete(write);
    await saveJob(context, id, called.answer.id);
  });
}

/** Stores the id of the engine's job, and moves the product's workflow on. */
export async function saveJob(context: WriteContext, id: string, job: number): Promise<void> {
  const { write } = context;
  if ((await write.one('product', id)) === null) return;
  await saveEngineJob(write, id, job);
  const now = await runningOf(write, id);
  if (now !== null) await sendEvent(context, now, { is: 'job created' });
}

/** Returns the request for the engine; null: nothing waits for a job. */
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

/** Notifies people and goes on trying: nothing else can be done with the product. */
async function notifyUnable(
  context: WriteContext,
  running: RunningWorkflow,
  error: EngineError,
): Promise<boolean> {
  const { write } = context;
  const { actors } = await workflowFactsOf(write, running);
  const { owner } = running.project;
  const values = { ...(await namesOfProduct(write, running)), error: error.message };
  if (error.because !== 'refused') {
    const people = [...actors.OrgAdmin, owner];
    await notifyOfProduct(context, running, 'productFailedUnableToConnect', people, values);
    return false;
  }
  const admins = actors.OrgAdmin.filter((user) => user !== owner);
  await notifyOfProduct(context, running, 'productCreationFailedOwner', [owner], values);
  await notifyOfProduct(context, running, 'productCreationFailedAdmin', admins, values);
  return false;
}
