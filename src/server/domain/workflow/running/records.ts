import { newId } from '#base/id.ts';
import type { Of } from '#schema/index.ts';
import type { WriteTransaction } from '../../../db/database.ts';
import type { WriteContext } from '../../write-context.ts';
import { nameOf } from '../../notifications/notify.ts';
import type { WorkflowFacts } from '../guards.ts';
import { namesOfProduct, notifyOfProduct } from './notify-of-product.ts';
import type { RunningWorkflow } from './running-workflow.ts';
import type { WorkflowSnapshot } from '../step.ts';
import { NO_WAIT, taskChanges, tasksOf, waitOf, waitsForNobody } from '../tasks.ts';
import { dateActiveOf, lastComment, namesOf, wayFrom } from '../transitions.ts';
import type { Names, RowChanges } from '../transitions.ts';

/** A workflow as it stands after a step; `snapshot` is null once it is over. */
export type WorkflowAfterStep = Omit<RunningWorkflow, 'snapshot'> & {
  readonly snapshot: WorkflowSnapshot | null;
};

type Rows = readonly Of<'productTransition'>[];

/**
 * Writes all that shows where a workflow stands: history and the way to come as `rowsOf` returns
 * them, tasks, and whom the product waits for. Admins are notified once in a visit when nobody can
 * go on (U9).
 *
 * @returns true when nobody can go on
 */
export async function writeRecords(
  context: WriteContext,
  running: WorkflowAfterStep,
  facts: WorkflowFacts,
  isNewVisit: boolean,
  rowsOf: (present: Rows, way: ReturnType<typeof wayFrom>, names: Names) => RowChanges,
): Promise<boolean> {
  const { write } = context;
  const { machine, snapshot, product } = running;
  const names = await namesIn(write, facts.actors);
  const way = snapshot === null ? [] : wayFrom(machine, snapshot, facts, names);
  const present = await write.all('productTransition', { product: product.id });
  await writeRows(context, product.id, rowsOf(present, way, names));
  await writeTasks(context, running, facts, isNewVisit);

  const isForsaken = snapshot !== null && waitsForNobody(machine, snapshot, facts);
  if (isForsaken && (isNewVisit || !running.lacksActor)) {
    const values = { ...(await namesOfProduct(write, running)), status: snapshot.state };
    await notifyOfProduct(context, running, 'productWithoutActor', facts.actors.OrgAdmin, values);
  }
  await writeWait(write, running, facts);
  return isForsaken;
}

/** What a product waits for follows its tasks; no such change is work on the product (D2). */
async function writeWait(
  write: WriteTransaction,
  { machine, snapshot, product: { id } }: WorkflowAfterStep,
  facts: WorkflowFacts,
): Promise<void> {
  const product = await write.one('product', id);
  const wait = snapshot === null ? NO_WAIT : waitOf(machine, snapshot, facts);
  if (product?.waitingFor === wait.waitingFor && product.assigned === wait.assigned) return;
  await write.change('product', id, wait, { keepsDate: true });
}

async function namesIn(write: WriteTransaction, actors: WorkflowFacts['actors']): Promise<Names> {
  const people = [...new Set(Object.values(actors).flat())];
  const names = new Map<string, string>();
  for (const user of people) names.set(user, await nameOf({ write }, user));
  return namesOf(actors, (user) => names.get(user) ?? '');
}

async function writeRows(
  { services, write }: WriteContext,
  product: string,
  { removed, changed, added }: RowChanges,
): Promise<void> {
  const type = 'productTransition';
  for (const id of removed) await write.remove(type, id);
  for (const { id, fields } of changed) await write.change(type, id, fields);
  for (const row of added)
    await write.insert(type, { id: newId(services.clock, services.random), product, ...row });
}

async function writeTasks(
  context: WriteContext,
  running: WorkflowAfterStep,
  facts: WorkflowFacts,
  isNewVisit: boolean,
): Promise<void> {
  const { services, write } = context;
  const { machine, snapshot, product, definitions } = running;
  const present = await write.all('userTask', { product: product.id });
  const rows = await write.all('productTransition', { product: product.id });
  const wanted = snapshot === null ? [] : tasksOf(machine, snapshot, facts, lastComment(rows));
  const { removed, changed, added } = taskChanges(present, wanted, isNewVisit);
  for (const id of removed) await write.remove('userTask', id);
  for (const { id, fields } of changed) {
    // A new assignee starts no new wait (U5).
    const keepsDate = Object.keys(fields).every((field) => field === 'assigned');
    await write.change('userTask', id, fields, { keepsDate });
  }
  if (added.length === 0) return;

  const values = await namesOfProduct(write, running);
  for (const task of added) {
    const id = newId(services.clock, services.random);
    await write.insert('userTask', { id, product: product.id, ...task });
    await notifyOfProduct(
      context,
      running,
      'userTaskAdded',
      [task.user],
      {
        ...values,
        activityName: task.activityName ?? '',
        status: task.status ?? '',
        comment: task.comment ?? '',
      },
      `/flow/${definitions.flow ?? ''}/${product.id}`,
    );
  }
}

/** Updates when its products were last active; a project's own dates do not change with it (D3). */
export async function updateDateActive(write: WriteTransaction, projectId: string): Promise<void> {
  const project = await write.one('project', projectId);
  if (project === null) return;
  const products = await write.all('product', { project: projectId });
  const dateActive = dateActiveOf(project, products);
  if (dateActive === project.dateActive) return;
  await write.change('project', projectId, { dateActive }, { keepsDate: true });
}
