import { buildFiguresPath } from '#protocol/builds/build-figures.ts';
import { DATA_EXPORT } from '#protocol/data-export.ts';
import { paths } from '#protocol/paths.ts';
import { secondFactorPath } from '#protocol/second-factor.ts';
import { jobPaths } from '#protocol/jobs.ts';
import { packageNamePaths } from '#protocol/package-names.ts';
import { limits } from '#protocol/limits.ts';
import { arrayOf, id, object, orNull, ref, string } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** A call that is no create, read, update or delete of a resource. */
export interface ApiCall {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly summary: string;
  /** What it is about, for the table of contents. */
  readonly tag: string;
  readonly isPublic?: true;
  /** The JSON that is sent; `zip`: a file. */
  readonly body?: JsonSchema | 'zip';
  readonly isBodyOptional?: true;
  /** JSON of our own instead of a JSON:API document. */
  readonly isPlainJson?: true;
  /** `null`: nothing, 204; `file`: bytes, or a redirect to them; `log`: also the part asked for. */
  readonly answer: JsonSchema | null | 'file' | 'log';
  readonly status?: 200 | 201;
  readonly query?: readonly string[];
}

const document = (of: string): JsonSchema => object({ jsonapi: ref('JsonApi'), data: ref(of) });
const listOf = (of: string): JsonSchema =>
  object({ jsonapi: ref('JsonApi'), data: arrayOf(ref(of)) });
const link = object({
  url: string(),
  expiresAt: orNull(string({ format: 'date-time' })),
  filename: string(),
  sizeBytes: orNull({ type: 'integer' }),
});
const count: JsonSchema = { type: 'integer', minimum: 0 };
const changeCounts = { added: count, changed: count, removed: count };
const contentChanges = object({
  ...changeCounts,
  files: arrayOf(
    object({
      path: string(),
      is: string({ enum: ['added', 'changed', 'removed'] }),
      sizeBytes: count,
    }),
    { maxItems: 500 },
  ),
});
const uploads = object({
  uploads: arrayOf(
    object({
      number: { type: 'integer' },
      sizeBytes: { type: 'integer' },
      at: string({ format: 'date-time' }),
      by: orNull(id),
      filename: orNull(string()),
      isSample: { type: 'boolean' },
      tag: string(),
      restored: orNull({ type: 'integer' }),
      changes: orNull(object(changeCounts)),
    }),
  ),
});
const secondFactor = object({
  on: { type: 'boolean' },
  since: orNull(string({ format: 'date-time' })),
  recoveryCodes: { type: 'integer' },
  passkeys: { type: 'integer' },
});
const linkage = object({ data: ref('Identifier') });
/** What a run is based on, and the build that it rolls back to. */
const runBasis = object(
  {
    type: string(),
    attributes: object({ state: orNull(string()) }, ['state']),
    relationships: object({ build: linkage, 'instead-of': linkage }, ['build', 'instead-of']),
  },
  ['attributes', 'relationships'],
);
const ids = arrayOf(id, { minItems: 1, maxItems: limits.bulkMost });
const jobPart = object({ jobs: arrayOf({ type: 'object' }), total: { type: 'integer' } });
const health = object({ status: string({ enum: ['ok', 'failed'] }), checks: { type: 'object' } }, [
  'checks',
]);

/** A file, and the call that gives an address for a browser's download of it. */
const file = (path: string, summary: string, isPublic?: true): readonly ApiCall[] => {
  const common = { method: 'get', path, tag: 'Files', ...(isPublic ? { isPublic } : {}) } as const;
  return [
    { ...common, summary, answer: 'file' },
    {
      ...common,
      path: `${path}/link`,
      summary: `${summary}: an address that a browser can open for ten minutes`,
      isPlainJson: true,
      answer: link,
    },
  ];
};

/** The same of a log, which can also be read in parts while it grows. */
const log = (path: string, summary: string): readonly ApiCall[] =>
  file(path, summary).map((call) =>
    call.answer === 'file' ? { ...call, answer: 'log', query: ['Range', 'If-Range'] } : call,
  );

