import type { ProductPublication } from '#schema/product-publication.ts';
import type { Product } from '#schema/product.ts';
import type { Project } from '#schema/project.ts';
import type { WorkflowDefinition } from '#schema/workflow-definition.ts';
import type { Find } from './find.ts';
import { answersFor } from './project.ts';
import type { Viewer } from './viewer.ts';

type OfProject = Pick<Product, 'project'>;

/** The project's owner and admins add and remove products. */
export function mayAddProduct(viewer: Viewer, product: OfProject, find: Find): boolean {
  const project = find.one('project', product.project);
  return project !== null && answersFor(viewer, project);
}

/** Build properties are the admins' business alone. */
export function mayEditProperties(viewer: Viewer, product: OfProject, find: Find): boolean {
  if (viewer.isSuperAdmin) return true;
  const project = find.one('project', product.project);
  return project !== null && viewer.adminOf.has(project.organization);
}

/** Rebuild, republish and cancel are for those who answer for the project. */
export function mayRunActions(viewer: Viewer, product: OfProject, find: Find): boolean {
  return mayAddProduct(viewer, product, find);
}

/** A workflow that is stuck is for super admins alone, who see the machine that it runs by. */
export function mayMoveWorkflow({ isSuperAdmin }: Viewer): boolean {
  return isSuperAdmin;
}

export const PRODUCT_ACTIONS = ['rebuild', 'republish', 'cancel'] as const;
export type ProductActionName = (typeof PRODUCT_ACTIONS)[number];

/** Those that can be run on many products together. */
export const BULK_ACTIONS = ['rebuild', 'republish'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

type Acted = Pick<Product, 'project' | 'productDefinition' | 'productWorkflow' | 'datePublished'>;

/** Says why an action is not offered in a product's state (wire 11.6). */
type ActionReason =
  | 'not-published'
  | 'already-out'
  | 'no-workflow'
  | 'running'
  | 'not-running'
  | 'startup-cannot-be-cancelled'
  | 'archived';

/** Says whether there is a machine for a workflow; the server alone knows. */
type CanRun = (workflow: WorkflowDefinition) => boolean;

const any: CanRun = () => true;

/** The first test that `action` fails, of those about the product's state (domain 7, A5–A10). */
export function reasonAgainst(
  action: ProductActionName,
  product: Acted,
  find: Find,
  canRun: CanRun = any,
): ActionReason | null {
  if (find.one('project', product.project)?.dateArchived !== null) return 'archived';
  if (action === 'cancel') return reasonAgainstCancel(product, find);
  if (product.productWorkflow !== null) return 'running';
  if (workflowFor(action, product, find, canRun) === null) return 'no-workflow';
  return product.datePublished === null ? 'not-published' : null;
}

/**
 * The first test that a roll back to `build` fails, of those about the product's state: it builds
 * nothing, but is one of the rebuild workflow's ways (domain 7).
 *
 * @param releases the product's successful publications, newest first
 */
export function reasonAgainstRollBack(
  build: string,
  releases: readonly Pick<ProductPublication, 'productBuild'>[],
  product: Acted,
  find: Find,
  canRun: CanRun = any,
): ActionReason | null {
  const reason = reasonAgainst('rebuild', product, find, canRun);
  if (reason !== null) return reason;
  if (!releases.some(({ productBuild }) => productBuild === build)) return 'not-published';
  return releases[0]?.productBuild === build ? 'already-out' : null;
}

function reasonAgainstCancel({ productWorkflow }: Acted, find: Find): ActionReason | null {
  if (productWorkflow === null) return 'not-running';
  const isStartup = find.one('workflowDefinition', productWorkflow)?.type === 1;
  return isStartup ? 'startup-cannot-be-cancelled' : null;
}

/** The workflow that the action starts; null when there is none that can be run. */
export function workflowFor(
  action: BulkAction,
  product: Pick<Product, 'productDefinition'>,
  find: Find,
  canRun: CanRun = any,
): WorkflowDefinition | null {
  const definition = find.one('productDefinition', product.productDefinition);
  const id = action === 'rebuild' ? definition?.rebuildWorkflow : definition?.republishWorkflow;
  const workflow = typeof id === 'string' ? find.one('workflowDefinition', id) : null;
  return workflow?.enabled === true && canRun(workflow) ? workflow : null;
}

/** Lists what `viewer` may start or cancel now. */
export function actionsOffered(
  viewer: Viewer,
  product: Acted,
  find: Find,
  canRun: CanRun = any,
): readonly ProductActionName[] {
  if (!mayRunActions(viewer, product, find)) return [];
  return PRODUCT_ACTIONS.filter((action) => reasonAgainst(action, product, find, canRun) === null);
}

/** Members of the organization, and super admins. */
export function isMemberOf(viewer: Viewer, project: Pick<Project, 'organization'>): boolean {
  return viewer.isSuperAdmin || viewer.memberOf.has(project.organization);
}

/** Outsiders may not read what an engine said while it built or published. */
export function mayReadConsole(
  viewer: Viewer | null,
  project: Pick<Project, 'organization'>,
): boolean {
  return viewer !== null && isMemberOf(viewer, project);
}

/** Says whether the files of its builds may be had by `viewer`; null is anyone at all. */
export function mayDownloadFiles(
  viewer: Viewer | null,
  project: Pick<Project, 'organization' | 'isPublic' | 'dateArchived' | 'allowDownloads'>,
): boolean {
  if (viewer !== null && isMemberOf(viewer, project)) return true;
  return project.isPublic && project.dateArchived === null && project.allowDownloads;
}

/** Says whether `product` was published at a page of the server at `origin`, and not elsewhere. */
export function isPublishedAt(
  origin: string,
  { id, publishLink }: Pick<Product, 'id' | 'publishLink'>,
): boolean {
  return (
    publishLink?.startsWith(`${origin}/downloads/`) === true && publishLink.includes(`/${id}/`)
  );
}

/** Says why nobody reaches what was published of a project at our server; null: anyone does. */
export function whyNotReachable(
  project: Pick<Project, 'organization' | 'isPublic' | 'dateArchived' | 'allowDownloads'>,
): 'private' | 'archived' | 'downloads' | null {
  if (mayDownloadFiles(null, project)) return null;
  if (project.dateArchived !== null) return 'archived';
  return project.isPublic ? 'downloads' : 'private';
}
