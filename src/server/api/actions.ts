import { ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { mayRunActions } from '#rules/product.ts';
import type { Find } from '#rules/find.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';

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
  if (!hasWorkflow(action, product, find)) return 'no-workflow';
  return product.datePublished === null ? 'not-published' : null;
}

function hasWorkflow(action: 'rebuild' | 'republish', product: Of<'product'>, find: Find): boolean {
  const definition = find.one('productDefinition', product.productDefinition);
  const id = action === 'rebuild' ? definition?.rebuildWorkflow : definition?.republishWorkflow;
  return typeof id === 'string' && (find.one('workflowDefinition', id)?.enabled ?? false);
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

/** Workflows are not carried out by this server: what would start or move one is refused. */
export function noWorkflows(): ProblemError {
  return new ProblemError({ code: 'not-ready', detail: 'No workflow can be run here yet.' });
}
