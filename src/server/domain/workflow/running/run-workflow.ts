import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import type { FieldChanges } from '../../../db/database.ts';
import { timestampOf } from '../../write-context.ts';
import type { WriteContext } from '../../write-context.ts';
import { runEffects, updateUploadPermission } from './run-effects.ts';
import { workflowFactsOf } from './workflow-facts.ts';
import { updateDateActive, writeRecords } from './records.ts';
import { problemOf } from '../refusal.ts';
import { deleteRunning, insertRunning, updateRunning, machineCalled } from './running-workflow.ts';
import type { RunningWorkflow } from './running-workflow.ts';
import { start, step } from '../step.ts';
import type { Cancelled, Completed, WorkflowEvent, Moved } from '../step.ts';
import { rowsOfStart, rowsOfStep, rowsOfWay } from '../transitions.ts';

/*
 * The one place where workflows begin, move and end. Everything that a step means is written in
 * the transaction at hand; what has to reach the outside is written as a job.
 */

/**
 * Begins a workflow of `definition` for a product in which none runs, in the name of `by`.
 *
 * @throws ProblemError 409 `action-not-allowed`, reason `archived`
 */
export async function startWorkflow(
  doing: WriteContext,
  product: Of<'product'>,
  definition: Of<'workflowDefinition'>,
  by: string,
): Promise<void> {
  const { write } = doing;
  const project = await write.one('project', product.project);
  const made = await write.one('productDefinition', product.productDefinition);
  const machine = machineCalled(definition);
  if (project === null || made === null || machine === null)
    throw new Error(`A workflow of ${definition.id} cannot begin for product ${product.id}`);

  const about = {
    product,
    project,
    definitions: {
      flow: definition.workflowBusinessFlow,
      productDefinition: { properties: made.properties },
      workflowDefinition: { properties: definition.properties },
    },
    awaited: null,
  };
  const known = await workflowFactsOf(write, about);
  const began = start(machine, known);
  if (began.is === 'refused') throw new ProblemError(problemOf(began));

  const running = { ...about, machine, snapshot: began, lacksActor: false };
  await insertRunning(write, running);
  await write.change('product', product.id, {
    workflowState: began.state,
    productWorkflow: definition.id,
  });
  const cause = { at: timestampOf(doing), by };
  const lacksActor = await writeRecords(doing, running, known, true, (present, way, names) =>
    rowsOfStart(machine, present, began, way, names, cause),
  );
  const awaited = await runEffects(doing, running, known, began);
  await updateRunning(write, { ...running, awaited, lacksActor });
  await updateDateActive(write, project.id);
}

/**
 * Gives a workflow what moves it. `fields` of the product change with the step. Null: it came too
 * late and moves nothing (W64).
 *
 * @throws ProblemError 409 `action-not-allowed`, 422 `required` or `choice`
 */
export async function sendEvent(
  doing: WriteContext,
  running: RunningWorkflow,
  given: WorkflowEvent,
  fields: FieldChanges<'product'> = {},
): Promise<Moved | Completed | Cancelled | null> {
  const { write } = doing;
  const { machine, product, project } = running;
  const known = await workflowFactsOf(write, running);
  const outcome = step(machine, running.snapshot, known, given);
  if (outcome.is === 'refused') {
    if (outcome.because === 'late') return null;
    throw new ProblemError(problemOf(outcome));
  }

  const isOver = outcome.is !== 'moved';
  const isNewVisit = isOver || outcome.isNewVisit;
  const at = isOver ? null : outcome;
  await write.change('product', product.id, {
    ...fields,
    workflowState: at?.state ?? null,
    ...(isOver ? { productWorkflow: null } : {}),
  });
  const next = { ...running, standing: at };
  const lacksActor = await writeRecords(doing, next, known, isNewVisit, (present, way, names) =>
    rowsOfStep(machine, present, outcome, way, names, timestampOf(doing)),
  );
  const awaited = await runEffects(doing, next, known, outcome);
  if (at === null) await deleteRunning(write, product.id);
  else await updateRunning(write, { ...running, snapshot: at, awaited, lacksActor });
  await updateDateActive(write, project.id);
  return outcome;
}

/** Brings tasks, the way to come and uploads to what is so now around a workflow (U7, U8). */
export async function recompute(doing: WriteContext, running: RunningWorkflow): Promise<void> {
  const known = await workflowFactsOf(doing.write, running);
  const lacksActor = await writeRecords(doing, running, known, false, (present, way) =>
    rowsOfWay(running.machine, present, way),
  );
  await updateUploadPermission(doing.write, running.project);
  if (lacksActor !== running.lacksActor)
    await updateRunning(doing.write, { ...running, lacksActor });
}
