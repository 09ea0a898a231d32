import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { DataDocument, ResourceObject } from '#protocol/document.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Kind } from '#schema/define.ts';
import type { Services } from '../../../domain/services.ts';
import { routeHandler, parametersIn } from '../api-request.ts';
import type { ApiHandler } from '../api-request.ts';
import { narrowingIn } from '../headers.ts';
import { JSONAPI } from '#protocol/present.ts';
import { pageOf, pagingOf } from '../query/page.ts';
import { refuseMany } from '../query/parse.ts';
import type { PageRange } from '../../../access/query/query.ts';
import type { Operator } from '../../../access/query/query.ts';
import { comparisonOf, valuesOf } from '../query/value.ts';

/**
 * Events that matter for safety (wire 11.10): they are read here, and written by nobody's request.
 */
export function auditEventRoutes(app: FastifyInstance, services: Services): void {
  app.route({ method: 'GET', url: paths.auditEvents, handler: routeHandler(services, list) });
}

const list: ApiHandler = async ({ services, caller, request }): Promise<DataDocument> => {
  const { viewer } = caller;
  await narrowingIn(services, caller, request);
  if (!viewer.isSuperAdmin && viewer.adminOf.size === 0)
    throw new ProblemError({ code: 'forbidden' });
  const parameters = parametersIn(request);
  const { where, isAscending, page } = questionIn(parameters);
  const seen = sql.join([seenBy(viewer), ...where], sql` and `);
  return services.db.read(async (tx) => {
    const [counted] = await tx.query(sql<{ readonly count: number }>`select count(*) as count from (
      select from audit_events where ${seen} limit ${limits.auditEventsCounted + 1}) as counted`);
    const direction = isAscending ? sql`asc` : sql`desc`;
    const rows = await tx.query(
      sql<Row>`select * from audit_events where ${seen} order by at ${direction}, n ${direction}
        limit ${page.size} offset ${(page.number - 1) * page.size}`,
    );
    const data = rows.map((row) => presented(row, viewer));
    return { jsonapi: JSONAPI, data, ...paged(request.url, page, counted?.count ?? 0) };
  });
};

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly organization_id: string | null;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
}

/**
 * An address reveals where somebody lives and works: only super admins, and the person it belongs
 * to, see it.
 */
function presented(row: Row, viewer: Viewer): ResourceObject {
  const mayKnow = viewer.isSuperAdmin || row.actor_id === viewer.id;
  return {
    type: 'audit-events',
    id: row.id,
    attributes: {
      kind: row.kind,
      at: row.at,
      'actor-name': row.actor_name,
      'actor-id': row.actor_id,
      'organization-id': row.organization_id,
      'subject-type': row.subject_type,
      'subject-id': row.subject_id,
      'subject-name': row.subject_name,
      before: row.before,
      after: row.after,
      address: mayKnow ? row.address : null,
    },
  };
}

function seenBy(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.isSuperAdmin) return sql<boolean>`true`;
  return sql<boolean>`organization_id = any(${[...viewer.adminOf]}::uuid[])`;
}

interface Filtered {
  readonly column: string;
  readonly kind: Kind;
  readonly operators: readonly Operator[];
}

const EQUAL: readonly Operator[] = ['eq', 'in'];
const filters: Readonly<Record<string, Filtered>> = {
  'filter[kind]': { column: 'kind', kind: 'line', operators: EQUAL },
  'filter[actor-id]': { column: 'actor_id', kind: 'uuid', operators: EQUAL },
  'filter[subject-type]': { column: 'subject_type', kind: 'line', operators: EQUAL },
  'filter[subject-id]': { column: 'subject_id', kind: 'uuid', operators: EQUAL },
  'filter[organization-id]': { column: 'organization_id', kind: 'uuid', operators: EQUAL },
  'filter[at]': { column: 'at', kind: 'instant', operators: ['ge', 'le'] },
};

const PAGE = /^page\[(offset|limit|number|size)\]$/;

interface Question {
  readonly where: readonly RawBuilder<boolean>[];
  readonly isAscending: boolean;
  readonly page: PageRange;
}

/** @throws ProblemError 400 `unknown-parameter`, `invalid-parameter` */
function questionIn(parameters: URLSearchParams): Question {
  refuseMany(parameters);
  const where: RawBuilder<boolean>[] = [];
  for (const [name, text] of parameters) {
    const isFilter = /^filter\[[^\]]*\]$/.test(name);
    if (isFilter) where.push(conditionOf(name, text));
    else if (name !== 'sort' && !PAGE.test(name)) {
      const isKnown = /^page\[[^\]]*\]$/.test(name);
      if (isKnown) throw invalidParameter(name);
      throw new ProblemError({ code: 'unknown-parameter', source: { parameter: name } });
    }
  }
  const [sort = '-at', ...more] = parameters.getAll('sort');
  if (more.length > 0 || (sort !== '-at' && sort !== 'at')) throw invalidParameter('sort');
  return { where, isAscending: sort === 'at', page: pageOf(parameters) };
}

function conditionOf(name: string, text: string): RawBuilder<boolean> {
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (filter === undefined) throw invalidParameter(name);
  const { operator, rest } = comparisonOf(text);
  const path = { via: null, type: 'user', field: name, kind: filter.kind, choices: null } as const;
  const values = filter.operators.includes(operator) ? valuesOf(operator, rest, path) : null;
  if (values === null) throw invalidParameter(name);
  const column = sql.id(filter.column);
  const [value] = values;
  if (operator === 'ge') return sql<boolean>`${column} >= ${value}::timestamptz`;
  if (operator === 'le') return sql<boolean>`${column} <= ${value}::timestamptz`;
  return sql<boolean>`${column} in (${sql.join(values)})`;
}

function invalidParameter(parameter: string): ProblemError {
  return new ProblemError({ code: 'invalid-parameter', source: { parameter } });
}

/**
 * Counting ends at 10,000; the answer says if there is more, and a client that wants it asks by
 * `at`.
 */
function paged(
  url: string,
  page: PageRange,
  counted: number,
): Pick<DataDocument, 'meta' | 'links'> {
  const [path = '', query = ''] = url.split('?', 2);
  const isMore = counted > limits.auditEventsCounted;
  const total = Math.min(counted, limits.auditEventsCounted);
  const { meta, links } = pagingOf(path, query, page, total);
  return { links, meta: isMore ? { ...meta, page: { ...meta.page, more: true } } : meta };
}
