import { RecordSchema } from '@orbit/records';
import type { ModelDefinition } from '@orbit/records';
import type { ResourceObject } from '#protocol/document.ts';
import { typeOfWire, wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { canonical } from '#rules/record/equal.ts';
import { attributesOf, resourceOf, storedTypes, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import { instant } from '#schema/define.ts';
import type { Attribute } from '#schema/define.ts';
import { isUuid } from '#base/id.ts';
import { isObject } from '#base/is-object.ts';

export interface StoreIdentity {
  readonly type: TypeName;
  readonly id: string;
}

/** A to-one as Orbit stores it. To-manys are not stored: the store's index answers them. */
interface StoreRelationship {
  readonly data: StoreIdentity | null;
}

/** A record as Orbit stores it: names of `schema`, `meta.version` of the wire. */
export interface StoreRecord extends StoreIdentity {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, StoreRelationship>>;
  readonly meta: {
    readonly version: number;
    /**
     * When the server last told of a record outside the working set, of which the feed says nothing
     * (ISO); left out of all others.
     */
    readonly fetchedAt?: string;
  };
}

/** Tells whether the feed reports what becomes of the record. */
export const isInWorkingSet = ({ meta }: StoreRecord): boolean => meta.fetchedAt === undefined;

/** The fields of one record that an update replaces. */
export interface StorePatch extends StoreIdentity {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, StoreRelationship>>;
}

/** The operations of a change: three of Orbit's record operations are enough. */
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

/** The record as screens get it: attributes as they are, to-ones as ids, `version`. */
export function flatten({ type, id, attributes, relationships, meta }: StoreRecord): AnyRecord {
  const flat: Record<string, unknown> = { id, version: meta.version, ...attributes };
  for (const [name] of toOnesOf(type)) flat[name] = relationships[name]?.data?.id ?? null;
  return flat as AnyRecord;
}

/** Flat fields of `type` as Orbit stores them; fields that the type does not have are left out. */
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

/** Tells whether two values of a field are the same; lists and maps are compared by content. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return canonical(a) === canonical(b);
}

/**
 * The fields that a person may state in a new record; those that only the server sets are
 * predictions.
 */
export function stateableOf({ type, id, attributes, relationships }: StoreRecord): StorePatch {
  const isStated = ([name, value]: readonly [string, unknown]): boolean =>
    value !== null && isForNew(type, name);
  return {
    type,
    id,
    attributes: Object.fromEntries(Object.entries(attributes).filter(isStated)),
    relationships: Object.fromEntries(
      Object.entries(relationships).filter(([name, { data }]) => isStated([name, data])),
    ),
  };
}

/** Tells whether a person who creates a record of `type` may state the field. */
export function isForNew(type: TypeName, name: string): boolean {
  const field = resourceOf(type).fields[name];
  if (field === undefined || field.is === 'many') return false;
  return field.write === 'create' || field.write === 'always';
}

/**
 * Tells whether a person types text into a new record of `type`; values that are chosen do not
 * count.
 */
export function isTyped(type: TypeName): boolean {
  return attributesOf(type).some(
    ([, { kind, write }]) =>
      (kind === 'line' || kind === 'text' || kind === 'email') &&
      (write === 'create' || write === 'always'),
  );
}

/** The resource of an operation, as wire 8.1 has it. */
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

/** The document that states flat `fields` of a record; id null: of a new one, whose id the server makes. */
export function documentOf(
  type: TypeName,
  id: string | null,
  fields: Readonly<Record<string, unknown>>,
): { readonly data: Partial<ResourceObject> } {
  const { id: named, ...resource } = resourceOfPatch(patchOf(type, id ?? '', fields));
  return { data: { ...resource, ...(id === null ? {} : { id: named }) } };
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

/** The sort of a value that is not null; for most it is what `typeof` says. */
type Sort = 'string' | 'boolean' | 'int' | 'choice' | 'list' | 'map';

const SORTS: Readonly<Record<Attribute['kind'], Sort>> = {
  ...{ line: 'string', text: 'string', email: 'string', url: 'string' },
  ...{ instant: 'string', json: 'string', uuid: 'string' },
  ...{ bool: 'boolean', int: 'int', choice: 'choice', list: 'list', map: 'map' },
};

/** Tells whether `value` is not of `sort`; a start checks thousands. */
export function isOther(value: unknown, sort: Sort): boolean {
  return typeof value !== sort && !isOfSort(value, sort);
}

function isOfSort(value: unknown, sort: Sort): boolean {
  if (sort === 'int') return Number.isSafeInteger(value);
  if (sort === 'choice') return typeof value === 'string' || typeof value === 'number';
  const isList = Array.isArray(value);
  return sort === 'list' ? isList : sort === 'map' && typeof value === 'object' && !isList;
}

/** The reason why something that came in was left out. */
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
  const type = name === lastType.wire ? lastType.type : storedType(name);
  if (!isUuid(id)) throw new DoesNotFit(`id of ${type}`);
  return { type, id: id.toLowerCase() };
}

/** The last type is remembered, because records come type by type. */
let lastType: { readonly wire: string; readonly type: TypeName } = { wire: 'users', type: 'user' };

function storedType(wire: unknown): TypeName {
  const type = typeof wire === 'string' ? typeOfWire(wire) : null;
  if (type === null || !resourceOf(type).isStored) throw new DoesNotFit(`type ${String(wire)}`);
  lastType = { wire: wire as string, type };
  return type;
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
  const { blank, unlinked, attributes: named, links: linked } = formOf(type);
  const stated = objectIn(resource.attributes, type);
  // Copies of one form, then written over: much cheaper than records that grow field by field.
  const attributes: Record<string, unknown> = { ...blank };
  for (const { name, wire, sort } of named) {
    const given = stated[wire];
    if (given === undefined || given === null) continue;
    if (isOther(given, sort)) throw new DoesNotFit(`${type}.${name}`);
    attributes[name] = given;
  }
  const links = objectIn(resource.relationships, type);
  const relationships = { ...unlinked };
  for (const form of linked) {
    const { data } = objectIn(links[form.wire], form.where);
    if (data !== null) relationships[form.name] = linkFrom(data, form);
  }
  const version = (resource.meta as { version?: unknown } | null | undefined)?.version;
  if (!Number.isSafeInteger(version)) throw new DoesNotFit(`version of ${type}`);
  return { type, id, attributes, relationships, meta: { version: version as number } };
}

/** Neighbours link to the same records (the artifacts of a build): one object serves them all. */
function linkFrom(link: unknown, form: LinkForm): StoreRelationship {
  const { type, id } = objectIn(link, form.where);
  if (type !== form.toWire) throw new DoesNotFit(form.where);
  if (id === form.last.data?.id && id !== undefined) return form.last;
  if (!isUuid(id)) throw new DoesNotFit(form.where);
  return (form.last = { data: { type: form.to, id: id.toLowerCase() } });
}

function objectIn(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new DoesNotFit(where);
  return value;
}

/** What all records of a type have in common, computed once. */
interface Form {
  readonly blank: Readonly<Record<string, unknown>>;
  readonly unlinked: Readonly<Record<string, StoreRelationship>>;
  readonly attributes: readonly {
    readonly name: string;
    readonly wire: string;
    readonly sort: Sort;
  }[];
  readonly links: readonly LinkForm[];
}

interface LinkForm {
  readonly name: string;
  readonly wire: string;
  readonly to: TypeName;
  readonly toWire: string;
  readonly where: string;
  /** The link that was read last. */
  last: StoreRelationship;
}

const UNLINKED: StoreRelationship = Object.freeze({ data: null });

const forms = new Map<TypeName, Form>();

export function formOf(type: TypeName): Form {
  const form = forms.get(type) ?? makeForm(type);
  forms.set(type, form);
  return form;
}

function makeForm(type: TypeName): Form {
  const readable = attributesOf(type).filter(([, field]) => !field.isWriteOnly);
  const names = [...readable, ...DATES.map((name) => [name, instant()] as const)];
  return {
    blank: Object.fromEntries(
      names.map(([name, { nullable, fallback }]) => [name, nullable ? null : fallback]),
    ),
    unlinked: Object.fromEntries(toOnesOf(type).map(([name]) => [name, UNLINKED])),
    attributes: names.map(([name, { kind }]) => ({
      name,
      wire: wireFieldOf(type, name),
      sort: SORTS[kind],
    })),
    links: toOnesOf(type).map(([name, { to }]) => ({
      name,
      wire: wireFieldOf(type, name),
      to,
      toWire: wireTypeOf(to),
      where: `${type}.${name}`,
      last: UNLINKED,
    })),
  };
}
