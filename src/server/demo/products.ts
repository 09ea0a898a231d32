import { makeJob } from '../builds/bundled-calls.ts';
import { askedOf, keepJob } from '../builds/duties/create-engine-job.ts';
import type { Write } from '../database/database.ts';
import type { Parts } from '../parts.ts';
import { settleWorkflows } from '../workflow/concerned.ts';
import type { AccountKey } from './accounts.ts';
import { actor, DEMO_AT, demoId, theOne } from './script.ts';

type Command = readonly [AccountKey, command: string, comment?: string];

interface Script {
  /** The project's number: one of the builder's. */
  readonly project: number;
  readonly definition: string;
  readonly store: string;
  readonly commands: readonly Command[];
}

const SITE = ['HTML Site to Cloud Provider', 'slipway_web'] as const;
const WEB_APP = ['PWA to Cloud Provider', 'slipway_web'] as const;
const ANDROID = ['Android App to Amazon S3 Bucket', 'slipway_files'] as const;

const product = (
  project: number,
  [definition, store]: readonly [string, string],
  ...commands: readonly Command[]
): Script => ({ project, definition, store, commands });

const ready: Command = ['builder', 'Continue'];

/** One at each step that people take before the first build. */
const scripts: readonly Script[] = [
  product(1, SITE),
  product(1, WEB_APP, ['builder', 'Transfer to Authors', 'Please check the order of the pages.']),
  product(2, WEB_APP),
  product(2, ANDROID),
  product(3, ANDROID, ready),
  product(4, ANDROID, ready, ['admin', 'Hold', 'Who reads it before it goes out?']),
  product(5, ANDROID, ready, ['admin', 'Reject', 'There is one already: see Harvest.']),
];

/** Has people add products to the first demo projects, and take them so far; what they were told is read. */
export async function makeProducts(parts: Parts, write: Write): Promise<void> {
  if (parts.config.engine.outside !== null) return;
  for (const [n, script] of scripts.entries()) {
    const id = demoId(`product ${n + 1}`);
    await add(parts, write, id, script);
    for (const given of script.commands) await give(parts, write, id, given);
  }
  for (const { id } of await write.all('notification', { dateRead: null }))
    await write.change('notification', id, { dateRead: new Date(DEMO_AT).toISOString() });
}

/** Has the first product built as soon as the server has started, now and not when all else was made. */
export async function beginFirstBuild(parts: Parts): Promise<void> {
  if (parts.config.engine.outside !== null) return;
  await parts.db.write({ at: parts.clock(), by: null, changes: [] }, (write) =>
    give(parts, write, demoId('product 1'), ready),
  );
}

async function add(parts: Parts, write: Write, id: string, script: Script): Promise<void> {
  const { definition, store } = script;
  const owner = await actor(parts, write, 'builder');
  await owner.add('product', {
    id,
    project: demoId(`project ${script.project}`),
    productDefinition: theOne(
      await write.all('productDefinition', { name: definition }),
      definition,
    ).id,
    store: theOne(await write.all('store', { name: store }), store).id,
  });
  // As the engine's job would a little later.
  const asked = await askedOf(write, id);
  const isWaiting = asked?.running.standing.state === 'Product Creation';
  if (isWaiting) await keepJob({ parts, write }, id, (await makeJob(write, parts, asked.job)).id);
  await settleWorkflows({ parts, write });
}

async function give(
  parts: Parts,
  write: Write,
  id: string,
  [who, command, comment]: Command,
): Promise<void> {
  const person = await actor(parts, write, who);
  const tasks = await write.all('userTask', { product: id, user: person.id });
  const { id: userTask, status } = theOne(tasks, `${command} of product ${id}`);
  const given = { userTask, command, comment: comment ?? null, state: status ?? '' };
  await person.add('taskCommand', { id: demoId(`${id} ${command}`), ...given });
  await settleWorkflows({ parts, write });
}
