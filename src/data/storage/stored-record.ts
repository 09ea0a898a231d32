import { storedTypes } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { isObject } from '#base/is-object.ts';
import { formOf, isOther } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';

const forms = new Map<unknown, ReturnType<typeof formOf>>(
  storedTypes.map((type: TypeName) => [type, formOf(type)]),
);

/**
 * The shape of all records of this app: another number means that stored records have another
 * shape.
 */
export const RECORD_SHAPE = digestOf(JSON.stringify([...forms]));

/**
 * Tells whether a value from the disk is a record of `type` that every screen can show: half a
 * record, or one of another shape, must not get into the store.
 */
export function isCompleteRecord(type: string, value: unknown): value is StoreRecord {
  const form = forms.get(type);
  if (form === undefined || !isObject(value)) return false;
  const { type: own, id, meta, attributes, relationships } = value as Partial<StoreRecord>;
  if (own !== type || typeof id !== 'string' || typeof meta?.version !== 'number') return false;
  if (!isObject(attributes) || !isObject(relationships)) return false;
  for (const { name, sort } of form.attributes) {
    const given = attributes[name];
    if (given !== null && isOther(given, sort)) return false;
  }
  for (const { name, to } of form.links) {
    const data = (relationships as Partial<StoreRecord['relationships']>)[name]?.data;
    if (data !== null && (data?.type !== to || typeof data.id !== 'string')) return false;
  }
  return true;
}

/**
 * `value` with null for every field that an older app did not know: it is shown until it is fetched
 * again.
 */
export function fillMissingFields(type: string, value: unknown): unknown {
  const form = forms.get(type);
  if (form === undefined || !isObject(value)) return value;
  const { attributes, relationships } = value;
  if (!isObject(attributes) || !isObject(relationships)) return value;
  const none = form.attributes.map(({ name }): [string, null] => [name, null]);
  const nobody = form.links.map(({ name }): [string, object] => [name, { data: null }]);
  return {
    ...value,
    attributes: { ...Object.fromEntries(none), ...attributes },
    relationships: { ...Object.fromEntries(nobody), ...relationships },
  };
}

function digestOf(text: string): number {
  let digest = 0;
  for (let at = 0; at < text.length; at += 1)
    digest = (Math.imul(digest, 31) + text.charCodeAt(at)) | 0;
  return digest;
}
