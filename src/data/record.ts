import { RecordSchema } from '@orbit/records';
import type { ModelDefinition } from '@orbit/records';
import type { ResourceObject } from '#protocol/document.ts';
import { typeOfWire, wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, resourceOf, storedTypes, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { Attribute } from '#schema/define.ts';
import { isUuid } from '#base/id.ts';

export interface StoreIdentity {
  readonly type: TypeName;
  readonly id: string;
}

/** A to-one as Orbit keeps it. To-manys are not kept: the store's index answers them. */
interface StoreRelationship {
  readonly data: StoreIdentity | null;
}

/** A record as Orbit keeps it: names of `schema`, `meta.version` of the wire. */
export interface StoreRecord extends StoreIdentity {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, StoreRelationship>>;
  readonly meta: { readonly version: number };
}

/** The fields of one record that an update replaces. */
export interface StorePatch extends StoreIdentity {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, StoreRelationship>>;
}

/** What a change holds: Orbit's record operations, of which three are enough. */
export type StoreOperation =
  | { readonly op: 'addRecord'; readonly record: StoreRecord }
  | { readonly op: 'updateRecord'; readonly record: StorePatch }
  | { readonly op: 'removeRecord'; readonly record: StoreIdentity };

/** Read-only instants that every stored record has besides its fields. */
const DATES = ['dateCreated', 'dateUpdated'] as const;

export const keyOf = ({ type, id }: StoreIdentity): string => `${type}:${id}`;

/** Orbit's schema, derived from ours. */
export function orbitSchema(): RecordSchema {
  const models: Record<string, ModelDefinition> = {};
  for (const type of storedTypes) {
    const attributes: NonNullable<ModelDefinition['attributes']> = {};
    for (const [name] of attributesOf(type)) attributes[name] = {};
    for (const name of DATES) attributes[name] = {};
    const relationships: NonNullable<ModelDefinition['relationships']> = {};
    for (const [name, { to }] of toOnesOf(type)) relationships[name] = { kind: 'hasOne', type: to };
    models[type] = { attributes, relationships };
  }
  return new RecordSchema({ models });
}

/** What screens get: attributes as they are, to-ones as ids, `version`. */
export function flatten({ type, id, attributes, relationships, meta }: StoreRecord): AnyRecord {
  const flat: Record<string, unknown> = { id, version: meta.version, ...attributes };
  for (const [name] of toOnesOf(type)) flat[name] = relationships[name]?.data?.id ?? null;
  return flat as AnyRecord;
}

/** Flat fields of `type` as Orbit keeps them; fields that the type does not have are left out. */
export function patchOf(
  type: TypeName,
  id: string,
  fields: Readonly<Record<string, unknown>>,
): StorePatch {
  const attributes: Record<string, unknown> = {};
  const relationships: Record<string, StoreRelationship> = {};
  for (const name of [...attributesOf(type).map(([name]) => name), ...DATES])
    if (fields[name] !== undefined) attributes[name] = fields[name];
  for (const [name, { to }] of toOnesOf(type)) {
    const id = fields[name];
    if (id === null) relationships[name] = { data: null };
    else if (typeof id === 'string') relationships[name] = { data: { type: to, id } };
  }
  return { type, id, attributes, relationships };
}

/** The value of one flat field. */
export function valueOf(record: StorePatch, field: string): unknown {
  const relationship = record.relationships?.[field];
  return relationship === undefined ? record.attributes?.[field] : (relationship.data?.id ?? null);
}

/** Names of the fields that `patch` states. */
export function fieldsOf({ attributes, relationships }: StorePatch): string[] {
  return [...Object.keys(attributes ?? {}), ...Object.keys(relationships ?? {})];
}

/** The record after `operation`; null when there is none then. */
export function operate(record: StoreRecord | null, operation: StoreOperation): StoreRecord | null {
  switch (operation.op) {
    case 'addRecord':
      return record === null ? operation.record : { ...operation.record, meta: record.meta };
    case 'updateRecord':
      return record === null ? null : { ...record, ...merged(record, operation.record) };
    case 'removeRecord':
      return null;
  }
}

/** Two patches of one record as one; the later wins. */
export function merged(
  a: StorePatch,
  { attributes, relationships }: StorePatch,
): Pick<StoreRecord, 'attributes' | 'relationships'> {
  return {
    attributes: { ...a.attributes, ...attributes },
    relationships: { ...a.relationships, ...relationships },
  };
}

/** Whether two values of a field are the same; lists and maps by content. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** What a person may state of a new record; what only the server sets is a prediction. */
export function stateableOf({ type, id, attributes, relationships }: StoreRecord): StorePatch {
  const { fields } = resourceOf(type);
  const isStated = ([name, value]: readonly [string, unknown]): boolean => {
    const field = fields[name];
    if (field === undefined || field.is === 'many' || value === null) return false;
    return field.write === 'create' || field.write === 'always';
  };
  return {
    type,
    id,
    attributes: Object.fromEntries(Object.entries(attributes).filter(isStated)),
    relationships: Object.fromEntries(
      Object.entries(relationships).filter(([name, { data }]) => isStated([name, data])),
    ),
  };
}

/** Whether someone types text into a new record of `type`; what is only chosen is not. */
export function isTyped(type: TypeName): boolean {
  return attributesOf(type).some(
    ([, { kind, write }]) =>
      (kind === 'line' || kind === 'text' || kind === 'email') &&
      (write === 'create' || write === 'always'),
  );
}

/** What an operation states, as wire 8.1 has it. */
export function resourceOfPatch(patch: StorePatch, version?: number): ResourceObject {
  const { type, id, attributes = {}, relationships = {} } = patch;
  return {
    type: wireTypeOf(type),
    id,
    attributes: renamed(type, attributes, (value) => value),
    relationships: renamed(type, relationships, ({ data }) => ({
      data: data === null ? null : { type: wireTypeOf(data.type), id: data.id },
    })),
    ...(version === undefined ? {} : { meta: { version } }),
  };
}

function renamed<V, W>(
  type: TypeName,
  fields: Readonly<Record<string, V>>,
  to: (value: V) => W,
): Record<string, W> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [wireFieldOf(type, name), to(value)]),
  );
}

