import { sql } from 'kysely';
import type { DataDocument } from '#protocol/document.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { ToMany, ToOne } from '#schema/define.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { Tx } from '../../db/database.ts';
import { columnOf } from '../../db/tables.ts';
import { idIn, questionIn } from './asked.ts';
import type { Answer, Asked } from './asked.ts';
import { etagOf } from './headers.ts';
import { showWithIncluded } from './include.ts';
import { documentOf, listDocument, listScope } from './list.ts';
import { addressOf, JSONAPI } from '#protocol/present.ts';
import type { Query } from '../../access/query/query.ts';
import { LISTED } from '../../access/query/query-sql.ts';
import { seenOne } from '../../access/seen.ts';
import { linkageOf } from './shown.ts';

/** `GET /api/{type}` */
export const listOf =
  (type: TypeName): Answer =>
  async (asked) => {
    const { parts, caller, request } = asked;
    const { organization, query } = await questionIn(asked, type, 'list');
    const within = listScope(type, caller.viewer, query, organization);
    return parts.db.read((tx) => listDocument(tx, caller.viewer, type, query, within, request.url));
  };

/** `GET /api/{type}/{id}` */
export const recordOf =
  (type: TypeName): Answer =>
  async (asked) => {
    const id = idIn(asked.request);
    const { query } = await questionIn(asked, type, 'record');
    return answerRecord(asked, type, query, (tx) => requireSeen(tx, asked.caller.viewer, type, id));
  };

/** Answers with one record, or with `data: null` when there is none. */
export async function answerRecord(
  { parts, caller, request, reply }: Asked,
  type: TypeName,
  query: Query,
  find: (tx: Tx) => Promise<AnyRecord | null>,
): Promise<DataDocument> {
  const { document, version } = await parts.db.read(async (tx) => {
    const record = await find(tx);
    const records = record === null ? [] : [record];
    const { data, included } = await showWithIncluded(tx, caller.viewer, type, records, query);
    const shown = documentOf(data[0] ?? null, included, { self: request.url });
    return { document: shown, version: record?.version ?? 0 };
  });
  void reply.header('ETag', etagOf(caller, version, document));
  return document;
}

export async function requireSeen(
  tx: Tx,
  viewer: Viewer,
  type: TypeName,
  id: string,
): Promise<AnyRecord> {
  const record = await seenOne(tx, viewer, type, id);
  if (record === null) throw new ProblemError({ code: 'not-found' });
  return record;
}

/** `GET /api/{type}/{id}/{to-one}`; a target that the caller does not see is 404. */
export const relatedRecord =
  (type: TypeName, name: string, field: ToOne): Answer =>
  async (asked) => {
    const id = idIn(asked.request);
    const to = field.to as TypeName;
    const { query } = await questionIn(asked, to, 'record');
    const { viewer } = asked.caller;
    return answerRecord(asked, to, query, async (tx) => {
      const target = (await requireSeen(tx, viewer, type, id))[name];
      return typeof target === 'string' ? requireSeen(tx, viewer, to, target) : null;
    });
  };

/** `GET /api/{type}/{id}/{to-many}`; the organization header narrows only `/api/{type}`. */
export const relatedList =
  (type: TypeName, field: ToMany): Answer =>
  async (asked) => {
    const id = idIn(asked.request);
    const of = field.of as TypeName;
    const { query } = await questionIn(asked, of, 'list');
    const { viewer } = asked.caller;
    return asked.parts.db.read(async (tx) => {
      await requireSeen(tx, viewer, type, id);
      const parent = sql.ref(`${LISTED}.${columnOf(of, field.inverse)}`);
      const within = [sql<boolean>`${parent} = ${id}`];
      return listDocument(tx, viewer, of, query, within, asked.request.url);
    });
  };

/** `GET /api/organizations/{id}/users`: its members, as the filter of that name has it. */
export const membersList: Answer = async (asked) => {
  const organization = idIn(asked.request);
  const { query } = await questionIn(asked, 'user', 'list');
  const { viewer } = asked.caller;
  const filters = [...query.filters, { is: 'members-of', organization } as const];
  return asked.parts.db.read(async (tx) => {
    await requireSeen(tx, viewer, 'organization', organization);
    return listDocument(tx, viewer, 'user', { ...query, filters }, [], asked.request.url);
  });
};

/** `GET …/relationships/{relationship}` */
export const linkage =
  (type: TypeName, name: string, wireName: string): Answer =>
  async (asked) => {
    const id = idIn(asked.request);
    await questionIn(asked, type, 'nothing');
    const data = await asked.parts.db.read((tx) =>
      linkageOf(tx, asked.caller.viewer, type, id, name),
    );
    const own = addressOf(type, id);
    const links = { self: `${own}/relationships/${wireName}`, related: `${own}/${wireName}` };
    return { jsonapi: JSONAPI, data, links };
  };
