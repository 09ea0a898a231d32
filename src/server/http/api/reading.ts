import type { DataDocument } from '#protocol/document.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { ToMany, ToOne } from '#schema/define.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { idIn, recordQueryIn } from './api-request.ts';
import type { ApiHandler, ApiRequest } from './api-request.ts';
import { etagOf } from './headers.ts';
import { presentIncluding } from './include.ts';
import { documentOf, listDocument, listScope } from './list.ts';
import { addressOf, JSONAPI } from '#protocol/present.ts';
import type { Query } from '../../access/query/query.ts';
import { LISTED } from '../../access/query/query-sql.ts';
import { readVisibleById } from '../../access/read-visible.ts';
import { linkedSql } from '../../access/scope-sql.ts';
import { linkageOf } from './present-results.ts';

/** `GET /api/{type}` */
export const listOf =
  (type: TypeName): ApiHandler =>
  async (apiRequest) => {
    const { services, caller, request } = apiRequest;
    const { organization, query } = await recordQueryIn(apiRequest, type, 'list');
    const within = listScope(type, caller.viewer, query, organization);
    return services.db.read((tx) =>
      listDocument(tx, caller.viewer, type, query, within, request.url),
    );
  };

/** `GET /api/{type}/{id}` */
export const recordOf =
  (type: TypeName): ApiHandler =>
  async (apiRequest) => {
    const id = idIn(apiRequest.request);
    const { query } = await recordQueryIn(apiRequest, type, 'record');
    return answerRecord(apiRequest, type, query, (tx) =>
      requireVisible(tx, apiRequest.caller.viewer, type, id),
    );
  };

/** Answers with one record, or with `data: null` when there is none. */
export async function answerRecord(
  { services, caller, request, reply }: ApiRequest,
  type: TypeName,
  query: Query,
  find: (tx: DatabaseTransaction) => Promise<AnyRecord | null>,
): Promise<DataDocument> {
  const { document, version } = await services.db.read(async (tx) => {
    const record = await find(tx);
    const records = record === null ? [] : [record];
    const { data, included } = await presentIncluding(tx, caller.viewer, type, records, query);
    const document = documentOf(data[0] ?? null, included, { self: request.url });
    return { document, version: record?.version ?? 0 };
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
  async (apiRequest) => {
    const id = idIn(apiRequest.request);
    const to = field.to as TypeName;
    const { query } = await recordQueryIn(apiRequest, to, 'record');
    const { viewer } = apiRequest.caller;
    return answerRecord(apiRequest, to, query, async (tx) => {
      const target = (await requireVisible(tx, viewer, type, id))[name];
      return typeof target === 'string' ? requireVisible(tx, viewer, to, target) : null;
    });
  };

/** `GET /api/{type}/{id}/{to-many}`; the organization header narrows only `/api/{type}`. */
export const relatedList =
  (type: TypeName, field: ToMany): ApiHandler =>
  async (apiRequest) => {
    const id = idIn(apiRequest.request);
    const of = field.of as TypeName;
    const { query } = await recordQueryIn(apiRequest, of, 'list');
    const { viewer } = apiRequest.caller;
    return apiRequest.services.db.read(async (tx) => {
      await requireVisible(tx, viewer, type, id);
      const within = [linkedSql(of, field.inverse, LISTED, [id], viewer)];
      return listDocument(tx, viewer, of, query, within, apiRequest.request.url);
    });
  };

/** `GET /api/organizations/{id}/users`: its members, as the filter of that name has it. */
export const membersList: ApiHandler = async (apiRequest) => {
  const organization = idIn(apiRequest.request);
  const { query } = await recordQueryIn(apiRequest, 'user', 'list');
  const { viewer } = apiRequest.caller;
  const filters = [...query.filters, { is: 'members-of', organization } as const];
  return apiRequest.services.db.read(async (tx) => {
    await requireVisible(tx, viewer, 'organization', organization);
    return listDocument(tx, viewer, 'user', { ...query, filters }, [], apiRequest.request.url);
  });
};

/** `GET …/relationships/{relationship}` */
export const linkage =
  (type: TypeName, name: string, wireName: string): ApiHandler =>
  async (apiRequest) => {
    const id = idIn(apiRequest.request);
    await recordQueryIn(apiRequest, type, 'nothing');
    const data = await apiRequest.services.db.read((tx) =>
      linkageOf(tx, apiRequest.caller.viewer, type, id, name),
    );
    const own = addressOf(type, id);
    const links = { self: `${own}/relationships/${wireName}`, related: `${own}/${wireName}` };
    return { jsonapi: JSONAPI, data, links };
  };