/** Every call below `/api` that is not derived from the schema (wire 8, 9, 11, 12). */
export const calls: readonly ApiCall[] = [
  ...([paths.live, paths.ready, '/api/health'] as const).map((path): ApiCall => ({
    method: 'get',
    path,
    summary: path === paths.live ? 'Tells that the process is alive' : 'Tells whether it is ready',
    tag: 'Installation',
    isPublic: true,
    isPlainJson: true,
    answer: health,
  })),
  {
    method: 'get',
    path: paths.config,
    summary: 'Gives the settings that a client needs before it signs in',
    tag: 'Installation',
    isPublic: true,
    isPlainJson: true,
    answer: object({
      name: string(),
      version: string(),
      minimumClientVersion: string(),
      demo: { type: 'boolean' },
      auth: object({
        issuer: string(),
        clientId: string(),
        audience: string(),
        scope: string(),
        redirectPath: string(),
      }),
      links: { type: 'object' },
      avatars: orNull(string()),
      languages: arrayOf(string()),
    }),
  },
  {
    method: 'get',
    path: paths.openApi,
    summary: 'Gives this description',
    tag: 'Installation',
    isPublic: true,
    isPlainJson: true,
    answer: { type: 'object' },
  },
  {
    method: 'get',
    path: paths.currentUser,
    summary: 'Gives the caller',
    tag: 'People',
    answer: document('users'),
    query: ['include', 'fields'],
  },
  ...(['get', 'post'] as const).map((method): ApiCall => ({
    method,
    path: DATA_EXPORT,
    summary:
      method === 'get'
        ? 'Tells whether an export of the caller’s own data is there'
        : 'Has everything that is kept about the caller exported, once an hour',
    tag: 'People',
    isPlainJson: true,
    answer: object({
      state: string({ enum: ['none', 'being-made', 'ready'] }),
      requestedAt: orNull(string({ format: 'date-time' })),
      expiresAt: orNull(string({ format: 'date-time' })),
      sizeBytes: orNull({ type: 'integer' }),
      nextAt: orNull(string({ format: 'date-time' })),
    }),
  })),
  {
    method: 'get',
    path: `${DATA_EXPORT}/link`,
    summary: 'Gives an address of the export that a browser can open as long as it is kept',
    tag: 'People',
    isPlainJson: true,
    answer: link,
  },
  {
    method: 'get',
    path: secondFactorPath('{id}'),
    summary: 'Tells whether a person has a second factor, to them and to super admins',
    tag: 'People',
    isPlainJson: true,
    answer: secondFactor,
  },
  {
    method: 'post',
    path: `${secondFactorPath('{id}')}/reset`,
    summary: 'Switches the second factor of somebody else off, for super admins',
    tag: 'People',
    isPlainJson: true,
    answer: secondFactor,
  },
  {
    method: 'get',
    path: '/api/organizations/{id}/users',
    summary: 'Lists the members of an organization',
    tag: 'People',
    answer: listOf('users'),
    query: ['filter', 'sort', 'include', 'fields', 'page'],
  },
  {
    method: 'post',
    path: paths.inviteRequests,
    summary: 'Asks the super admins for an organization',
    tag: 'People',
    isPublic: true,
    body: object({ data: ref('organization-invite-requests.create') }),
    answer: document('organization-invite-requests'),
    status: 201,
  },
  ...(['get', 'patch'] as const).map((method): ApiCall => ({
    method,
    path: '/api/organization-membership-invites/redeem/{token}',
    summary: 'Redeems an invitation: the caller becomes a member',
    tag: 'People',
    answer: document('organization-membership-invites'),
  })),
  {
    method: 'get',
    path: paths.auditEvents,
    summary: 'Lists who did what, for admins',
    tag: 'People',
    answer: object({ jsonapi: ref('JsonApi'), data: arrayOf({ type: 'object' }) }),
    query: ['filter', 'sort', 'page'],
  },
  {
    method: 'get',
    path: jobPaths.list,
    summary: 'Lists what the server does by itself: what failed and what waits, for super admins',
    tag: 'Installation',
    isPlainJson: true,
    answer: object({ failed: jobPart, waiting: jobPart }),
  },
  {
    method: 'post',
    path: '/api/jobs/{id}/run',
    summary: 'Tries at once what failed, for super admins',
    tag: 'Installation',
    isPlainJson: true,
    answer: object({ name: string() }),
  },
  ...(['post', 'patch'] as const).map((method): ApiCall => ({
    method,
    path: paths.operations,
    summary: 'Carries out many changes in one request',
    tag: 'Sync',
    body: object({
      operations: arrayOf(ref('Operation'), { maxItems: limits.operationsPerBody }),
    }),
    answer: object({ operations: arrayOf(ref('Verdict')) }),
    query: ['handling'],
  })),
  {
    method: 'get',
    path: paths.changes,
    summary: 'Reads what the caller may see, and what has changed since',
    tag: 'Sync',
    answer: ref('Feed'),
    query: ['since', 'answered', 'limit'],
  },
  {
    method: 'get',
    path: buildFiguresPath('{id}'),
    summary: 'Counts the builds of an organization by week, and how long steps waited, for admins',
    tag: 'Installation',
    isPlainJson: true,
    answer: object({
      weeks: arrayOf(
        object({
          begins: string({ format: 'date' }),
          built: { type: 'integer' },
          failed: { type: 'integer' },
          building: { type: 'integer' },
        }),
        { maxItems: limits.buildFigureWeeks },
      ),
      steps: arrayOf(
        object({ state: string(), count: { type: 'integer' }, medianMs: { type: 'number' } }),
        { maxItems: limits.buildFigureSteps },
      ),
    }),
  },
  {
    method: 'get',
    path: '/api/projects/{id}/activity',
    summary: 'Tells what happened to a project and its products, for members',
    tag: 'Projects',
    answer: object({ jsonapi: ref('JsonApi'), data: arrayOf({ type: 'object' }) }),
    query: ['filter', 'page'],
  },
  {
    method: 'get',
    path: '/api/products/{id}/transitions',
    summary: 'Lists what happened to a product, and what is foreseen',
    tag: 'Products',
    answer: listOf('product-transitions'),
    query: ['include', 'fields'],
  },
  {
    method: 'get',
    path: '/api/products/{id}/transitions/active',
    summary: 'Gives the step that a product waits for',
    tag: 'Products',
    answer: document('product-transitions'),
    query: ['include', 'fields'],
  },
  {
    method: 'get',
    path: '/api/products/{id}/actions',
    summary: 'Tells what the caller may start for a product',
    tag: 'Products',
    answer: document('product-actions'),
  },
  {
    method: 'post',
    path: '/api/products/{id}/actions/{name}',
    summary: 'Starts a rebuild or a republish, cancels it, or rolls back to the build of the body',
    tag: 'Products',
    body: object({ data: runBasis }),
    isBodyOptional: true,
    answer: document('product-actions'),
  },
  {
    method: 'post',
    path: paths.productActions,
    summary: 'Tells what the caller may start for the products of projects',
    tag: 'Products',
    body: object({ projects: ids }),
    isPlainJson: true,
    answer: object({ rebuild: arrayOf(id), republish: arrayOf(id) }, ['rebuild', 'republish']),
  },
  {
    method: 'post',
    path: paths.runProductActions,
    summary: 'Starts an action for all of some products, or for none',
    tag: 'Products',
    body: object({ action: string({ enum: ['rebuild', 'republish'] }), products: ids }),
    isPlainJson: true,
    answer: object({ action: string(), products: arrayOf(id) }),
  },
  {
    method: 'get',
    path: '/api/products/{id}/workflow',
    summary: 'Shows the machine of a product’s workflow, to super admins',
    tag: 'Products',
    isPlainJson: true,
    answer: object({
      scheme: string(),
      starts: arrayOf(string()),
      states: arrayOf({ type: 'object' }),
      steps: arrayOf({ type: 'object' }),
    }),
  },
  {
    method: 'post',
    path: '/api/products/{id}/workflow/state',
    summary: 'Moves a workflow that is stuck, for super admins',
    tag: 'Products',
    body: object({ from: string(), state: string(), comment: string() }, ['comment']),
    isPlainJson: true,
    answer: document('products'),
    query: ['include', 'fields'],
  },
  {
    method: 'get',
    path: packageNamePaths.list,
    summary: 'Lists package names, who holds them and what was published, for admins',
    tag: 'Products',
    isPlainJson: true,
    answer: object({ packageNames: arrayOf({ type: 'object' }), total: { type: 'integer' } }),
    query: ['filter', 'sort', 'page'],
  },
  {
    method: 'put',
    path: '/api/package-names/{name}',
    summary: 'Gives a package name to another organization, for super admins',
    tag: 'Products',
    body: object(
      {
        organization: id,
        reason: string({ maxLength: limits.packageNameReasonCharacters }),
        from: id,
      },
      ['from'],
    ),
    isPlainJson: true,
    answer: object({ name: string(), organization: id, reason: string() }),
  },
  {
    method: 'post',
    path: '/api/notifications/read-all',
    summary: 'Marks all notifications of the caller as read',
    tag: 'People',
    answer: null,
  },
  {
    method: 'delete',
    path: '/api/notifications/all',
    summary: 'Removes all notifications of the caller',
    tag: 'People',
    answer: null,
  },
  {
    method: 'post',
    path: '/api/organizations/{id}/build-engine/check',
    summary: 'Tries whether a build engine answers',
    tag: 'Installation',
    body: object({ url: string(), token: string() }, ['url', 'token']),
    isPlainJson: true,
    answer: object({
      available: { type: 'boolean' },
      reason: orNull(
        string({ enum: ['unreachable', 'refused', 'no-usable-answer', 'address-not-allowed'] }),
      ),
    }),
  },
  ...file('/api/products/{id}/files/published/{type}', 'Gives a published file', true),
  {
    method: 'get',
    path: '/api/products/{id}/published',
    summary: 'Describes a published app, for those who install it',
    tag: 'Files',
    isPublic: true,
    answer: document('published-apps'),
  },
  {
    method: 'get',
    path: '/api/products/{id}/published/icon',
    summary: 'Gives the icon of a published app',
    tag: 'Files',
    isPublic: true,
    answer: 'file',
  },
  {
    method: 'get',
    path: '/api/products/{id}/published/icon.webp',
    summary: 'Gives the icon of a published app, small enough for slow phones',
    tag: 'Files',
    isPublic: true,
    answer: 'file',
  },
  ...file('/api/product-artifacts/{id}/content', 'Gives a file that was built', true),
  ...log('/api/product-builds/{id}/console', 'Gives the text of a build'),
  ...log('/api/product-publications/{id}/console', 'Gives the text of a publication'),
  ...file('/api/projects/{id}/repository', 'Gives the content of a project'),
  {
    method: 'put',
    path: '/api/projects/{id}/repository',
    summary: 'Replaces the content of a project',
    tag: 'Files',
    body: 'zip',
    answer: null,
    query: ['If-Match'],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/repository/uploads',
    summary: 'Lists what was uploaded, newest first',
    tag: 'Files',
    isPlainJson: true,
    answer: uploads,
  },
  {
    method: 'get',
    path: '/api/projects/{id}/repository/uploads/{number}/link',
    summary: 'Gives an address of one upload for ten minutes',
    tag: 'Files',
    isPlainJson: true,
    answer: link,
  },
  {
    method: 'get',
    path: '/api/projects/{id}/repository/uploads/{number}/changes/{base}',
    summary: 'Tells what differs between two uploads',
    tag: 'Files',
    isPlainJson: true,
    answer: contentChanges,
  },
  {
    method: 'post',
    path: '/api/projects/{id}/repository/uploads/{number}/restore',
    summary: 'Uploads an older version once more',
    tag: 'Files',
    isPlainJson: true,
    answer: uploads,
    query: ['If-Match'],
  },
  {
    method: 'post',
    path: '/api/projects/{id}/repository/sample',
    summary: 'Begins an empty project with content of ours',
    tag: 'Files',
    isPlainJson: true,
    answer: uploads,
  },
];
