import type { FastifyInstance } from 'fastify';
import { ACTIVITY_MOST, activityKinds } from '#protocol/activity.ts';
import type { ActivityKind } from '#protocol/activity.ts';
import type { DataDocument } from '#protocol/document.ts';
import { JSONAPI } from '#protocol/present.ts';
import { ProblemError } from '#protocol/problem.ts';
import { isMemberOf } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { readActivity } from '../../../access/activity/read-activity.ts';
import type { ActivityFilter } from '../../../access/activity/read-activity.ts';
import type { ActivityCursor } from '../../../access/activity/sources.ts';
import type { Services } from '../../../domain/services.ts';
import { idIn, parametersIn, routeHandler } from '../api-request.ts';
import type { ApiHandler } from '../api-request.ts';
import { narrowingIn } from '../headers.ts';
import { refuseMany } from '../query/parse.ts';
import { comparisonOf, instantOf, valuesOf } from '../query/value.ts';
import { requireVisible } from '../reading.ts';

/** What happened to a project and its products (wire 11.15), composed when it is asked for. */
export function activityRoutes(app: FastifyInstance, services: Services): void {
  const url = '/api/projects/:id/activity';
  app.route({ method: 'GET', url, handler: routeHandler(services, list) });
}

const list: ApiHandler = async ({ services, caller, request }): Promise<DataDocument> => {
  const id = idIn(request);
  await narrowingIn(services, caller, request);
  const filter = filterIn(parametersIn(request));
  const { viewer } = caller;
  return services.db.read(async (tx) => {
    const project = (await requireVisible(tx, viewer, 'project', id)) as unknown as Of<'project'>;
    if (!isMemberOf(viewer, project)) throw new ProblemError({ code: 'forbidden' });
    const { lines, next } = await readActivity(tx, viewer, project, filter);
    return {
      jsonapi: JSONAPI,
      data: lines.map((line) => ({ type: 'activity-events', ...line })),
      meta: { page: { before: next === null ? null : `${next.at}_${next.id}` } },
      links: { self: request.url },
    };
  });
};

const PAGE_SIZE = 50;
const KIND = 'filter[kind]';
const PRODUCT = 'filter[product-id]';
const LIMIT = 'page[limit]';
const BEFORE = 'page[before]';
const KNOWN: readonly string[] = [KIND, PRODUCT, LIMIT, BEFORE];

/** @throws ProblemError 400 `unknown-parameter`, `invalid-parameter` */
function filterIn(parameters: URLSearchParams): ActivityFilter {
  refuseMany(parameters);
  for (const name of parameters.keys()) {
    if (!KNOWN.includes(name))
      throw new ProblemError({ code: 'unknown-parameter', source: { parameter: name } });
    if (parameters.getAll(name).length > 1) throw invalidParameter(name);
  }
  const kind = parameters.get(KIND);
  const product = parameters.get(PRODUCT);
  const before = parameters.get(BEFORE);
  return {
    kinds: kind === null ? activityKinds : kindsIn(kind),
    product: product === null ? null : productIn(product),
    limit: limitIn(parameters.get(LIMIT)),
    before: before === null ? null : cursorIn(before),
  };
}

const PATH = { via: null, type: 'project', choices: null } as const;

function kindsIn(text: string): readonly ActivityKind[] {
  const { operator, rest } = comparisonOf(text);
  const isKnown = operator === 'eq' || operator === 'in';
  const path = { ...PATH, field: 'kind', kind: 'line' } as const;
  const named = new Set(isKnown ? (valuesOf(operator, rest, path) ?? []) : []);
  const kinds = activityKinds.filter((kind) => named.has(kind));
  if (kinds.length === 0 || kinds.length < named.size) throw invalidParameter(KIND);
  return kinds;
}

function productIn(text: string): string {
  const { operator, rest } = comparisonOf(text);
  const path = { ...PATH, field: 'product', kind: 'uuid' } as const;
  const [id] = operator === 'eq' ? (valuesOf(operator, rest, path) ?? []) : [];
  if (typeof id !== 'string') throw invalidParameter(PRODUCT);
  return id;
}

function limitIn(text: string | null): number {
  if (text === null) return PAGE_SIZE;
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > ACTIVITY_MOST) throw invalidParameter(LIMIT);
  return limit;
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([a-z0-9-]{1,64})$/;

function cursorIn(text: string): ActivityCursor {
  const [, at, id] = text.length > 100 ? [] : (CURSOR.exec(text) ?? []);
  if (at === undefined || id === undefined || instantOf(at) !== at) throw invalidParameter(BEFORE);
  return { at, id };
}

function invalidParameter(parameter: string): ProblemError {
  return new ProblemError({ code: 'invalid-parameter', source: { parameter } });
}
