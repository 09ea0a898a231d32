import { sql } from 'kysely';
import type { ResourceObject } from '#protocol/document.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import { presentRecord } from '#protocol/present.ts';
import { readVisible } from '../access/read-visible.ts';
import { LISTED } from '../access/query/query-sql.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import { inFeedSql } from './reader.ts';
import type { FeedViewer } from './reader.ts';
import { keyOf, parentsOf } from './types.ts';

/** A record as the reader may see it now. */
export interface VisibleRecord {
  readonly key: string;
  readonly data: ResourceObject;
  /** The keys of the records that it is below. */
  readonly parents: readonly string[];
}

export function visibleRecordOf(type: TypeName, record: AnyRecord): VisibleRecord {
  const parents = parentsOf(type).flatMap(([field, to]) => {
    const id = record[field];
    return typeof id === 'string' ? [keyOf(to, id)] : [];
  });
  return { key: keyOf(type, record.id), data: presentRecord(type, record), parents };
}

/** Reads those of the named records that are in the reader's feed now, by key. */
export async function readVisibleNow(
  tx: DatabaseTransaction,
  reader: FeedViewer,
  wanted: ReadonlyMap<TypeName, ReadonlySet<string>>,
): Promise<Map<string, VisibleRecord>> {
  const found = new Map<string, VisibleRecord>();
  for (const [type, ids] of wanted) {
    const records = await readVisible(tx, reader.viewer, type, {
      where: [
        sql<boolean>`${sql.ref(`${LISTED}.id`)} = any(${[...ids]}::uuid[])`,
        inFeedSql(type, LISTED, reader),
      ],
    });
    for (const record of records) {
      const one = visibleRecordOf(type, record);
      found.set(one.key, one);
    }
  }
  return found;
}
