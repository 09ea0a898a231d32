import { newId } from '#base/id.ts';
import type { Of } from '#schema/index.ts';
import type { Write } from '../../../db/database.ts';
import type { Doing } from '../../doing.ts';
import { nameOf } from '../../notifications/notify.ts';
import type { Known } from '../guards.ts';
import { namesOfProduct, tell } from './tell.ts';
import type { Running } from './running.ts';
import type { Standing } from '../step.ts';
import { taskChanges, tasksOf, waitsForNobody } from '../tasks.ts';
import { dateActiveOf, lastComment, namesOf, wayFrom } from '../transitions.ts';
import type { Names, RowChanges } from '../transitions.ts';

/** A workflow as it stands after a step; `standing` is null once it is over. */
export type Stood = Omit<Running, 'standing'> & { readonly standing: Standing | null };

type Rows = readonly Of<'productTransition'>[];

/**
 * Writes history and the way to come as `rowsOf` says, and then the tasks of the state. Tells
 * admins when nobody can go on (U9), once in a visit, and returns whether that is so.
 */
export async function writeRecords(
  doing: Doing,
  running: Stood,
  known: Known,
  isNewVisit: boolean,
  rowsOf: (present: Rows, way: ReturnType<typeof wayFrom>, names: Names) => RowChanges,
): Promise<boolean> {
  const { write } = doing;
  const { machine, standing, product } = running;
  const names = await namesIn(write, known.actors);
  const way = standing === null ? [] : wayFrom(machine, standing, known, names);
  const present = await write.all('productTransition', { product: product.id });
  await writeRows(doing, product.id, rowsOf(present, way, names));
  await writeTasks(doing, running, known, isNewVisit);

  const isForsaken = standing !== null && waitsForNobody(machine, standing, known);
  if (isForsaken && (isNewVisit || !running.lacksActor)) {
    const values = { ...(await namesOfProduct(write, running)), status: standing.state };
    await tell(doing, running, 'productWithoutActor', known.actors.OrgAdmin, values);
  }
  return isForsaken;
}

async function namesIn(write: Write, actors: Known['actors']): Promise<Names> {
  const people = [...new Set(Object.values(actors).flat())];
  const names = new Map<string, string>();
  for (const user of people) names.set(user, await nameOf({ write }, user));
  return namesOf(actors, (user) => names.get(user) ?? '');
}

async function writeRows(
  { parts, write }: Doing,
  product: string,
  { removed, changed, added }: RowChanges,
): Promise<void> {
  const type = 'productTransition';
  for (const id of removed) await write.remove(type, id);
  for (const { id, fields } of changed) await write.change(type, id, fields);
  for (const row of added)
    await write.insert(type, { id: newId(parts.clock, parts.random), product, ...row });
}

async function writeTasks(
  doing: Doing,
  running: Stood,
  known: Known,
  isNewVisit: boolean,
): Promise<void> {
  const { parts, write } = doing;
  const { machine, standing, product, definitions } = running;
  const present = await write.all('userTask', { product: product.id });
  const rows = await write.all('productTransition', { product: product.id });
  const wanted = standing === null ? [] : tasksOf(machine, standing, known, lastComment(rows));
  const { removed, changed, added } = taskChanges(present, wanted, isNewVisit);
  for (const id of removed) await write.remove('userTask', id);
  for (const { id, fields } of changed) {
    // Whom it is assigned to starts no new wait (U5).
    const keepsDate = Object.keys(fields).every((field) => field === 'assigned');
    await write.change('userTask', id, fields, { keepsDate });
  }
  if (added.length === 0) return;

  const values = await namesOfProduct(write, running);
  for (const task of added) {
    const id = newId(parts.clock, parts.random);
    await write.insert('userTask', { id, product: product.id, ...task });
    await tell(
      doing,
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

/** When its products were last at work; what a project says of itself stays as old as it is (D3). */
export async function settleDateActive(write: Write, projectId: string): Promise<void> {
  const project = await write.one('project', projectId);
  if (project === null) return;
  const products = await write.all('product', { project: projectId });
  const dateActive = dateActiveOf(project, products);
  if (dateActive === project.dateActive) return;
  await write.change('project', projectId, { dateActive }, { keepsDate: true });
}
