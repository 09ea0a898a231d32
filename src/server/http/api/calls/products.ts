import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { newId } from '#base/id.ts';
import type { DataDocument } from '#protocol/document.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { evaluateRule } from '../../../db/evaluate-rule.ts';
import type { Services } from '../../../domain/services.ts';
import { actionsOffered, isAction } from '../../../domain/writes/actions.ts';
import { routeHandler, idIn, parametersIn, recordQueryIn } from '../api-request.ts';
import type { ApiHandler, ApiRequest } from '../api-request.ts';
import { handleCall } from '../handle-call.ts';
import { objectAt, parseRecord } from '../../../domain/writes/document.ts';
import type { Stated } from '../../../domain/writes/document.ts';
import { presentIncluding } from '../include.ts';
import { performOperation } from '../../../domain/writes/perform-operation.ts';
import { JSONAPI, presentRecord } from '#protocol/present.ts';
import { LISTED } from '../../../access/query/query-sql.ts';
import { parseQuery } from '../query/parse.ts';
import { answerRecord, requireVisible } from '../reading.ts';
import { readVisible } from '../../../access/read-visible.ts';
import { inOrder } from '../../../domain/workflow/transitions.ts';

const URL = '/api/products/:id';

/** History and actions of one product (wire 11.6). */
export function productRoutes(app: FastifyInstance, services: Services): void {
  const get = (url: string, answer: ApiHandler) =>
    app.route({ method: 'GET', url, handler: routeHandler(services, answer) });
  get(`${URL}/transitions`, transitions);
  get(`${URL}/transitions/active`, activeTransition);
  get(`${URL}/actions`, actions);
  app.route({ method: 'POST', url: `${URL}/actions/:name`, handler: routeHandler(services, run) });
}

/** Returns the transitions that are done, then those to come. */
const transitions: ApiHandler = async (apiRequest) => {
  const { query } = await recordQueryIn(apiRequest, 'productTransition', 'record');
  const { viewer } = apiRequest.caller;
  return apiRequest.services.db.read(async (tx) => {
    const records = await transitionsOf(tx, apiRequest);
    const presented = await presentIncluding(tx, viewer, 'productTransition', records, query);
    const { data, included } = presented;
    const links = { self: apiRequest.request.url };
    return { jsonapi: JSONAPI, data, ...(included === null ? {} : { included }), links };
  });
};

const activeTransition: ApiHandler = async (apiRequest) => {
  const { query } = await recordQueryIn(apiRequest, 'productTransition', 'record');
  return answerRecord(apiRequest, 'productTransition', query, async (tx) => {
    const all = await transitionsOf(tx, apiRequest);
    const first = all.find(
      ({ transitionType, dateTransition }) => transitionType === 1 && dateTransition === null,
    );
    if (first === undefined) throw new ProblemError({ code: 'not-found' });
    return first;
  });
};

async function transitionsOf(tx: DatabaseTransaction, apiRequest: ApiRequest) {
  const id = idIn(apiRequest.request);
  const { viewer } = apiRequest.caller;
  await requireVisible(tx, viewer, 'product', id);
  const rows = await readVisible(tx, viewer, 'productTransition', {
    where: [sql<boolean>`${sql.ref(`${LISTED}.product_id`)} = ${id}`],
    order: sql`${sql.ref(`${LISTED}.id`)}`,
  });
  return inOrder(rows as unknown as Of<'productTransition'>[]);
}

const actions: ApiHandler = async (apiRequest) => {
  await recordQueryIn(apiRequest, 'productAction', 'nothing');
  return apiRequest.services.db.read((tx) =>
    actionsDocument(tx, apiRequest, idIn(apiRequest.request)),
  );
};

async function actionsDocument(
  tx: DatabaseTransaction,
  { caller }: ApiRequest,
  id: string,
): Promise<DataDocument> {
  await requireVisible(tx, caller.viewer, 'product', id);
  const product = await tx.one('product', id);
  const names =
    product === null
      ? []
      : await evaluateRule(tx, (find) => actionsOffered(caller.viewer, product, find));
  const record = { id, version: 0, actions: names, types: names, product: id };
  return { jsonapi: JSONAPI, data: presentRecord('productAction', record) };
}

/** Does the same as creating a `product-action-runs` record, but for an unknown name. */
const run: ApiHandler = async (apiRequest) => {
  const id = idIn(apiRequest.request);
  const name = (apiRequest.request.params as { readonly name: string }).name.toLowerCase();
  parseQuery('productAction', parametersIn(apiRequest.request), 'nothing');
  const based = basisIn(apiRequest.request.body);
  await handleCall(apiRequest, async (context) => {
    await requireVisible(context.write, context.viewer, 'product', id);
    if (!isAction(name)) throw new ProblemError({ code: 'not-found' });
    const fields = { ...based.fields, action: name, product: id };
    const stated = { ...based, fields, manys: {} };
    const { clock, random } = context.services;
    await performOperation(context, {
      op: 'add',
      type: 'productActionRun',
      id: newId(clock, random),
      stated,
    });
    return null;
  });
  return apiRequest.services.db.read((tx) => actionsDocument(tx, apiRequest, id));
};

/**
 * Returns on what the run is based, and what it rolls back to; nothing without a body. What is wrong
 * with its form is refused with the run: it would be another one without.
 */
function basisIn(body: unknown): Omit<Stated, 'manys'> {
  if (body === undefined || body === null) return { fields: {}, pointers: {}, problems: [] };
  const { stated } = parseRecord(objectAt(body, '').data, '/data', 'productActionRun');
  const { fields, pointers, problems } = stated;
  const taken = Object.entries(fields).filter(([name]) => BASIS.has(name));
  return { fields: Object.fromEntries(taken), pointers, problems };
}

const BASIS: ReadonlySet<string> = new Set(['state', 'build', 'insteadOf']);
