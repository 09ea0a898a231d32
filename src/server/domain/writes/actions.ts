import { invalid } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import {
  actionsOffered as offered,
  mayRunActions,
  PRODUCT_ACTIONS,
  reasonAgainst,
  reasonAgainstRollBack,
  workflowFor,
} from '#rules/product.ts';
import type { ProductActionName } from '#rules/product.ts';
import { appReleases } from '#rules/release.ts';
import type { Find } from '#rules/find.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import { nameOf } from '../notifications/notify.ts';
import { namesOfProduct, notifyOfProduct } from '../workflow/running/notify-of-product.ts';
import { isNewer } from '../workflow/running/run-effects.ts';
import type { BuildCause } from '../workflow/running/run-effects.ts';
import { startWorkflow, sendEvent } from '../workflow/running/run-workflow.ts';
import { machineCalled, runningOf } from '../workflow/running/running-workflow.ts';
import type { ChangeContext } from './change-context.ts';

export type Action = ProductActionName;

/** What is asked for; it is no roll back where there is no `build`. */
type Run = Pick<Of<'productActionRun'>, 'action' | 'state'> &
  Partial<Pick<Of<'productActionRun'>, 'build' | 'insteadOf'>>;

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
  run: Run,
  find: Find,
): Problem | null {
  const { action, state, build = null, insteadOf = null } = run;
  if (!mayRunActions(viewer, product, find)) return { code: 'forbidden' };
  const allowed = actionsOffered(viewer, product, find);
  if (state !== null && state !== product.workflowState) {
    const current = { 'workflow-state': product.workflowState, commands: allowed };
    return { code: 'workflow-state-changed', meta: { current } };
  }
  if (build === null) {
    const reason = reasonAgainst(action, product, find, canRun);
    return reason === null ? null : { code: 'action-not-allowed', meta: { reason, allowed } };
  }
  return rollBackRefusal(product, build, insteadOf, allowed, find);
}

/** The last of these tests answers a request that waited while something newer was released. */
function rollBackRefusal(
  product: Of<'product'>,
  build: string,
  insteadOf: string | null,
  allowed: readonly Action[],
  find: Find,
): Problem | null {
  const releases = releasesOf(product.id, find);
  const reason = reasonAgainstRollBack(build, releases, product, find, canRun);
  if (reason !== null) return { code: 'action-not-allowed', meta: { reason, allowed } };
  const newest = releases[0]?.id ?? null;
  if (insteadOf === null) return invalid('/data/relationships/instead-of', 'required');
  if (insteadOf === newest) return null;
  const current = {
    'workflow-state': product.workflowState,
    commands: allowed,
    'instead-of': newest,
  };
  return { code: 'workflow-state-changed', meta: { current } };
}

/** Returns the releases of a product, the newest first. */
function releasesOf(product: string, find: Find): readonly Of<'productPublication'>[] {
  const published = find
    .all('productPublication', { product, success: true })
    .toSorted((a, b) => (isNewer(a, b) ? -1 : 1));
  return appReleases(published, find.all('productArtifact', { product }));
}

/**
 * Releases `build` again, once nothing refuses it (`runRefusal`, in the same transaction). The owner
 * is notified, unless it was they, and the audit log has it.
 */
export async function rollBack(
  context: ChangeContext,
  product: Of<'product'>,
  build: string,
  insteadOf: string | null,
): Promise<void> {
  const { write, viewer } = context;
  const workflow = await evaluateRule(write, (find) =>
    workflowFor('rebuild', product, find, canRun),
  );
  if (workflow === null) throw new Error(`Product ${product.id} has no workflow to roll back by`);
  const before = insteadOf === null ? null : await write.one('productPublication', insteadOf);
  const cause: BuildCause = { triggeredBy: 'person', startedBy: viewer.id };
  const id = await startWorkflow(context, product, workflow, viewer.id, cause, build);
  const after = id === null ? null : await write.one('productPublication', id);
  if (after === null) throw new Error(`The roll back of product ${product.id} released nothing`);
  write.audit({
    kind: 'release-rolled-back',
    subject: { type: 'product', id: product.id },
    before: before === null ? null : auditedRelease(before),
    after: auditedRelease(after),
  });
  await notifyRolledBack(context, product, after.releaseVersion ?? '');
}

const auditedRelease = ({ id, productBuild, releaseVersion }: Of<'productPublication'>) => ({
  publication: id,
  build: productBuild,
  version: releaseVersion,
});

async function notifyRolledBack(
  context: ChangeContext,
  product: Of<'product'>,
  version: string,
): Promise<void> {
  const { write, viewer } = context;
  const project = await write.one('project', product.project);
  if (project === null) return;
  const about = { product, project };
  const userName = await nameOf({ write }, viewer.id);
  await notifyOfProduct(
    context,
    about,
    'productRolledBack',
    [project.owner],
    { ...(await namesOfProduct(write, about)), userName, version },
    `/products/${product.id}/files`,
  );
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
