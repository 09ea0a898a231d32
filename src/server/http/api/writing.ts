import type { DataDocument } from '#protocol/document.ts';
import { wireTypeOf } from '#protocol/names.ts';
import { ProblemError } from '#protocol/problem.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { loadViewer } from '../../access/viewer.ts';
import type { OperationResult } from '../../domain/writes/change-context.ts';
import { idIn, recordQueryIn } from './api-request.ts';
import type { ApiHandler, ApiRequest } from './api-request.ts';
import { performChange } from '../../domain/writes/perform-change.ts';
import { objectAt } from '../../domain/writes/document.ts';
import { changeIdIn, isPreferred, matchIn } from './headers.ts';
import { presentIncluding } from './include.ts';
import type { ParsedOperation } from '../../domain/writes/parsed-operation.ts';
import { documentOf } from './list.ts';
import { parseOperation } from './operation.ts';
import { addressOf, JSONAPI } from '#protocol/present.ts';
import type { Query } from '../../access/query/query.ts';
import { readVisibleByIds } from '../../access/read-visible.ts';

/** `POST /api/{type}` */
export const createOf =
  (type: TypeName): ApiHandler =>
  async (apiRequest) => {
    const { query } = await recordQueryIn(apiRequest, type, 'record');
    const { data } = objectAt(apiRequest.request.body, '');
    const ref = { type: wireTypeOf(type) };
    const done = await performRequest(apiRequest, parseOperation({ op: 'add', ref, data }));
    void apiRequest.reply.code(201);
    if (resourceOf(type).verbs.includes('get')) {
      void apiRequest.reply.header('Location', addressOf(type, done.id));
    }
    return presentResult(apiRequest, done, query);
  };

/** `PATCH /api/{type}/{id}` */
export const changeOf =
  (type: TypeName): ApiHandler =>
  async (apiRequest) => {
    const ref = { type: wireTypeOf(type), id: idIn(apiRequest.request) };
    const { query } = await recordQueryIn(apiRequest, type, 'record');
    const { data, meta } = objectAt(apiRequest.request.body, '');
    const match = matchIn(apiRequest.request, apiRequest.caller);
    const said = { ...baseIn(meta), undo: isPreferred(apiRequest.request, 'undo') };
    const operation = parseOperation({ op: 'update', ref, data, meta: said }, match);
    return presentResult(apiRequest, await performRequest(apiRequest, operation), query);
  };

/** `DELETE /api/{type}/{id}` */
export const eraseOf =
  (type: TypeName): ApiHandler =>
  async (apiRequest) => {
    const ref = { type: wireTypeOf(type), id: idIn(apiRequest.request) };
    await recordQueryIn(apiRequest, type, 'nothing');
    const match = matchIn(apiRequest.request, apiRequest.caller);
    const meta = { undo: isPreferred(apiRequest.request, 'undo') };
    await performRequest(apiRequest, parseOperation({ op: 'remove', ref, meta }, match));
  };

/** `POST`, `PATCH`, `DELETE …/relationships/{relationship}` */
export const relateOf =
  (type: TypeName, wireName: string, op: 'add' | 'update' | 'remove'): ApiHandler =>
  async (apiRequest) => {
    const ref = { type: wireTypeOf(type), id: idIn(apiRequest.request), relationship: wireName };
    await recordQueryIn(apiRequest, type, 'nothing');
    const { data, meta } = objectAt(apiRequest.request.body, '');
    await performRequest(apiRequest, parseOperation({ op, ref, data, meta: baseIn(meta) }));
  };

/** Only the base counts among the members of `meta`; the change's id is a header. */
function baseIn(meta: unknown) {
  return meta === undefined ? undefined : { base: objectAt(meta, '/meta').base };
}

/** Performs a request as the one change that it is. @throws ProblemError its refusal */
async function performRequest(
  apiRequest: ApiRequest,
  operation: ParsedOperation,
): Promise<OperationResult> {
  const { services, caller, request, reply } = apiRequest;
  const change = { id: changeIdIn(request), operations: [operation] };
  const { results, isReplayed } = await performChange(services, caller, change);
  if (isReplayed) void reply.header('Idempotency-Replayed', 'true');
  const [result] = results;
  if (result?.is === 'done') return result.done;
  if (result?.is !== 'refused') throw new ProblemError({ code: 'internal' });
  throw new ProblemError(result.problems, result.headers);
}

async function presentResult(
  { services, caller }: ApiRequest,
  done: OperationResult,
  query: Query,
): Promise<DataDocument> {
  const { type, id, data: answer } = done;
  if (answer !== null) return { jsonapi: JSONAPI, data: answer };
  return services.db.read(async (tx) => {
    const viewer = await loadViewer(tx, caller.user.id);
    const records = await readVisibleByIds(tx, viewer, type, [id]);
    const { data, included } = await presentIncluding(tx, viewer, type, records, query);
    return documentOf(data[0] ?? null, included, { self: addressOf(type, id) });
  });
}
