import type { ResourceObject } from '#protocol/document.ts';
import type { Viewer } from '#rules/viewer.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { presentRecord } from '#protocol/present.ts';
import type { IncludeTree, Query } from '../../access/query/query.ts';
import { LISTED } from '../../access/query/query-sql.ts';
import { readVisibleByIds, readVisible } from '../../access/read-visible.ts';
import { linkedSql } from '../../access/scope-sql.ts';

interface Entry {
  readonly type: TypeName;
  readonly record: AnyRecord;
  readonly linked: Record<string, readonly string[]>;
}

/** The records loaded for one answer: each once, however many paths lead to it. */
type Loaded = Map<string, Entry>;

export interface CompoundData {
  readonly data: readonly ResourceObject[];
  readonly included: readonly ResourceObject[] | null;
}

/**
 * Returns `records` with what `query` includes; every included record as `viewer` sees it (wire
 * 5.3).
 */
export async function presentIncluding(
  tx: DatabaseTransaction,
  viewer: Viewer,
  type: TypeName,
  records: readonly AnyRecord[],
  query: Pick<Query, 'include' | 'fields'>,
): Promise<CompoundData> {
  const loaded: Loaded = new Map();
  const primary = records.map((record) => enter(loaded, type, record));
  await follow(tx, viewer, loaded, type, primary, query.include);

  const show = ({ type: of, record, linked }: Entry) =>
    presentRecord(of, record, linked, query.fields.get(of) ?? null);
  const isPrimary = new Set(primary);
  return {
    data: primary.map(show),
    included:
      query.include.size === 0
        ? null
        : [...loaded.values()].filter((entry) => !isPrimary.has(entry)).map(show),
  };
}

function enter(loaded: Loaded, type: TypeName, record: AnyRecord): Entry {
  const key = `${type}/${record.id}`;
  const entry = loaded.get(key) ?? { type, record, linked: {} };
  loaded.set(key, entry);
  return entry;
}

async function follow(
  tx: DatabaseTransaction,
  viewer: Viewer,
  loaded: Loaded,
  type: TypeName,
  from: readonly Entry[],
  tree: IncludeTree,
): Promise<void> {
  if (from.length === 0) return;
  for (const [name, below] of tree) {
    const field = resourceOf(type).fields[name];
    if (field === undefined || field.is === 'attribute') continue;
    const to = (field.is === 'one' ? field.to : field.of) as TypeName;
    const reached =
      field.is === 'one'
        ? await followToOne(tx, viewer, loaded, to, from, name)
        : await followToMany(tx, viewer, loaded, to, from, name, field.inverse);
    await follow(tx, viewer, loaded, to, reached, below);
  }
}

async function followToOne(
  tx: DatabaseTransaction,
  viewer: Viewer,
  loaded: Loaded,
  to: TypeName,
  from: readonly Entry[],
  name: string,
): Promise<readonly Entry[]> {
  const ids = new Set(
    from.map(({ record }) => record[name]).filter((id) => typeof id === 'string'),
  );
  const known = [...ids].flatMap((id) => loaded.get(`${to}/${id}`) ?? []);
  for (const { record } of known) ids.delete(record.id);
  const found = await readVisibleByIds(tx, viewer, to, [...ids]);
  return [...known, ...found.map((record) => enter(loaded, to, record))];
}

async function followToMany(
  tx: DatabaseTransaction,
  viewer: Viewer,
  loaded: Loaded,
  of: TypeName,
  from: readonly Entry[],
  name: string,
  inverse: string,
): Promise<readonly Entry[]> {
  const parents = from.filter(({ linked }) => !Object.hasOwn(linked, name));
  const ids = parents.map(({ record }) => record.id);
  const found = await readVisible(tx, viewer, of, {
    where: [linkedSql(of, inverse, LISTED, ids, viewer)],
  });
  const byParent = gathered(found, inverse);
  for (const { record, linked } of parents) {
    linked[name] = (byParent.get(record.id) ?? []).map(({ id }) => id);
  }
  for (const record of found) enter(loaded, of, record);
  return [
    ...new Set(
      from.flatMap(({ linked }) =>
        (linked[name] ?? []).flatMap((id) => loaded.get(`${of}/${id}`) ?? []),
      ),
    ),
  ];
}

function gathered(records: readonly AnyRecord[], field: string): ReadonlyMap<unknown, AnyRecord[]> {
  const byValue = new Map<unknown, AnyRecord[]>();
  for (const record of records) {
    const list = byValue.get(record[field]) ?? [];
    list.push(record);
    byValue.set(record[field], list);
  }
  return byValue;
}
