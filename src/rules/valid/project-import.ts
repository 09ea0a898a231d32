import type { ProductDefinition } from '#schema/product-definition.ts';
import type { Find } from '../find.ts';
import type { Broken } from './broken.ts';
import type { RecordRules } from './form.ts';
import { mistake, readImport } from './import-file.ts';
import type { ImportFile, ImportProduct } from './import-file.ts';
import { brokenStore, isDefinitionEnabled } from './product.ts';
import { brokenPlace } from './project.ts';

/** Everything in the file is checked before anything is made of it. */
export const brokenImport: RecordRules<'projectImport'> = (checking) => {
  const { after, find } = checking;
  if (typeof after.importData !== 'string') return [];
  const { mistakes } = checkImport(after.importData, after.organization, find);
  return [...brokenPlace(checking, after, { group: true, owner: true }), ...mistakes];
};

/**
 * Reads the content of the file, and finds all its mistakes, also about what is not in the
 * organization.
 */
export function checkImport(
  text: string,
  organization: string,
  find: Find,
): { readonly file: ImportFile; readonly mistakes: readonly Broken[] } {
  const { file, mistakes } = readImport(text);
  const products = file.products.flatMap(
    (product) => brokenImportProduct(product, organization, find) ?? [],
  );
  return { file, mistakes: [...mistakes, ...products] };
}

function brokenImportProduct(
  product: ImportProduct,
  organization: string,
  find: Find,
): Broken | null {
  const { at } = product;
  const { definition, store } = namesOf(product, organization, find);
  if (definition === null) return mistake('reference', `${at}/Name`);
  if (!isDefinitionEnabled(definition, organization, find)) {
    return mistake('not-enabled', `${at}/Name`);
  }
  if (store === undefined) return mistake('reference', `${at}/Store`);
  const wrong = brokenStore(store, definition, organization, find);
  return wrong === null ? null : mistake(wrong.rule, `${at}/Store`);
}

/**
 * Finds the records that a file of projects calls by name; `store` is null where it names none,
 * undefined if there is none.
 */
export function namesOf(
  { name, store }: Pick<ImportProduct, 'name' | 'store'>,
  organization: string,
  find: Find,
): {
  readonly definition: ProductDefinition | null;
  readonly store: string | null | undefined;
} {
  return {
    definition: definitionNamed(name, organization, find),
    store: storeNamed(store, organization, find),
  };
}

/** The definition called so; of several, one that the organization can use. */
function definitionNamed(name: string, organization: string, find: Find): ProductDefinition | null {
  const named = find.all('productDefinition', { name });
  return named.find((one) => isDefinitionEnabled(one, organization, find)) ?? named[0] ?? null;
}

/** The id of the store called so, null for no name; of several, one that the organization has. */
function storeNamed(
  name: string | null,
  organization: string,
  find: Find,
): string | null | undefined {
  if (name === null) return null;
  const named = find.all('store', { name });
  const matching = named.find(
    ({ id }) => find.all('organizationStore', { organization, store: id }).length > 0,
  );
  return (matching ?? named[0])?.id;
}
