import { limits, VERSION } from '#protocol/limits.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { problems } from '#protocol/problem.ts';
import { attributesOf, resourceOf, toManysOf, toOnesOf, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Verb } from '#schema/define.ts';
import { calls } from './calls.ts';
import type { ApiCall } from './calls.ts';
import {
  arrayOf,
  attributeSchema,
  constant,
  id,
  object,
  orNull,
  ref,
  relationshipSchema,
  string,
} from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** One request that can be made, with what is sent and answered. */
export interface ApiOperation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly [];
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<string, string>>;
  readonly security: readonly JsonSchema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
  };
}

const JSON_API = 'application/vnd.api+json';

const DESCRIPTION = `A JSON:API 1.1 with the token of a sign-in. Attributes are spelt with dashes, ids are UUIDs that clients choose, moments are ISO 8601 in UTC. Every refusal is an error document whose code is stable. A change takes an id of its own (Idempotency-Key, meta.id): sent again it is done once. The hub at /hubs/data speaks SignalR and brings what /api/changes would.`;

/** The API as OpenAPI 3.1: resources from the schema, and the other calls from their table. */
export function openApi(): OpenApi {
  const paths: Record<string, Record<string, ApiOperation>> = {};
  const add = (path: string, method: string, operation: ApiOperation) => {
    (paths[path] ??= {})[method] = operation;
  };
  for (const type of typeNames) addResource(type, add);
  for (const call of calls) add(call.path, call.method, operationOf(call));
  return {
    openapi: '3.1.0',
    info: { title: 'Slipway', version: VERSION, description: DESCRIPTION },
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(typeNames.flatMap((type) => Object.entries(schemasOf(type)))),
        ...common,
      },
      parameters,
      responses: {
        Problem: {
          description: `A refusal. Codes: ${Object.keys(problems).join(', ')}.`,
          content: { [JSON_API]: { schema: ref('Errors') } },
        },
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

type Add = (path: string, method: string, operation: ApiOperation) => void;

/** What `resources.ts` routes of a type. */
function addResource(type: TypeName, add: Add): void {
  const { verbs, isCreatedByCall } = resourceOf(type);
  const wire = wireTypeOf(type);
  const url = `/api/${wire}`;
  const knows = (verb: Verb) => verbs.includes(verb);
  const on = (
    path: string,
    method: string,
    summary: string,
    more: Partial<Pick<ApiCall, 'query' | 'body' | 'answer' | 'status'>>,
  ) => {
    add(path, method, {
      ...operationOf({ method: 'get', path, summary, answer: null, ...more, tag: wire }),
    });
  };
  const one = document(ref(wire));
  const many = object(
    {
      jsonapi: ref('JsonApi'),
      data: arrayOf(ref(wire)),
      links: ref('Links'),
      meta: ref('PageMeta'),
    },
    ['links', 'meta'],
  );
  const listed = ['filter', 'sort', 'include', 'fields', 'page', 'Organization'];
  const read = ['include', 'fields'];
  const sent = (schema: string) =>
    object({ data: ref(schema), meta: object({ base: ref('Base') }, ['base']) }, ['meta']);
  if (knows('list')) on(url, 'get', `Lists ${wire}`, { query: listed, answer: many });
  if (knows('create') && !isCreatedByCall)
    on(url, 'post', `Creates one of ${wire}`, {
      query: ['Idempotency-Key'],
      body: sent(`${wire}.create`),
      answer: one,
      status: 201,
    });
  const record = `${url}/{id}`;
  if (knows('get')) on(record, 'get', `Gives one of ${wire}`, { query: read, answer: one });
  if (knows('update'))
    on(record, 'patch', `Changes one of ${wire}`, {
      query: ['Idempotency-Key', 'If-Match'],
      body: sent(`${wire}.update`),
      // Whoever stops the sharing of another's record does not see it any more.
      answer: document(orNull(ref(wire))),
    });
  if (knows('delete'))
    on(record, 'delete', `Removes one of ${wire}`, { query: ['Idempotency-Key', 'If-Match'] });
  if (resourceOf(type).isStored) addRelationships(type, record, on);
}

function addRelationships(
  type: TypeName,
  record: string,
  on: (
    path: string,
    method: string,
    summary: string,
    more: Partial<Pick<ApiCall, 'query' | 'body' | 'answer'>>,
  ) => void,
): void {
  const isUpdated = resourceOf(type).verbs.includes('update');
  const linked = object({ data: ref('Linkage'), links: ref('Links') }, ['links']);
  const body = object({ data: ref('Linkage') });
  for (const [name, field] of [...toOnesOf(type), ...toManysOf(type)]) {
    const wire = wireFieldOf(type, name);
    const isMany = field.is === 'many';
    const of = ref(wireTypeOf(isMany ? field.of : field.to));
    const data = isMany ? arrayOf(of) : orNull(of);
    const query = isMany ? ['filter', 'sort', 'include', 'fields', 'page'] : ['include', 'fields'];
    on(`${record}/${wire}`, 'get', `Gives the ${wire} of a record`, {
      query,
      answer: object({ jsonapi: ref('JsonApi'), data }),
    });
    const address = `${record}/relationships/${wire}`;
    on(address, 'get', `Gives the linkage of ${wire}`, { answer: linked });
    if (!isUpdated) continue;
    on(address, 'patch', `Replaces the linkage of ${wire}`, { query: ['Idempotency-Key'], body });
    if (!isMany) continue;
    on(address, 'post', `Adds to the linkage of ${wire}`, { query: ['Idempotency-Key'], body });
    on(address, 'delete', `Takes from the linkage of ${wire}`, {
      query: ['Idempotency-Key'],
      body,
    });
  }
}

function operationOf(call: ApiCall): ApiOperation {
  const { path, summary, tag, isPublic, body, isBodyOptional, isPlainJson, answer, status } = call;
  const { query = [] } = call;
  const media = isPlainJson ? 'application/json' : JSON_API;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: string(),
  }));
  return {
    summary,
    tags: [tag],
    ...(isPublic ? { security: [] as const } : {}),
    parameters: [...inPath, ...query.map((name) => ({ $ref: `#/components/parameters/${name}` }))],
    ...(body === undefined ? {} : { requestBody: bodyOf(body, media, isBodyOptional !== true) }),
    responses: {
      ...answersOf(answer, media, status ?? 200),
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

function bodyOf(body: NonNullable<ApiCall['body']>, media: string, required: boolean): JsonSchema {
  const content =
    body === 'zip' ? { 'application/zip': { schema: {} } } : { [media]: { schema: body } };
  return { required, content };
}

const COMPLETE = {
  'X-Log-Complete': {
    description: 'true: this answer reaches the end of a log that does not grow any more.',
    schema: string({ enum: ['true', 'false'] }),
  },
};
const NOTHING_NEW = { description: 'There is nothing from there on yet', headers: COMPLETE };
const PART_OF_LOG = {
  description: 'Whole lines from there on, at most 256 KiB',
  headers: COMPLETE,
  content: { '*/*': { schema: {} } },
};

function answersOf(
  answer: ApiCall['answer'],
  media: string,
  status: number,
): Readonly<Record<string, JsonSchema>> {
  if (answer === null) return { 204: { description: 'Done' } };
  if (answer === 'file' || answer === 'log')
    return {
      ...(answer === 'log' ? { 204: NOTHING_NEW, 206: PART_OF_LOG } : {}),
      200: { description: 'The bytes', content: { '*/*': { schema: {} } } },
      302: { description: 'They are at another address' },
    };
  return { [status]: { description: 'Done', content: { [media]: { schema: answer } } } };
}

const document = (data: JsonSchema): JsonSchema =>
  object(
    {
      jsonapi: ref('JsonApi'),
      data,
      included: arrayOf(ref('Resource')),
      links: ref('Links'),
    },
    ['included', 'links'],
  );

/** A type as it is read, and what a client states when it creates or changes one. */
function schemasOf(type: TypeName): Readonly<Record<string, JsonSchema>> {
  const { verbs, isStored } = resourceOf(type);
  const wire = wireTypeOf(type);
  const named = (fields: readonly (readonly [string, JsonSchema])[]) =>
    Object.fromEntries(fields.map(([name, schema]) => [wireFieldOf(type, name), schema]));
  const moment = orNull(string({ format: 'date-time' }));
  const read = {
    ...named(
      attributesOf(type).flatMap(([name, field]) =>
        // A field that hides is null for who may not see it.
        field.isWriteOnly ? [] : [[name, orNull(attributeSchema(field))] as const],
      ),
    ),
    ...(isStored ? { 'date-created': moment, 'date-updated': moment } : {}),
  };
  const linked = named([
    ...toOnesOf(type).map(
      ([name, field]) => [name, relationshipSchema({ ...field, nullable: true })] as const,
    ),
    ...toManysOf(type).map(([name, field]) => [name, relationshipSchema(field)] as const),
  ]);
  const stated = (when: 'create' | 'update'): JsonSchema => {
    const may = (write: string) => write === 'always' || write === when;
    const attributes = attributesOf(type).filter(([, { write }]) => may(write));
    const links = toOnesOf(type).filter(([, { write }]) => may(write));
    const needed = (fields: readonly (readonly [string, { readonly mustHave: boolean }])[]) =>
      when === 'update'
        ? []
        : fields.flatMap(([name, { mustHave }]) => (mustHave ? [wireFieldOf(type, name)] : []));
    const part = (all: Readonly<Record<string, JsonSchema>>, must: readonly string[]) =>
      object(
        all,
        Object.keys(all).filter((name) => !must.includes(name)),
      );
    const mustBe = [needed(attributes), needed(links)] as const;
    const optional = [
      ...(when === 'create' ? ['id'] : []),
      ...(mustBe[0].length > 0 ? [] : ['attributes']),
      ...(mustBe[1].length > 0 ? [] : ['relationships']),
    ];
    return object(
      {
        type: constant(wire),
        id,
        attributes: part(
          named(attributes.map(([name, field]) => [name, attributeSchema(field)])),
          mustBe[0],
        ),
        relationships: part(
          named(links.map(([name, field]) => [name, relationshipSchema(field)])),
          mustBe[1],
        ),
      },
      optional,
    );
  };
  return {
    [wire]: object(
      {
        type: constant(wire),
        id: string(),
        attributes: object(read, Object.keys(read)),
        relationships: object(linked, Object.keys(linked)),
        meta: object({ version: { type: 'integer' } }),
      },
      ['attributes', 'relationships', 'meta'],
    ),
    ...(verbs.includes('create') ? { [`${wire}.create`]: stated('create') } : {}),
    ...(verbs.includes('update') ? { [`${wire}.update`]: stated('update') } : {}),
  };
}

const common: Readonly<Record<string, JsonSchema>> = {
  JsonApi: object({ version: constant('1.1') }),
  Links: { type: 'object', additionalProperties: orNull(string()) },
  PageMeta: object({ 'total-records': { type: 'integer' }, page: { type: 'object' } }),
  Identifier: object({ type: string(), id: string() }),
  Linkage: { anyOf: [orNull(ref('Identifier')), arrayOf(ref('Identifier'))] },
  Resource: { anyOf: typeNames.map((type) => ref(wireTypeOf(type))) },
  Base: {
    ...object({ attributes: { type: 'object' }, relationships: { type: 'object' } }, [
      'attributes',
      'relationships',
    ]),
    description:
      'Fields as the person saw them: another value on the server is 409 changed-elsewhere.',
  },
  Operation: object(
    {
      op: string({ enum: ['add', 'update', 'remove', 'get'] }),
      ref: object({ type: string(), id: string(), relationship: string() }, ['id', 'relationship']),
      data: { anyOf: [{ type: 'object' }, ref('Linkage')] },
      meta: object({ id, base: ref('Base'), undo: constant(true) }, ['id', 'base', 'undo']),
    },
    ['ref', 'data', 'meta'],
  ),
  Verdict: object(
    {
      op: string(),
      ref: { type: 'object' },
      data: { anyOf: [ref('Resource'), ref('Linkage')] },
      errors: arrayOf(ref('Error')),
      meta: object(
        { id, status: { type: 'integer' }, version: { type: 'integer' }, replayed: constant(true) },
        ['id', 'version', 'replayed'],
      ),
    },
    ['ref', 'data', 'errors'],
  ),
  Feed: object({
    jsonapi: ref('JsonApi'),
    operations: arrayOf(
      object(
        {
          op: string({ enum: ['add', 'update', 'remove'] }),
          data: ref('Resource'),
          ref: ref('Identifier'),
        },
        ['data', 'ref'],
      ),
    ),
    meta: object(
      {
        cursor: string(),
        more: { type: 'boolean' },
        phase: string({ enum: ['snapshot', 'feed'] }),
        done: { type: 'integer' },
        total: { type: 'integer' },
      },
      ['done', 'total'],
    ),
  }),
  Error: object(
    {
      id: string(),
      status: string(),
      code: string({ enum: Object.keys(problems) }),
      title: string(),
      detail: string(),
      source: { type: 'object' },
      meta: { type: 'object' },
    },
    ['detail', 'source', 'meta'],
  ),
  Errors: object({ jsonapi: ref('JsonApi'), errors: arrayOf(ref('Error')) }),
};

const inQuery = (name: string, description: string, schema: JsonSchema = string()): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema,
});
const inHeader = (
  name: string,
  description: string,
  schema: JsonSchema = string(),
): JsonSchema => ({
  name,
  in: 'header',
  description,
  schema,
});
/** `filter[name]=…`, as OpenAPI has it. */
const byName = (name: string, description: string): JsonSchema => ({
  ...inQuery(name, description, { type: 'object', additionalProperties: string() }),
  style: 'deepObject',
});

