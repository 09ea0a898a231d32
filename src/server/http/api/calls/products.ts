import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { newId } from '#base/id.ts';
import type { DataDocument } from '#protocol/document.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import type { Tx } from '../../../db/database.ts';
import { settle } from '../../../db/settle.ts';
import type { Parts } from '../../../domain/parts.ts';
import { actionsOffered, isAction } from '../../../domain/writes/actions.ts';
import { answering, idIn, parametersIn, questionIn } from '../asked.ts';
import type { Answer, Asked } from '../asked.ts';
import { carryOutCall } from '../call.ts';
import { objectAt, parseRecord } from '../../../domain/writes/document.ts';
import { showWithIncluded } from '../include.ts';
import { perform } from '../../../domain/writes/perform.ts';
import { JSONAPI, presentRecord } from '#protocol/present.ts';
import { LISTED } from '../../../access/query/query-sql.ts';
import { parseQuery } from '../query/parse.ts';
import { answerRecord, requireSeen } from '../reading.ts';
import { seenRecords } from '../../../access/seen.ts';
import { inOrder } from '../../../domain/workflow/transitions.ts';

const URL = '/api/products/:id';

/** History and actions of one product (wire 11.6). */
export function productRoutes(app: FastifyInstance, parts: Parts): void {
  const get = (url: string, answer: Answer) =>
    app.route({ method: 'GET', url, handler: answering(parts, answer) });
  get(`${URL}/transitions`, transitions);
  get(`${URL}/transitions/active`, activeTransition);
  get(`${URL}/actions`, actions);
  app.route({ method: 'POST', url: `${URL}/actions/:name`, handler: answering(parts, run) });
}

/** Those done, then those to come. */
const transitions: Answer = async (asked) => {
  const { query } = await questionIn(asked, 'productTransition', 'record');
  const { viewer } = asked.caller;
  return asked.parts.db.read(async (tx) => {
    const records = await transitionsOf(tx, asked);
    const shown = await showWithIncluded(tx, viewer, 'productTransition', records, query);
    const { data, included } = shown;
    const links = { self: asked.request.url };
    return { jsonapi: JSONAPI, data, ...(included === null ? {} : { included }), links };
  });
};

const activeTransition: Answer = async (asked) => {
  const { query } = await questionIn(asked, 'productTransition', 'record');
  return answerRecord(asked, 'productTransition', query, async (tx) => {
    const all = await transitionsOf(tx, asked);
    const first = all.find(
      ({ transitionType, dateTransition }) => transitionType === 1 && dateTransition === null,
    );
    if (first === undefined) throw new ProblemError({ code: 'not-found' });
    return first;
  });
};

async function transitionsOf(tx: Tx, asked: Asked) {
  const id = idIn(asked.request);
  const { viewer } = asked.caller;
  await requireSeen(tx, viewer, 'product', id);
  const rows = await seenRecords(tx, viewer, 'productTransition', {
    where: [sql<boolean>`${sql.ref(`${LISTED}.product_id`)} = ${id}`],
    order: sql`${sql.ref(`${LISTED}.id`)}`,
  });
  return inOrder(rows as unknown as Of<'productTransition'>[]);
}

const actions: Answer = async (asked) => {
  await questionIn(asked, 'productAction', 'nothing');
  return asked.parts.db.read((tx) => actionsDocument(tx, asked, idIn(asked.request)));
};

async function actionsDocument(tx: Tx, { caller }: Asked, id: string): Promise<DataDocument> {
  await requireSeen(tx, caller.viewer, 'product', id);
  const product = await tx.one('product', id);
  const names =
    product === null
      ? []
      : await settle(tx, (find) => actionsOffered(caller.viewer, product, find));
  const record = { id, version: 0, actions: names, types: names, product: id };
  return { jsonapi: JSONAPI, data: presentRecord('productAction', record) };
}

/** The same as creating a `product-action-runs` record, but for an unknown name. */
const run: Answer = async (asked) => {
  const id = idIn(asked.request);
  const name = (asked.request.params as { readonly name: string }).name.toLowerCase();
  parseQuery('productAction', parametersIn(asked.request), 'nothing');
  const state = stateIn(asked.request.body);
  await carryOutCall(asked, async (act) => {
    await requireSeen(act.write, act.viewer, 'product', id);
    if (!isAction(name)) throw new ProblemError({ code: 'not-found' });
    const fields = { action: name, product: id, ...(state === undefined ? {} : { state }) };
    const stated = { fields, pointers: {}, manys: {}, problems: [] };
    const { clock, random } = act.parts;
    await perform(act, { op: 'add', type: 'productActionRun', id: newId(clock, random), stated });
    return null;
  });
  return asked.parts.db.read((tx) => actionsDocument(tx, asked, id));
};

/** The state on which the run is based; undefined without a body. */
function stateIn(body: unknown): unknown {
  if (body === undefined || body === null) return undefined;
  const { stated } = parseRecord(objectAt(body, '').data, '/data', 'productActionRun');
  return stated.fields.state;
}
