import type { Of } from '#schema/index.ts';
import type { WriteTransaction } from '../db/database.ts';
import type { JobData } from '../db/jobs/job-data.ts';
import type { JobAttempt } from '../db/jobs/jobs.ts';
import type { Services } from '../domain/services.ts';
import { buildStates } from '../domain/workflow/steps.ts';
import type { State } from '../domain/workflow/steps.ts';
import { accounts } from './accounts.ts';
import { runStep, productOf } from './products.ts';
import { scenes } from './scenes.ts';
import type { DemoStep } from './scenes.ts';
import { userNamed } from './script.ts';

type DemoPlace = JobData['play-demo'];

/** The pause before the next poll of the engine. */
const POLL_PAUSE_MS = 1_000;

/** The states in which the engine is working, and nobody has a task. */
const AT_WORK: ReadonlySet<string | null> = new Set<State>([
  'Product Creation',
  ...Object.values(buildStates),
  'Product Publish',
]);

/** From the start of the server on the demo's people go on with their products, as builds end. */
export async function beginToPlayOn(services: Services): Promise<void> {
  if (services.config.engine.outside !== null) return;
  await services.db.write(nobody(services), async (write) => {
    for (const scene of scenes.keys()) await enqueueNext(services, write, { scene, deed: 0 });
  });
}

/**
 * Runs the next step with the product of a scene, unless somebody has done something else. Once
 * nothing is left to do with it, people have read what came meanwhile.
 */
export async function playOn(
  services: Services,
  place: DemoPlace,
  attempt: JobAttempt,
): Promise<void> {
  const next = scenes[place.scene]?.later[place.deed];
  const id = productOf(place.scene);
  await services.db.write(nobody(services), async (write) => {
    await attempt.complete(write);
    const product = await write.one('product', id);
    if (product === null) return;
    const step = next?.state === product.workflowState ? next.step : null;
    if (step !== null && (await mayBeDone(write, product, step))) {
      await runStep(services, write, id, step);
      await enqueueNext(services, write, { ...place, deed: place.deed + 1 });
    } else if (AT_WORK.has(product.workflowState))
      await enqueueNext(services, write, place, POLL_PAUSE_MS);
    else await markOlderRead(services, write);
  });
}

/** An account whose bell shows many looks neglected. */
const LEFT_UNREAD = 3;

/** Leaves each person of the demo their newest notifications unread. */
async function markOlderRead({ clock }: Services, write: WriteTransaction): Promise<void> {
  const dateRead = new Date(clock()).toISOString();
  for (const { email } of Object.values(accounts))
    for (const { id: user } of await write.all('user', { email })) {
      const unread = await write.all('notification', { user, dateRead: null });
      const newestFirst = unread.sort((a, b) => (a.id < b.id ? 1 : -1));
      for (const { id } of newestFirst.slice(LEFT_UNREAD))
        await write.change('notification', id, { dateRead });
    }
}

/** Returns false for an archived project, and when another person has the task meanwhile. */
async function mayBeDone(
  write: WriteTransaction,
  { id, project }: Of<'product'>,
  [who, step]: DemoStep,
): Promise<boolean> {
  const isArchived = (await write.one('project', project))?.dateArchived !== null;
  if (isArchived || typeof step !== 'string') return !isArchived;
  const user = (await userNamed(write, who)).id;
  return (await write.all('userTask', { product: id, user })).length > 0;
}

const nobody = ({ clock }: Services) => ({ at: clock(), by: null, changes: [] });

function enqueueNext(
  services: Services,
  write: WriteTransaction,
  place: DemoPlace,
  afterMs = 0,
): Promise<void> {
  return services.jobs.enqueue(write, { name: 'play-demo', data: place }, { afterMs });
}
