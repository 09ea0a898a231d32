import type { Problem } from '#protocol/problem.ts';
import {
  actionsOffered as offered,
  mayRunActions,
  PRODUCT_ACTIONS,
  reasonAgainst,
  workflowFor,
} from '#rules/product.ts';
import type { ProductActionName } from '#rules/product.ts';
import type { Find } from '#rules/find.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import type { BuildCause } from '../workflow/running/run-effects.ts';
import { startWorkflow, sendEvent } from '../workflow/running/run-workflow.ts';
import { machineCalled, runningOf } from '../workflow/running/running-workflow.ts';
import type { ChangeContext } from './change-context.ts';

export type Action = ProductActionName;

export function isAction(name: unknown): name is Action {
  return PRODUCT_ACTIONS.some((action) => action === name);
}

const canRun = (workflow: Of<'workflowDefinition'>): boolean => machineCalled(workflow) !== null;

/** Returns the actions that `viewer` may start now. */
export function actionsOffered(
  viewer: Viewer,
  product: Of<'product'>,
  find: Find,
): readonly Action[] {
  return offered(viewer, product, find, canRun);
}

/** Returns the reason why someone who sees the product may not run the action (A3–A10), or null. */
export function runRefusal(
  viewer: Viewer,
  product: Of<'product'>,
  { action, state }: { readonly action: Action; readonly state: string | null },
  find: Find,
): Problem | null {
  if (!mayRunActions(viewer, product, find)) return { code: 'forbidden' };
  const allowed = actionsOffered(viewer, product, find);
  if (state !== null && state !== product.workflowState) {
    const current = { 'workflow-state': product.workflowState, commands: allowed };
    return { code: 'workflow-state-changed', meta: { current } };
  }
  const reason = reasonAgainst(action, product, find, canRun);
  return reason === null ? null : { code: 'action-not-allowed', meta: { reason, allowed } };
}

/**
 * Starts or ends a workflow, once nothing refuses it (`runRefusal`, in the same transaction).
 *
 * @param buildCause what made it start, where that is not the viewer's own request
 */
export async function runAction(
  context: ChangeContext,
  product: Of<'product'>,
  action: Action,
  buildCause: BuildCause = { triggeredBy: 'rebuild', startedBy: context.viewer.id },
): Promise<void> {
  const { write, viewer } = context;
  if (action === 'cancel') {
    const running = await runningOf(write, product.id);
    if (running === null) throw new Error(`Nothing runs for product ${product.id}`);
    await sendEvent(context, running, { is: 'cancel', by: viewer.id });
    return;
  }
  const workflow = await evaluateRule(write, (find) => workflowFor(action, product, find, canRun));
  if (workflow === null) throw new Error(`Product ${product.id} has no workflow to ${action}`);
  await startWorkflow(context, product, workflow, viewer.id, buildCause);
}
