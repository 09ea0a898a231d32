import { makeJob } from '#engine/bundled-calls.ts';
import { jobRequestOf, saveJob } from '../domain/builds/jobs/create-engine-job.ts';
import type { WriteTransaction } from '../db/database.ts';
import type { Services } from '../domain/services.ts';
import { updateAffectedWorkflows } from '../domain/workflow/running/affected-workflows.ts';
import { scenes } from './scenes.ts';
import type { DemoStep, Scene } from './scenes.ts';
import { actor, DEMO_AT, demoId, theOne } from './script.ts';

/** Returns the product of the scene with that place in the list. */
export const productOf = (scene: number): string => demoId(`product ${scene + 1}`);

/**
 * Lets people add products to the first demo projects, and take them some steps; their
 * notifications are marked as read.
 */
export async function makeProducts(services: Services, write: WriteTransaction): Promise<void> {
  if (services.config.engine.outside !== null) return;
  for (const [n, scene] of scenes.entries()) {
    await add(services, write, productOf(n), scene);
    for (const step of scene.first) {
      await runStep(services, write, productOf(n), step);
      await createNow(services, write, productOf(n));
    }
  }
  for (const { id } of await write.all('notification', { dateRead: null }))
    await write.change('notification', id, { dateRead: new Date(DEMO_AT).toISOString() });
}

async function add(
  services: Services,
  write: WriteTransaction,
  id: string,
  scene: Scene,
): Promise<void> {
  const { definition, store } = scene;
  const owner = await actor(services, write, 'builder');
  await owner.add('product', {
    id,
    project: demoId(`project ${scene.project}`),
    productDefinition: theOne(
      await write.all('productDefinition', { name: definition }),
      definition,
    ).id,
    store: theOne(await write.all('store', { name: store }), store).id,
  });
  await createNow(services, write, id);
  await updateAffectedWorkflows({ services, write });
}

/** Creates the product now, as the engine's job would a little later. */
async function createNow(services: Services, write: WriteTransaction, id: string): Promise<void> {
  const jobRequest = await jobRequestOf(write, id);
  const isWaiting = jobRequest?.running.snapshot.state === 'Product Creation';
  if (isWaiting)
    await saveJob({ services, write }, id, (await makeJob(write, services, jobRequest.job)).id);
}

/** Runs one step with a product, as the request of the person would. */
export async function runStep(
  services: Services,
  write: WriteTransaction,
  product: string,
  [who, step, comment, release]: DemoStep,
): Promise<void> {
  const person = await actor(services, write, who);
  if (typeof step === 'string') {
    const tasks = await write.all('userTask', { product, user: person.id });
    const { id: userTask, status } = theOne(tasks, `${step} of product ${product}`);
    const command = {
      userTask,
      command: step,
      comment: comment ?? null,
      state: status ?? '',
      ...(release === undefined
        ? {}
        : { releaseVersion: release.version, releaseNotes: release.notes }),
    };
    await person.add('taskCommand', { id: demoId(`${product} ${userTask} ${step}`), ...command });
  } else {
    const { action, rollsBack } = step;
    const to = rollsBack === true ? await rollBackTo(write, product) : {};
    const id = demoId(`${product} ${action}`);
    await person.add('productActionRun', { id, product, action, ...to });
  }
  await updateAffectedWorkflows({ services, write });
}

/** Returns what leads from the newest release of a product to its first. */
async function rollBackTo(write: WriteTransaction, product: string) {
  const releases = await write.all('productPublication', { product, success: true });
  const inOrder = releases.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    build: inOrder[0]?.productBuild ?? null,
    insteadOf: inOrder.at(-1)?.id ?? null,
  };
}
