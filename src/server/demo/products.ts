import { makeJob } from '#engine/bundled-calls.ts';
import { jobRequestOf, saveJob } from '../domain/builds/jobs/create-engine-job.ts';
import type { WriteTransaction } from '../db/database.ts';
import type { Services } from '../domain/services.ts';
import { updateAffectedWorkflows } from '../domain/workflow/running/affected-workflows.ts';
import { scenes } from './scenes.ts';
import type { DemoStep, Scene } from './scenes.ts';
import { actor, DEMO_AT, demoId, theOne } from './script.ts';

/** The product of the scene with that place in the list. */
export const productOf = (scene: number): string => demoId(`product ${scene + 1}`);

/** Has people add products to the first demo projects, and take them so far; what they were told is read. */
export async function makeProducts(parts: Services, write: WriteTransaction): Promise<void> {
  if (parts.config.engine.outside !== null) return;
  for (const [n, scene] of scenes.entries()) {
    await add(parts, write, productOf(n), scene);
    for (const deed of scene.first) {
      await runStep(parts, write, productOf(n), deed);
      await createNow(parts, write, productOf(n));
    }
  }
  for (const { id } of await write.all('notification', { dateRead: null }))
    await write.change('notification', id, { dateRead: new Date(DEMO_AT).toISOString() });
}

async function add(
  parts: Services,
  write: WriteTransaction,
  id: string,
  scene: Scene,
): Promise<void> {
  const { definition, store } = scene;
  const owner = await actor(parts, write, 'builder');
  await owner.add('product', {
    id,
    project: demoId(`project ${scene.project}`),
    productDefinition: theOne(
      await write.all('productDefinition', { name: definition }),
      definition,
    ).id,
    store: theOne(await write.all('store', { name: store }), store).id,
  });
  await createNow(parts, write, id);
  await updateAffectedWorkflows({ services: parts, write });
}

/** As the engine's job would a little later. */
async function createNow(parts: Services, write: WriteTransaction, id: string): Promise<void> {
  const asked = await jobRequestOf(write, id);
  const isWaiting = asked?.running.snapshot.state === 'Product Creation';
  if (isWaiting)
    await saveJob({ services: parts, write }, id, (await makeJob(write, parts, asked.job)).id);
}

/** Does one thing with a product, as the request of whoever does it would. */
export async function runStep(
  parts: Services,
  write: WriteTransaction,
  product: string,
  [who, deed, comment]: DemoStep,
): Promise<void> {
  const person = await actor(parts, write, who);
  if (typeof deed === 'string') {
    const tasks = await write.all('userTask', { product, user: person.id });
    const { id: userTask, status } = theOne(tasks, `${deed} of product ${product}`);
    const given = { userTask, command: deed, comment: comment ?? null, state: status ?? '' };
    await person.add('taskCommand', { id: demoId(`${product} ${userTask} ${deed}`), ...given });
  } else {
    const id = demoId(`${product} ${deed.action}`);
    await person.add('productActionRun', { id, product, ...deed });
  }
  await updateAffectedWorkflows({ services: parts, write });
}
