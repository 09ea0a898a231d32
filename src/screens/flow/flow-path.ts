import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';

/** The flow of the workflow that `product` runs, or began with; null when that is not known here. */
export function flowOf(product: Of<'product'>, find: Find): string | null {
  const definition = find.one('productDefinition', product.productDefinition);
  const id = product.productWorkflow ?? definition?.workflow ?? null;
  return id === null ? null : (find.one('workflowDefinition', id)?.workflowBusinessFlow ?? null);
}

/** The address of the task form of `product`. */
export function flowPathOf(product: Of<'product'>, find: Find): string {
  return `/flow/${encodeURIComponent(flowOf(product, find) ?? 'unknown')}/${product.id}`;
}
