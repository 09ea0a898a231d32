import type { Identifier, RelationshipObject, ResourceObject } from '#protocol/document.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, resourceOf, toManysOf, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';

/** The to-many linkage by field, as far as it was loaded. */
export type Linked = Readonly<Record<string, readonly string[]>>;

export const JSONAPI = { version: '1.1' } as const;

export function identifier(type: TypeName, id: string): Identifier {
  return { type: wireTypeOf(type), id };
}

/** The address of a record. */
export function addressOf(type: TypeName, id: string): string {
  return `/api/${wireTypeOf(type)}/${id}`;
}

/**
 * A record as it travels (wire 3). To-ones are always stated, to-manys only when `linked` has
 * them, and only `shown` fields when that is given.
 */
export function presentRecord(
  type: TypeName,
  record: AnyRecord,
  linked: Linked = {},
  shown: ReadonlySet<string> | null = null,
): ResourceObject {
  const isShown = (field: string) => shown === null || shown.has(field);
  const stamps = resourceOf(type).isStored ? (['dateCreated', 'dateUpdated'] as const) : [];
  const fields = [
    ...attributesOf(type).flatMap(([field, { isWriteOnly }]) => (isWriteOnly ? [] : [field])),
    ...stamps,
  ].filter(isShown);
  const relationships: [string, RelationshipObject][] = [
    ...toOnesOf(type)
      .filter(([field]) => isShown(field))
      .map(([field, { to }]) => toOne(type, field, to, record[field])),
    ...toManysOf(type).flatMap(([field, { of }]) => {
      const ids = linked[field];
      return ids === undefined || !isShown(field) ? [] : [toMany(type, field, of, ids)];
    }),
  ];
  return {
    ...identifier(type, record.id),
    attributes: Object.fromEntries(
      fields.map((field) => [attributeName(type, field), record[field] ?? null]),
    ),
    relationships: Object.fromEntries(relationships),
    ...(record.version > 0 ? { meta: { version: record.version } } : {}),
  };
}

function attributeName(type: TypeName, field: string): string {
  if (field === 'dateCreated') return 'date-created';
  return field === 'dateUpdated' ? 'date-updated' : wireFieldOf(type, field);
}

function toOne(
  type: TypeName,
  field: string,
  to: TypeName,
  id: unknown,
): [string, RelationshipObject] {
  return [wireFieldOf(type, field), { data: typeof id === 'string' ? identifier(to, id) : null }];
}

function toMany(
  type: TypeName,
  field: string,
  of: TypeName,
  ids: readonly string[],
): [string, RelationshipObject] {
  return [wireFieldOf(type, field), { data: ids.map((id) => identifier(of, id)) }];
}
