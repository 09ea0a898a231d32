import type { DataDocument } from '#protocol/document.ts';
import { wireTypeOf } from '#protocol/names.ts';
import { ProblemError } from '#protocol/problem.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { loadViewer } from '../../access/viewer.ts';
import type { Done } from '../../domain/writes/act.ts';
import { idIn, questionIn } from './asked.ts';
import type { Answer, Asked } from './asked.ts';
import { settleAlone } from '../../domain/writes/change.ts';
import { objectAt } from '../../domain/writes/document.ts';
import { changeIdIn, isPreferred, matchIn } from './headers.ts';
import { showWithIncluded } from './include.ts';
import type { Intention } from '../../domain/writes/intention.ts';
import { documentOf } from './list.ts';
import { parseOperation } from './operation.ts';
import { addressOf, JSONAPI } from '#protocol/present.ts';
import type { Query } from '../../access/query/query.ts';
import { seenByIds } from '../../access/seen.ts';

/** `POST /api/{type}` */
export const createOf =
  (type: TypeName): Answer =>
  async (asked) => {
    const { query } = await questionIn(asked, type, 'record');
    const { data } = objectAt(asked.request.body, '');
    const ref = { type: wireTypeOf(type) };
    const done = await carryOut(asked, parseOperation({ op: 'add', ref, data }));
    void asked.reply.code(201);
    if (resourceOf(type).verbs.includes('get')) {
      void asked.reply.header('Location', addressOf(type, done.id));
    }
    return show(asked, done, query);
  };

/** `PATCH /api/{type}/{id}` */
export const changeOf =
  (type: TypeName): Answer =>
  async (asked) => {
    const ref = { type: wireTypeOf(type), id: idIn(asked.request) };
    const { query } = await questionIn(asked, type, 'record');
    const { data, meta } = objectAt(asked.request.body, '');
    const match = matchIn(asked.request, asked.caller);
    const said = { ...baseIn(meta), undo: isPreferred(asked.request, 'undo') };
    const operation = parseOperation({ op: 'update', ref, data, meta: said }, match);
    return show(asked, await carryOut(asked, operation), query);
  };

/** `DELETE /api/{type}/{id}` */
export const eraseOf =
  (type: TypeName): Answer =>
  async (asked) => {
    const ref = { type: wireTypeOf(type), id: idIn(asked.request) };
    await questionIn(asked, type, 'nothing');
    const match = matchIn(asked.request, asked.caller);
    const meta = { undo: isPreferred(asked.request, 'undo') };
    await carryOut(asked, parseOperation({ op: 'remove', ref, meta }, match));
  };

/** `POST`, `PATCH`, `DELETE …/relationships/{relationship}` */
export const relateOf =
  (type: TypeName, wireName: string, op: 'add' | 'update' | 'remove'): Answer =>
  async (asked) => {
    const ref = { type: wireTypeOf(type), id: idIn(asked.request), relationship: wireName };
    await questionIn(asked, type, 'nothing');
    const { data, meta } = objectAt(asked.request.body, '');
    await carryOut(asked, parseOperation({ op, ref, data, meta: baseIn(meta) }));
  };

/** Of the members of `meta` only the base counts; the change's id is a header. */
function baseIn(meta: unknown) {
  return meta === undefined ? undefined : { base: objectAt(meta, '/meta').base };
}

/** Settles a request as the one change that it is. @throws ProblemError its refusal */
async function carryOut(asked: Asked, intention: Intention): Promise<Done> {
  const { parts, caller, request, reply } = asked;
  const change = { id: changeIdIn(request), intentions: [intention] };
  const { results, isReplayed } = await settleAlone(parts, caller, change);
  if (isReplayed) void reply.header('Idempotency-Replayed', 'true');
  const [result] = results;
  if (result?.is === 'done') return result.done;
  if (result?.is !== 'refused') throw new ProblemError({ code: 'internal' });
  throw new ProblemError(result.problems, result.headers);
}

async function show({ parts, caller }: Asked, done: Done, query: Query): Promise<DataDocument> {
  const { type, id, data: answer } = done;
  if (answer !== null) return { jsonapi: JSONAPI, data: answer };
  return parts.db.read(async (tx) => {
    const viewer = await loadViewer(tx, caller.user.id);
    const records = await seenByIds(tx, viewer, type, [id]);
    const { data, included } = await showWithIncluded(tx, viewer, type, records, query);
    return documentOf(data[0] ?? null, included, { self: addressOf(type, id) });
  });
}
