import { sql } from 'kysely';
import type { DataDocument, ResourceObject } from '#protocol/document.ts';
import type { Viewer } from '#rules/viewer.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { RawBuilder } from 'kysely';
import type { DatabaseTransaction } from '../../db/database.ts';
import { columnOf, tableOf } from '../../db/tables.ts';
import { presentIncluding } from './include.ts';
import { JSONAPI } from '#protocol/present.ts';
import { pagingOf } from './query/page.ts';
import type { Query } from '../../access/query/query.ts';
import { queryClausesOf, LISTED } from '../../access/query/query-sql.ts';
import { ownSql, withinSql } from '../../access/query/within.ts';
import { countVisible, readVisible } from '../../access/read-visible.ts';
import type { SelectClauses } from '../../access/read-visible.ts';
import { visibleSql } from '../../access/scope-sql.ts';

type Condition = RawBuilder<boolean>;

/**
 * Returns one page of what `viewer` sees and `query` asks for, among the rows for which `within`
 * holds.
 */
export async function listDocument(
  tx: DatabaseTransaction,
  viewer: Viewer,
  type: TypeName,
  query: Query,
  within: readonly Condition[],
  url: string,
): Promise<DataDocument> {
  const filtered = await queryClausesOf(tx, type, { ...query, sort: [] }, viewer);
  const fields = query.filters.filter(({ is }) => is === 'field');
  const { joins, order } = await queryClausesOf(tx, type, { ...query, filters: fields }, viewer);
  const where = [...filtered.where, ...within];
  const { number, size } = query.page;
  const offset = (number - 1) * size;
  // Tables that only the order needs would keep the total from being counted in an index.
  const count = () => countVisible(tx, viewer, type, { joins: filtered.joins, where });
  const page = { joins, where, order, limit: size, offset };
  const read = () =>
    readVisible(tx, viewer, type, offset === 0 ? page : farPage(viewer, type, page));
  let records: readonly AnyRecord[] = [];
  let total = 0;
  if (offset === 0) {
    // A first page that is not full is all there is.
    records = await read();
    total = records.length < size ? records.length : await count();
  } else {
    // Going far beyond the end would read everything on the way.
    total = await count();
    if (offset < total) records = await read();
  }
  const { data, included } = await presentIncluding(tx, viewer, type, records, query);
  const [path = '', parameters = ''] = url.split('?', 2);
  const { meta, links } = pagingOf(path, parameters, query.page, total);
  return { ...documentOf(data, included, links), meta };
}

/**
 * Selects the rows of a page by their ids, which are found first: an index can skip those of the
 * pages before without looking at their rows.
 */
function farPage(
  viewer: Viewer,
  type: TypeName,
  { joins, where, order, limit, offset }: Required<SelectClauses>,
): SelectClauses {
  const id = sql.ref(`${LISTED}.id`);
  const all = sql.join([...where, visibleSql(type, LISTED, viewer)], sql` and `);
  const isOnPage = sql<boolean>`${id} in (select ${id}
    from ${sql.table(tableOf(type))} as ${sql.id(LISTED)} ${joins} where ${all}
    order by ${order} limit ${limit} offset ${offset})`;
  return { joins, where: [isOnPage], order };
}

export function documentOf(
  data: ResourceObject | readonly ResourceObject[] | null,
  included: readonly ResourceObject[] | null,
  links: Readonly<Record<string, string | null>>,
): DataDocument {
  return { jsonapi: JSONAPI, data, ...(included === null ? {} : { included }), links };
}

/**
 * Returns what a list of a type is limited to besides permissions (wire 4, 16.1): one organization,
 * where the header names one and the type is narrowed; else the caller's own, and in the directory,
 * which is `filter[is-public]=true` without the header, public projects of every other; of
 * organizations those that have some.
 */
export function listScope(
  type: TypeName,
  viewer: Viewer,
  query: Query,
  organization: string | null,
): readonly Condition[] {
  if (organization !== null && resourceOf(type).narrowed) {
    return [withinSql(type, LISTED, [organization])];
  }
  // Whoever may look at the public projects sees whose they are (wire 4.1).
  const ofDirectory = query.filters.some((filter) => filter.is === 'with-public-projects');
  if (organization === null && ofDirectory) return [];
  if (organization !== null || !isDirectory(type, query)) return [ownSql(type, LISTED, viewer)];
  const isPublic = sql.ref(`${LISTED}.${columnOf(type, 'isPublic')}`);
  const archived = sql.ref(`${LISTED}.${columnOf(type, 'dateArchived')}`);
  return [sql<boolean>`(${ownSql(type, LISTED, viewer)} or (${isPublic} and ${archived} is null))`];
}

function isDirectory(type: TypeName, { filters }: Query): boolean {
  return (
    type === 'project' &&
    filters.some(
      (filter) =>
        filter.is === 'field' &&
        filter.path.via === null &&
        filter.path.field === 'isPublic' &&
        filter.operator === 'eq' &&
        filter.values[0] === true,
    )
  );
}
