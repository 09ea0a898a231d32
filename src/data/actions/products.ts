import { paths } from '#protocol/paths.ts';
import type { BulkAction, ProductActionName } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import type { Says } from '../model/change.ts';
import type { Data } from '../model/data.ts';
import { removeForNow } from './removing.ts';

/** The names in a sentence about a product. */
export interface ProductNames {
  /** The name of its definition. */
  readonly product: string;
  readonly project: string;
}

/** The ids of the build that is to be out again, and of the publication that is out. */
export interface RollBackTo {
  readonly build: string;
  readonly insteadOf: string;
}

/** The fields that a person states for a new product. */
type NewProduct = Pick<Of<'product'>, 'project' | 'productDefinition' | 'store'>;

/**
 * Adds a product to a project: on this device at once; its workflow begins when the server has it.
 *
 * @returns its id once the change is durable here
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if definition or store may not be used: `invalid`, as from the server
 */
export async function addProduct(
  data: Data,
  { project, productDefinition, store }: NewProduct,
  names: ProductNames,
): Promise<string> {
  const says: Says = ['changes.product.add', { ...names }];
  return data.add('product', { project, productDefinition, store }, says);
}

/**
 * Removes a product with its builds, files and history. Not sent for 8 s, within which it can be
 * undone completely.
 *
 * @returns a function that undoes it, once it is durable here
 * @throws NotSavedError if this device cannot keep it
 */
export async function removeProduct(
  data: Data,
  product: Of<'product'>,
  names: ProductNames,
): Promise<() => Promise<void>> {
  return removeForNow(
    data,
    { type: 'product', id: product.id },
    ['changes.product.remove', { ...names }],
    () => addProduct(data, product, names),
  );
}

/**
 * Sets what the product is built and published with: JSON text.
 *
 * @throws NotSavedError if this device cannot keep it
 */
export async function setProperties(
  data: Data,
  { id }: Of<'product'>,
  properties: string,
  names: ProductNames,
): Promise<void> {
  await data.edit('product', id, { properties }, ['changes.product.properties', { ...names }]);
}

/**
 * Asks the server to start or cancel a workflow of the product. A request: it waits for the
 * connection, carries the state that it was made in, and is refused when the product has moved on.
 *
 * @param to the build to roll back to, with `republish`, and the publication that it is to replace
 * @returns once the request is durable here
 * @throws NotSavedError if this device cannot keep it
 */
export async function runProductAction(
  data: Data,
  product: Of<'product'>,
  action: ProductActionName,
  names: ProductNames,
  to: RollBackTo | null = null,
): Promise<void> {
  const { id, workflowState } = product;
  await data.add(
    'productActionRun',
    { action, state: workflowState, product: id, ...to },
    [`changes.product.${to === null ? action : 'rollBack'}`, { ...names }],
    { basedOn: { record: { type: 'product', id }, values: { workflowState } } },
  );
}

/**
 * Asks the server to start a workflow of each product, in that order: all of them or none. A
 * refusal names each product that is refused, with its reason.
 *
 * @returns the change's id once the request is durable here
 * @throws NotSavedError if this device cannot keep it
 */
export function runTogether(
  data: Data,
  products: readonly string[],
  action: BulkAction,
): Promise<string> {
  const about = products.map((id) => ({ type: 'product', id }) as const);
  return data.call(
    { method: 'POST', path: paths.runProductActions, body: { action, products }, about },
    [`changes.products.${action}`, { count: String(products.length) }],
  );
}

/**
 * Ids of products by the action that may be started for them; actions without products are left
 * out.
 */
export type Startable = Readonly<Partial<Record<BulkAction, readonly string[]>>>;

/**
 * The actions that may be started now for the products of `projects`; null: the server did not
 * answer.
 */
export async function startableIn(
  data: Data,
  projects: readonly string[],
): Promise<Startable | null> {
  const told = await data.online.query(paths.productActions, { projects });
  return told.is === 'told' ? (told.value as Startable) : null;
}
