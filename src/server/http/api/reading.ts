import { sql } from 'kysely';
import type { DataDocument } from '#protocol/document.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { ToMany, ToOne } from '#schema/define.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { columnOf } from '../../db/tables.ts';
import { idIn, recordQueryIn } from './api-request.ts';
import type { ApiHandler, ApiRequest } from './api-request.ts';
import { etagOf } from './headers.ts';
import { presentIncluding } from './include.ts';
import { documentOf, listDocument, listScope } from './list.ts';
import { addressOf, JSONAPI } from '#protocol/present.ts';
import type { Query } from '../../access/query/query.ts';
import { LISTED } from '../../access/query/query-sql.ts';
import { readVisibleById } from '../../access/read-visible.ts';
import { linkageOf } from './present-results.ts';

/** `GET /api/{type}` */
export const listOf =
  (type: TypeName): ApiHandler =>
  async (asked) => {
    const { services, caller, request } = asked;
    const { organization, query } = await recordQueryIn(asked, type, 'list');
    const within = listScope(type, caller.viewer, query, organization);
    return services.db.read((tx) =>
      listDocument(tx, caller.viewer, type, query, within, request.url),
    );
  };

/** `GET /api/{type}/{id}` */
export const recordOf =
  (type: TypeName): ApiHandler =>
  async (asked) => {
    const id = idIn(asked.request);
    const { query } = await recordQueryIn(asked, type, 'record');
    return answerRecord(asked, type, query, (tx) =>
      requireVisible(tx, asked.caller.viewer, type, id),
    );
  };

/** Answers with one record, or with `data: null` when there is none. */
export async function answerRecord(
  { services: parts, caller, request, reply }: ApiRequest,
  type: TypeName,
  query: Query,
  find: (tx: DatabaseTransaction) => Promise<AnyRecord | null>,
): Promise<DataDocument> {
  const { document, version } = await parts.db.read(async (tx) => {
    const record = await find(tx);
    const records = record === null ? [] : [record];
    const { data, included } = await presentIncluding(tx, caller.viewer, type, records, query);
    const shown = documentOf(data[0] ?? null, included, { self: request.url });
    return { document: shown, version: record?.version ?? 0 };
  });
  void reply.header('ETag', etagOf(caller, version, document));
  return document;
}

export async function requireVisible(
  tx: DatabaseTransaction,
  viewer: Viewer,
  type: TypeName,
  id: string,
): Promise<AnyRecord> {
  const record = await readVisibleById(tx, viewer, type, id);
  if (record === null) throw new ProblemError({ code: 'not-found' });
  return record;
}

/** `GET /api/{type}/{id}/{to-one}`; a target that the caller does not see is 404. */
export const relatedRecord =
  (type: TypeName, name: string, field: ToOne): ApiHandler =>
  async (asked) => {
    const id = idIn(asked.request);
    const to = field.to as TypeName;
    const { query } = await recordQueryIn(asked, to, 'record');
    const { viewer } = asked.caller;
    return answerRecord(asked, to, query, async (tx) => {
      const target = (await requireVisible(tx, viewer, type, id))[name];
      return typeof target === 'string' ? requireVisible(tx, viewer, to, target) : null;
    });
  };

/** `GET /api/{type}/{id}/{to-many}`; the organization header narrows only `/api/{type}`. */
export const relatedList =
  (type: TypeName, field: ToMany): ApiHandler =>
  async (asked) => {
    const id = idIn(asked.request);
    const of = field.of as TypeName;
    const { query } = await recordQueryIn(asked, of, 'list');
    const { viewer } = asked.caller;
    return asked.services.db.read(async (tx) => {
      await requireVisible(tx, viewer, type, id);
      const parent = sql.ref(`${LISTED}.${columnOf(of, field.inverse)}`);
      const within = [sql<boolean>`${parent} = ${id}`];
      return listDocument(tx, viewer, of, query, within, asked.request.url);
    });
  };

/** `GET /api/organizations/{id}/users`: its members, as the filter of that name has it. */
export const membersList: ApiHandler = async (asked) => {
  const organization = idIn(asked.request);
  const { query } = await recordQueryIn(asked, 'user', 'list');
  const { viewer } = asked.caller;
  const filters = [...query.filters, { is: 'members-of', organization } as const];
  return asked.services.db.read(async (tx) => {
    await requireVisible(tx, viewer, 'organization', organization);
    return listDocument(tx, viewer, 'user', { ...query, filters }, [], asked.request.url);
  });
};

/** `GET …/relationships/{relationship}` */
export const linkage =
  (type: TypeName, name: string, wireName: string): ApiHandler =>
  async (asked) => {
    const id = idIn(asked.request);
    await recordQueryIn(asked, type, 'nothing');
    const data = await asked.services.db.read((tx) =>
      linkageOf(tx, asked.caller.viewer, type, id, name),
    );
    const own = addressOf(type, id);
    const links = { self: `${own}/relationships/${wireName}`, related: `${own}/${wireName}` };
    return { jsonapi: JSONAPI, data, links };
  };
