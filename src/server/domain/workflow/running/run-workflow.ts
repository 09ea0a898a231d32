import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import type { FieldChanges } from '../../../db/database.ts';
import { timestampOf } from '../../write-context.ts';
import type { WriteContext } from '../../write-context.ts';
import { runEffects, updateUploadPermission } from './run-effects.ts';
import type { BuildCause } from './run-effects.ts';
import { workflowFactsOf } from './workflow-facts.ts';
import { updateDateActive, writeRecords } from './records.ts';
import { NO_FAILURE, productFailure } from '../failure.ts';
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
 * Starts a workflow of `definition` for a product in which none runs, in the name of `by`.
 *
 * @param buildCause what made it begin, for the build that it may begin with
 * @param rollsBackTo id of the build that it releases; null: it begins as its scheme does
 * @returns id of the build or publication that it began with; null where it began with none
 * @throws ProblemError 409 `action-not-allowed`, reason `archived`
 */
export async function startWorkflow(
  context: WriteContext,
  product: Of<'product'>,
  definition: Of<'workflowDefinition'>,
  by: string,
  buildCause: BuildCause,
  rollsBackTo: string | null = null,
): Promise<string | null> {
  const { write } = context;
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
  const facts = await workflowFactsOf(write, about);
  const began = start(machine, facts, rollsBackTo);
  if (began.is === 'refused') throw new ProblemError(problemOf(began));

  const running = { ...about, machine, snapshot: began, lacksActor: false };
  await insertRunning(write, running);
  await write.change('product', product.id, {
    workflowState: began.state,
    productWorkflow: definition.id,
    ...NO_FAILURE,
  });
  const cause = { at: timestampOf(context), by };
  const lacksActor = await writeRecords(context, running, facts, true, (present, way, names) =>
    rowsOfStart(machine, present, began, way, names, cause),
  );
  const awaited = await runEffects(context, running, facts, began, buildCause);
  await updateRunning(write, { ...running, awaited, lacksActor });
  await updateDateActive(write, project.id);
  return awaited;
}

/**
 * Sends a workflow an event that moves it. `fields` of the product change with the step, which ends
 * what failed before it. Null: the event came too late and moves nothing (W64).
 *
 * @throws ProblemError 409 `action-not-allowed`, 422 `required` or `choice`
 */
export async function sendEvent(
  context: WriteContext,
  running: RunningWorkflow,
  event: WorkflowEvent,
  fields: FieldChanges<'product'> = {},
): Promise<Moved | Completed | Cancelled | null> {
  const { write } = context;
  const { machine, product, project } = running;
  const facts = await workflowFactsOf(write, running);
  const outcome = step(machine, running.snapshot, facts, event);
  if (outcome.is === 'refused') {
    if (outcome.because === 'late') return null;
    throw new ProblemError(problemOf(outcome));
  }

  const isOver = outcome.is !== 'moved';
  const isNewVisit = isOver || outcome.isNewVisit;
  const at = isOver ? null : outcome;
  await write.change('product', product.id, {
    ...failureIn(outcome),
    ...fields,
    workflowState: at?.state ?? null,
    ...(isOver ? { productWorkflow: null } : {}),
  });
  const next = { ...running, snapshot: at };
  const lacksActor = await writeRecords(context, next, facts, isNewVisit, (present, way, names) =>
    rowsOfStep(machine, present, outcome, way, names, timestampOf(context)),
  );
  const awaited = await runEffects(context, next, facts, outcome, buildCauseOf(event));
  if (at === null) await deleteRunning(write, product.id);
  else await updateRunning(write, { ...running, snapshot: at, awaited, lacksActor });
  await updateDateActive(write, project.id);
  return outcome;
}

/** Returns the failure that a step is by itself; of others the engine says it (`fields`). */
function failureIn(outcome: Moved | Completed | Cancelled) {
  const isRejection = outcome.is === 'completed' && outcome.state === 'Terminated';
  return isRejection ? productFailure('rejected', outcome.taken[0]?.comment) : NO_FAILURE;
}

/** Only a person's command, or a super admin's move, leads to a build. */
function buildCauseOf(event: WorkflowEvent): BuildCause | null {
  if (event.is !== 'command' && event.is !== 'move') return null;
  return { triggeredBy: 'person', startedBy: event.by };
}

/** Updates tasks, the way to come and uploads to the present facts around a workflow (U7, U8). */
export async function recompute(context: WriteContext, running: RunningWorkflow): Promise<void> {
  const facts = await workflowFactsOf(context.write, running);
  const lacksActor = await writeRecords(context, running, facts, false, (present, way) =>
    rowsOfWay(running.machine, present, way),
  );
  await updateUploadPermission(context.write, running.project);
  if (lacksActor !== running.lacksActor)
    await updateRunning(context.write, { ...running, lacksActor });
}