const parameters: Readonly<Record<string, JsonSchema>> = {
  filter: byName(
    'filter',
    'By attribute or to-one: op:value, with eq, ne, lt, le, gt, ge, like, in, nin, isnull, isnotnull; a bare value means eq.',
  ),
  sort: inQuery('sort', 'A comma list; - in front descends.'),
  include: inQuery('include', 'A comma list of dotted paths of relationships, at most 6 deep.'),
  fields: byName('fields', 'Of each type a comma list of the fields to give.'),
  page: byName(
    'page',
    `offset, the number of the page from 1, and limit, its size, at most ${limits.pageSizeMost}.`,
  ),
  since: inQuery('since', 'The cursor of the last page; without it, from the beginning.'),
  answered: inQuery('answered', 'Commits that answers have named and the feed has not confirmed.'),
  limit: inQuery('limit', 'How many records a page has at most.', {
    type: 'integer',
    minimum: 1,
    maximum: limits.feedPageMost,
  }),
  handling: inHeader('Prefer', 'handling=lenient: each change by itself; else all or none.'),
  Organization: inHeader('Organization', 'Narrows lists to one organization.', id),
  'Idempotency-Key': inHeader(
    'Idempotency-Key',
    'The id of this change; sent again it is done once.',
    id,
  ),
  Range: inHeader('Range', 'bytes=n-: the part of a log from that byte on, while it grows too.'),
  'If-Range': inHeader(
    'If-Range',
    'The ETag of the parts read before; of another log all is sent.',
  ),
  'If-Match': inHeader('If-Match', 'The ETag of the version to change; another is 412.'),
};
