import type { Problem } from '#protocol/problem.ts';
import { mayRunActions } from '#rules/product.ts';
import type { Find } from '#rules/find.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import { settle } from '../database/settle.ts';
import { begin, give } from '../workflow/carry-out.ts';
import { machineCalled, runningOf } from '../workflow/running.ts';
import type { Act } from './act.ts';

export const ACTIONS = ['rebuild', 'republish', 'cancel'] as const;
export type Action = (typeof ACTIONS)[number];

/** Why an action is not offered in this state (wire 11.6). */
type Reason =
  | 'not-published'
  | 'no-workflow'
  | 'running'
  | 'not-running'
  | 'startup-cannot-be-cancelled'
  | 'archived';

export function isAction(name: unknown): name is Action {
  return ACTIONS.some((action) => action === name);
}

/** The first test that `action` fails, of those about the product's state (domain 7, A5–A10). */
function reasonAgainst(action: Action, product: Of<'product'>, find: Find): Reason | null {
  if (find.one('project', product.project)?.dateArchived !== null) return 'archived';
  const running =
    product.productWorkflow === null
      ? null
      : find.one('workflowDefinition', product.productWorkflow);
  if (action === 'cancel') {
    if (running === null) return 'not-running';
    return running.type === 1 ? 'startup-cannot-be-cancelled' : null;
  }
  if (running !== null) return 'running';
  if (workflowFor(action, product, find) === null) return 'no-workflow';
  return product.datePublished === null ? 'not-published' : null;
}

/** The workflow that the action starts; null when there is none that can be run. */
function workflowFor(
  action: 'rebuild' | 'republish',
  product: Of<'product'>,
  find: Find,
): Of<'workflowDefinition'> | null {
  const definition = find.one('productDefinition', product.productDefinition);
  const id = action === 'rebuild' ? definition?.rebuildWorkflow : definition?.republishWorkflow;
  const workflow = typeof id === 'string' ? find.one('workflowDefinition', id) : null;
  return workflow?.enabled === true && machineCalled(workflow) !== null ? workflow : null;
}

/** What `viewer` may start now. */
export function actionsOffered(
  viewer: Viewer,
  product: Of<'product'>,
  find: Find,
): readonly Action[] {
  if (!mayRunActions(viewer, product, find)) return [];
  return ACTIONS.filter((action) => reasonAgainst(action, product, find) === null);
}

/** The refusal of a run by someone who sees the product (A3–A10), or null. */
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
  const reason = reasonAgainst(action, product, find);
  return reason === null ? null : { code: 'action-not-allowed', meta: { reason, allowed } };
}

/** Starts or ends a workflow, once nothing refuses it (`runRefusal`, in the same transaction). */
export async function runAction(act: Act, product: Of<'product'>, action: Action): Promise<void> {
  const { write, viewer } = act;
  if (action === 'cancel') {
    const running = await runningOf(write, product.id);
    if (running === null) throw new Error(`Nothing runs for product ${product.id}`);
    await give(act, running, { is: 'cancel', by: viewer.id });
    return;
  }
  const workflow = await settle(write, (find) => workflowFor(action, product, find));
  if (workflow === null) throw new Error(`Product ${product.id} has no workflow to ${action}`);
  await begin(act, product, workflow, viewer.id);
}