const fits: Readonly<Record<Attribute['kind'], (value: unknown, field: Attribute) => boolean>> = {
  line: isText,
  text: isText,
  email: isText,
  url: isText,
  instant: isText,
  json: isText,
  uuid: isText,
  bool: (value) => typeof value === 'boolean',
  int: (value) => Number.isSafeInteger(value),
  choice: (value) => typeof value === 'string' || typeof value === 'number',
  list: (value) => Array.isArray(value),
  map: (value) => typeof value === 'object' && !Array.isArray(value),
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Why something that came in was left out. */
export class DoesNotFit extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'DoesNotFit';
  }
}

/** A type and id as they came in, checked. @throws DoesNotFit */
export function identityFrom(value: unknown): StoreIdentity {
  if (typeof value !== 'object' || value === null) throw new DoesNotFit('not a record');
  const { type: name, id } = value as Partial<Record<string, unknown>>;
  const type = typeof name === 'string' ? typeOfWire(name) : null;
  if (type === null || !resourceOf(type).isStored) throw new DoesNotFit(`type ${String(name)}`);
  if (!isUuid(id)) throw new DoesNotFit(`id of ${type}`);
  return { type, id: id.toLowerCase() };
}

/**
 * A complete record as it came in, checked against the schema; members that the schema does not
 * know are ignored.
 *
 * @throws DoesNotFit when it must not reach the store
 */
export function recordFrom(value: unknown): StoreRecord {
  const { type, id } = identityFrom(value);
  const resource = value as Partial<Record<'attributes' | 'relationships' | 'meta', unknown>>;
  const stated = objectIn(resource.attributes, `attributes of ${type}`);
  const attributes: Record<string, unknown> = {};
  for (const [name, wire, field] of attributeNames(type)) {
    const given = stated[wire] ?? null;
    if (given !== null && !fits[field.kind](given, field)) throw new DoesNotFit(`${type}.${name}`);
    attributes[name] = given ?? (field.nullable ? null : field.fallback);
  }
  for (const name of DATES) attributes[name] = stated[wireFieldOf(type, name)] ?? null;
  const links = objectIn(resource.relationships, `relationships of ${type}`);
  const relationships: Record<string, StoreRelationship> = {};
  for (const [name, wire, to] of toOneNames(type))
    relationships[name] = { data: linkFrom(links[wire], to, `${type}.${name}`) };
  const version = (resource.meta as { version?: unknown } | null | undefined)?.version;
  if (!Number.isSafeInteger(version)) throw new DoesNotFit(`version of ${type}`);
  return { type, id, attributes, relationships, meta: { version: version as number } };
}

function linkFrom(value: unknown, to: TypeName, where: string): StoreIdentity | null {
  const link = objectIn(value, where).data;
  if (link === null) return null;
  const identity = identityFrom(link);
  if (identity.type !== to) throw new DoesNotFit(where);
  return identity;
}

function objectIn(value: unknown, where: string): Partial<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DoesNotFit(where);
  return value;
}

const attributeNames = perType((type) =>
  attributesOf(type)
    .filter(([, field]) => !field.isWriteOnly)
    .map(([name, field]) => [name, wireFieldOf(type, name), field] as const),
);
const toOneNames = perType((type) =>
  toOnesOf(type).map(([name, { to }]) => [name, wireFieldOf(type, name), to] as const),
);

function perType<T>(compute: (type: TypeName) => T): (type: TypeName) => T {
  const known = new Map<TypeName, T>();
  return (type) => {
    const value = known.get(type) ?? compute(type);
    known.set(type, value);
    return value;
  };
}
