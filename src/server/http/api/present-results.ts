import type { Linkage, ResourceObject } from '#protocol/document.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Viewer } from '#rules/viewer.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { OperationResult } from '../../domain/writes/change-context.ts';
import { identifier, presentRecord } from '#protocol/present.ts';
import { LISTED } from '../../access/query/query-sql.ts';
import { readVisibleByIds, readVisibleById, readVisible } from '../../access/read-visible.ts';
import { linkedSql } from '../../access/scope-sql.ts';

/**
 * Returns the records of `all`, as `viewer` sees them now; null for what is gone or hidden (wire
 * 7.3).
 */
export async function presentResults(
  tx: DatabaseTransaction,
  viewer: Viewer,
  all: readonly OperationResult[],
): Promise<ReadonlyMap<OperationResult, ResourceObject | Linkage>> {
  const presented = new Map<OperationResult, ResourceObject | Linkage>();
  const records = await recordsOf(tx, viewer, all);
  for (const one of all) {
    if (one.data !== null) presented.set(one, one.data);
    else if (one.shows === 'record')
      presented.set(one, records.get(`${one.type}/${one.id}`) ?? null);
    else if (one.shows === 'linkage') presented.set(one, await linkageOrNull(tx, viewer, one));
    else presented.set(one, null);
  }
  return presented;
}

async function recordsOf(tx: DatabaseTransaction, viewer: Viewer, all: readonly OperationResult[]) {
  const records = new Map<string, ResourceObject>();
  const wanted = all.filter(({ shows, data }) => shows === 'record' && data === null);
  for (const type of new Set(wanted.map((one) => one.type))) {
    const ids = wanted.filter((one) => one.type === type).map(({ id }) => id);
    for (const record of await readVisibleByIds(tx, viewer, type, [...new Set(ids)])) {
      records.set(`${type}/${record.id}`, presentRecord(type, record));
    }
  }
  return records;
}

async function linkageOrNull(
  tx: DatabaseTransaction,
  viewer: Viewer,
  { type, id, relationship }: OperationResult,
) {
  const record = await readVisibleById(tx, viewer, type, id);
  return record === null || relationship === null
    ? null
    : linkageOf(tx, viewer, type, id, relationship);
}

/** Returns the linkage of a relationship of a record; of a to-many, what `viewer` sees. */
export async function linkageOf(
  tx: DatabaseTransaction,
  viewer: Viewer,
  type: TypeName,
  id: string,
  name: string,
): Promise<Linkage> {
  const record = await readVisibleById(tx, viewer, type, id);
  const field = resourceOf(type).fields[name];
  if (record === null || field === undefined || field.is === 'attribute') {
    throw new ProblemError({ code: 'not-found' });
  }
  if (field.is === 'one') {
    const to = record[name];
    return typeof to === 'string' ? identifier(field.to as TypeName, to) : null;
  }
  const of = field.of as TypeName;
  const members = await readVisible(tx, viewer, of, {
    where: [linkedSql(of, field.inverse, LISTED, [id], viewer)],
  });
  return members.map((member) => identifier(of, member.id));
}
