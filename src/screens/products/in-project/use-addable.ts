import { isDefinitionEnabled } from '#rules/valid/product.ts';
import type { Of } from '#schema/index.ts';
import { useData, useList } from '#data/react/hooks.ts';

/**
 * Lists by name what the project's organization has switched on and the project has not got.
 *
 * @param heldBack definitions whose product is being removed: the server has it still
 */
export function useAddable(
  { organization }: Of<'project'>,
  products: readonly Of<'product'>[],
  heldBack: ReadonlySet<string>,
): readonly Of<'productDefinition'>[] {
  const { find } = useData();
  const { rows: definitions } = useList('productDefinition', {}, { sort: 'name' });
  // The rule looks at both: what changes in them changes what can be added.
  useList('organizationProductDefinition', { organization });
  useList('workflowDefinition', {});

  const there = new Set(products.map(({ productDefinition }) => productDefinition));
  return definitions.filter(
    (definition) =>
      !there.has(definition.id) &&
      !heldBack.has(definition.id) &&
      isDefinitionEnabled(definition, organization, find),
  );
}
