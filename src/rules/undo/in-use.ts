import type { Of, TypeName } from '#schema/index.ts';
import type { Find } from '../find.ts';

/** Counts by type the records that stand in the way of a removal. */
export type Uses = Readonly<Partial<Record<TypeName, number>>>;

const uses: { readonly [T in TypeName]?: (record: Of<T>, find: Find) => Uses } = {
  organization: ({ id }, find) => ({ project: find.all('project', { organization: id }).length }),
  organizationMembership: ({ user, organization }, find) => ({
    project: find.all('project', { owner: user, organization, dateArchived: null }).length,
    organization: Number(find.one('organization', organization)?.owner === user),
  }),
  group: ({ id }, find) => ({ project: find.all('project', { group: id }).length }),
  groupMembership: ({ user, group }, find) => ({
    project: find.all('project', { owner: user, group }).length,
  }),
  storeType: ({ id }, find) => ({
    store: find.all('store', { storeType: id }).length,
    workflowDefinition: find.all('workflowDefinition', { storeType: id }).length,
  }),
  store: ({ id }, find) => ({ product: find.all('product', { store: id }).length }),
  productDefinition: ({ id }, find) => ({
    product: find.all('product', { productDefinition: id }).length,
  }),
  workflowDefinition: ({ id }, find) => ({
    productDefinition: new Set(
      [
        ...find.all('productDefinition', { workflow: id }),
        ...find.all('productDefinition', { rebuildWorkflow: id }),
        ...find.all('productDefinition', { republishWorkflow: id }),
      ].map((definition) => definition.id),
    ).size,
    product: find.all('product', { productWorkflow: id }).length,
  }),
};

/**
 * Counts by type what refuses the removal of `record` as `in-use` (domain 2.7); null: nothing does.
 * A device knows only of the records that it has.
 */
export function usesOf<T extends TypeName>(type: T, record: Of<T>, find: Find): Uses | null {
  const found = Object.entries(uses[type]?.(record, find) ?? {}).filter(([, count]) => count > 0);
  return found.length === 0 ? null : Object.fromEntries(found);
}
