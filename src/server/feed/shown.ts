import { sql } from 'kysely';
import type { ResourceObject } from '#protocol/document.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import { presentRecord } from '#protocol/present.ts';
import { seenRecords } from '../access/seen.ts';
import { LISTED } from '../access/query/query-sql.ts';
import type { Tx } from '../db/database.ts';
import { inFeedSql } from './reader.ts';
import type { Reader } from './reader.ts';
import { keyOf, parentsOf } from './types.ts';

/** A record as the reader may see it now. */
export interface Shown {
  readonly key: string;
  readonly data: ResourceObject;
  /** Keys of the records that it is below. */
  readonly parents: readonly string[];
}

export function shown(type: TypeName, record: AnyRecord): Shown {
  const parents = parentsOf(type).flatMap(([field, to]) => {
    const id = record[field];
    return typeof id === 'string' ? [keyOf(to, id)] : [];
  });
  return { key: keyOf(type, record.id), data: presentRecord(type, record), parents };
}

/** Those of the records named that are in the reader's feed now, by key. */
export async function shownNow(
  tx: Tx,
  reader: Reader,
  wanted: ReadonlyMap<TypeName, ReadonlySet<string>>,
): Promise<Map<string, Shown>> {
  const found = new Map<string, Shown>();
  for (const [type, ids] of wanted) {
    const records = await seenRecords(tx, reader.viewer, type, {
      where: [
        sql<boolean>`${sql.ref(`${LISTED}.id`)} = any(${[...ids]}::uuid[])`,
        inFeedSql(type, LISTED, reader),
      ],
    });
    for (const record of records) {
      const one = shown(type, record);
      found.set(one.key, one);
    }
  }
  return found;
}
