import type { Of } from '#schema/index.ts';
import type { WriteTransaction } from '../db/database.ts';
import type { JobData } from '../db/jobs/job-data.ts';
import type { JobAttempt } from '../db/jobs/jobs.ts';
import type { Services } from '../domain/services.ts';
import { buildStates } from '../domain/workflow/steps.ts';
import type { State } from '../domain/workflow/steps.ts';
import { runStep, productOf } from './products.ts';
import { scenes } from './scenes.ts';
import type { DemoStep } from './scenes.ts';
import { userNamed } from './script.ts';

type Place = JobData['play-demo'];

/** How long until it is looked at again whether the engine is done. */
const LOOK_AGAIN_MS = 1_000;

/** In which the engine is at work, and nobody is asked. */
const AT_WORK: ReadonlySet<string | null> = new Set<State>([
  'Product Creation',
  ...Object.values(buildStates),
  'Product Publish',
]);

/** From the start of the server on the demo's people go on with their products, as builds end. */
export async function beginToPlayOn(parts: Services): Promise<void> {
  if (parts.config.engine.outside !== null) return;
  await parts.db.write(nobody(parts), async (write) => {
    for (const scene of scenes.keys()) await enqueueNext(parts, write, { scene, deed: 0 });
  });
}

/** Does what comes next with the product of a scene, unless somebody has done something else. */
export async function playOn(parts: Services, place: Place, attempt: JobAttempt): Promise<void> {
  const next = scenes[place.scene]?.later[place.deed];
  if (next === undefined) return;
  const id = productOf(place.scene);
  await parts.db.write(nobody(parts), async (write) => {
    await attempt.complete(write);
    const product = await write.one('product', id);
    if (product === null) return;
    if (product.workflowState === next.state) {
      if (!(await mayBeDone(write, product, next.deed))) return;
      await runStep(parts, write, id, next.deed);
      await enqueueNext(parts, write, { ...place, deed: place.deed + 1 });
    } else if (AT_WORK.has(product.workflowState))
      await enqueueNext(parts, write, place, LOOK_AGAIN_MS);
  });
}

/** Not in an archived project, nor where another was asked meanwhile. */
async function mayBeDone(
  write: WriteTransaction,
  { id, project }: Of<'product'>,
  [who, deed]: DemoStep,
): Promise<boolean> {
  const isArchived = (await write.one('project', project))?.dateArchived !== null;
  if (isArchived || typeof deed !== 'string') return !isArchived;
  const user = (await userNamed(write, who)).id;
  return (await write.all('userTask', { product: id, user })).length > 0;
}

const nobody = ({ clock }: Services) => ({ at: clock(), by: null, changes: [] });

function enqueueNext(
  parts: Services,
  write: WriteTransaction,
  place: Place,
  afterMs = 0,
): Promise<void> {
  return parts.jobs.enqueue(write, { name: 'play-demo', data: place }, { afterMs });
}
