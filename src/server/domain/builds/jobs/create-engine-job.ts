import type { Parts } from '../../parts.ts';
import type { Tx } from '../../../db/database.ts';
import type { Doing } from '../../doing.ts';
import type { Attempt } from '../../../db/jobs/jobs.ts';
import { give } from '../../workflow/running/carry-out.ts';
import { knownOf } from '../../workflow/running/known.ts';
import { engineJobOf, keepEngineJob, runningOf } from '../../workflow/running/running.ts';
import type { Running } from '../../workflow/running/running.ts';
import { namesOfProduct, tell } from '../../workflow/running/tell.ts';
import type { EngineError, JobAsked } from '#protocol/engine.ts';
import { engineOf } from './engine-of.ts';
import { called, tryAgain, writing } from './failing.ts';

/** Has the engine make a job for a product that waits in Product Creation. */
export async function createEngineJob(parts: Parts, id: string, attempt: Attempt): Promise<void> {
  const asked = await parts.db.read((tx) => askedOf(tx, id));
  if (asked === null) return;
  const { running, job } = asked;
  const { engine } = await engineOf(parts, running.project.organization);
  const heard = await called(() => engine.createJob(job));
  if (heard.is === 'failed') {
    await tryAgain(parts, attempt, (doing) => tellUnable(doing, running, heard.error));
    return;
  }
  await writing(parts, async (doing) => {
    const { write } = doing;
    await attempt.done(write);
    await keepJob(doing, id, heard.answer.id);
  });
}

/** Keeps which job of the engine it is, and has the product go on. */
export async function keepJob(doing: Doing, id: string, job: number): Promise<void> {
  const { write } = doing;
  if ((await write.one('product', id)) === null) return;
  await keepEngineJob(write, id, job);
  const now = await runningOf(write, id);
  if (now !== null) await give(doing, now, { is: 'job created' });
}

/** What the engine is asked for; null: nothing waits for a job. */
export async function askedOf(
  tx: Tx,
  id: string,
): Promise<{ readonly running: Running; readonly job: JobAsked } | null> {
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
async function tellUnable(doing: Doing, running: Running, error: EngineError): Promise<boolean> {
  const { write } = doing;
  const { actors } = await knownOf(write, running);
  const { owner } = running.project;
  const values = { ...(await namesOfProduct(write, running)), error: error.message };
  if (error.because !== 'refused') {
    const people = [...actors.OrgAdmin, owner];
    await tell(doing, running, 'productFailedUnableToConnect', people, values);
    return false;
  }
  const admins = actors.OrgAdmin.filter((user) => user !== owner);
  await tell(doing, running, 'productCreationFailedOwner', [owner], values);
  await tell(doing, running, 'productCreationFailedAdmin', admins, values);
  return false;
}
