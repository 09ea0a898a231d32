import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';

/** What super admins decide for the whole installation, as the forms of the settings have it. */
export type CatalogueType = 'productDefinition' | 'store' | 'storeType' | 'workflowDefinition';

const nameIn = (fields: object): { readonly name: string } => ({
  name: 'name' in fields && typeof fields.name === 'string' ? fields.name.trim() : '',
});

/**
 * Adds a record to the catalogue. Returns its id once that is durable here.
 *
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if a value is not valid: `invalid` with pointer and rule, as from the server
 */
export async function addToCatalogue<T extends CatalogueType>(
  data: Data,
  type: T,
  fields: Partial<Of<T>>,
): Promise<string> {
  return data.add(type, fields, [`changes.${type}.add`, nameIn(fields)]);
}

/** Sets fields of a record of the catalogue; throws as `addToCatalogue`. */
export async function editCatalogue<T extends CatalogueType>(
  data: Data,
  type: T,
  record: Of<T>,
  fields: Partial<Of<T>>,
): Promise<void> {
  await data.edit(type, record.id, fields, [`changes.${type}.edit`, nameIn(record)]);
}

/** Removes a record of the catalogue that nothing uses; throws as `addToCatalogue`. */
export async function removeFromCatalogue<T extends CatalogueType>(
  data: Data,
  type: T,
  record: Of<T>,
): Promise<void> {
  await data.remove(type, record.id, [`changes.${type}.remove`, nameIn(record)]);
}
