import type { ProductDefinition } from '#schema/product-definition.ts';
import type { Find } from '../find.ts';
import { broken } from './broken.ts';
import type { Broken } from './broken.ts';
import type { RecordRules } from './form.ts';
import { brokenProperties } from './product-properties.ts';

/**
 * The definition is enabled for the organization, and so is the store, which is of the right kind.
 */
export const brokenProduct: RecordRules<'product'> = ({ before, after, written, find }) => {
  const properties = written.includes('properties') ? brokenProperties(after.properties) : null;
  if (before !== null) return [properties];

  const organization = find.one('project', after.project)?.organization;
  const definition = find.one('productDefinition', after.productDefinition);
  if (organization === undefined || definition === null) return [properties];
  const isEnabled = isDefinitionEnabled(definition, organization, find);
  return [
    properties,
    isEnabled ? null : broken('productDefinition', 'not-enabled'),
    brokenStore(after.store, definition, organization, find),
  ];
};

/** The organization has switched it on, and its workflow is enabled. */
export function isDefinitionEnabled(
  { id, workflow }: ProductDefinition,
  organization: string,
  find: Find,
): boolean {
  const links = find.all('organizationProductDefinition', { organization, productDefinition: id });
  return links.length > 0 && (find.one('workflowDefinition', workflow)?.enabled ?? false);
}

/** The kind of store that products of `definition` need; null: none. */
function storeTypeOf({ workflow }: ProductDefinition, find: Find): string | null {
  return find.one('workflowDefinition', workflow)?.storeType ?? null;
}

/** A store is named exactly when one is needed; it is of that kind, and the organization has it. */
export function brokenStore(
  store: string | null,
  definition: ProductDefinition,
  organization: string,
  find: Find,
): Broken | null {
  const needed = storeTypeOf(definition, find);
  if (store === null) return needed === null ? null : broken('store', 'required');
  if (needed === null) return broken('store', 'mismatch');

  const named = find.one('store', store);
  if (named === null) return null;
  if (named.storeType !== needed) return broken('store', 'mismatch');
  const isGiven = find.all('organizationStore', { organization, store }).length > 0;
  return isGiven ? null : broken('store', 'not-enabled');
}
