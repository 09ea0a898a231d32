import type { FastifyInstance } from 'fastify';
import { isUuid } from '#base/id.ts';
import { isOurs } from '#engine/android/package-name.ts';
import { limits } from '#protocol/limits.ts';
import { packageNameOrders, packageNamePaths } from '#protocol/package-names.ts';
import type { PackageNameOrder, PackageNames } from '#protocol/package-names.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { mayAdminister } from '#rules/organization.ts';
import { isPlain } from '#rules/valid/length.ts';
import { asLine } from '#rules/valid/normal.ts';
import type { PageRange } from '../../../access/query/query.ts';
import type { WriteTransaction } from '../../../db/database.ts';
import { listPackageNames } from '../../../domain/builds/list-package-names.ts';
import { notifyMovedPackageName } from '../../../domain/builds/notify-moved-package-name.ts';
import { lockedHolderOf, moveClaim } from '../../../domain/builds/package-names.ts';
import type { Services } from '../../../domain/services.ts';
import { parametersIn, routeHandler } from '../api-request.ts';
import type { ApiHandler, ApiRequest } from '../api-request.ts';
import { handleCall } from '../handle-call.ts';
import { narrowingIn } from '../headers.ts';
import { pageOf } from '../query/page.ts';
import { objectAt, refuse } from '../../../domain/writes/document.ts';

interface Moved {
  readonly name: string;
  readonly organization: string;
  readonly reason: string;
}

/** Package names: who holds them, and how a super admin gives one away (wire 11.11). */
export function packageNameRoutes(app: FastifyInstance, services: Services): void {
  const config = { media: 'json' } as const;
  app.route({
    method: 'GET',
    url: packageNamePaths.list,
    config,
    handler: routeHandler(services, list),
  });
  app.route({
    method: 'PUT',
    url: '/api/package-names/:name',
    config,
    handler: routeHandler(services, move),
  });
}

const list: ApiHandler = async ({ services, caller, request }): Promise<PackageNames> => {
  const { viewer } = caller;
  await narrowingIn(services, caller, request);
  if (!viewer.isSuperAdmin && viewer.adminOf.size === 0)
    throw new ProblemError({ code: 'forbidden' });
  const { organization, ...asked } = questionIn(parametersIn(request));
  if (organization !== null && !mayAdminister(viewer, organization))
    throw new ProblemError({ code: 'forbidden' });
  const own = viewer.isSuperAdmin ? null : [...viewer.adminOf];
  const organizations = organization === null ? own : [organization];
  // Neither of two organizations learns which the other is.
  const showsEarlier = viewer.isSuperAdmin;
  return services.db.read((tx) => listPackageNames(tx, { ...asked, organizations, showsEarlier }));
};

interface Question {
  readonly organization: string | null;
  readonly search: string;
  readonly order: PackageNameOrder;
  readonly page: PageRange;
}

const HOLDER = 'filter[organization-id]';
const SEARCH = 'filter[search-term]';
const PAGE = /^page\[(offset|limit|number|size)\]$/;

/** @throws ProblemError 400 `unknown-parameter`, `invalid-parameter` */
function questionIn(parameters: URLSearchParams): Question {
  for (const name of parameters.keys()) {
    if (name !== 'sort' && name !== HOLDER && name !== SEARCH && !PAGE.test(name))
      throw new ProblemError({ code: 'unknown-parameter', source: { parameter: name } });
    if (!PAGE.test(name) && parameters.getAll(name).length > 1) throw invalidParameter(name);
  }
  const holder = parameters.get(HOLDER)?.replace(/^eq:/, '') ?? null;
  if (holder !== null && !isUuid(holder)) throw invalidParameter(HOLDER);
  const search = parameters.get(SEARCH) ?? '';
  if (search.includes('\0')) throw invalidParameter(SEARCH);
  const sort = parameters.get('sort') ?? 'name';
  const order = packageNameOrders.find((one) => one === sort);
  if (order === undefined) throw invalidParameter('sort');
  return {
    organization: holder?.toLowerCase() ?? null,
    ...{ search, order, page: pageOf(parameters) },
  };
}

const invalidParameter = (parameter: string): ProblemError =>
  new ProblemError({ code: 'invalid-parameter', source: { parameter } });

/** Moves a name. To ask twice is no harm: whoever holds it already is told nothing more. */
async function move(apiRequest: ApiRequest): Promise<Moved> {
  const { services, caller, request } = apiRequest;
  const { name } = request.params as { readonly name: string };
  return handleCall(apiRequest, async ({ write, at }) => {
    if (!caller.viewer.isSuperAdmin) throw new ProblemError({ code: 'forbidden' });
    const { organization, reason, from, problems } = statedIn(request.body);
    const isThere =
      isUuid(organization) && (await write.one('organization', organization)) !== null;
    if (isUuid(organization) && !isThere) problems.push(invalid('/organization', 'reference'));
    refuse(problems);
    const holder = await lockedHolderOf(write, name);
    if (holder === null) throw new ProblemError({ code: 'not-found' });
    if (isOurs(name))
      throw new ProblemError({ code: 'action-not-allowed', meta: { reason: 'product-name' } });
    if (holder === organization) return { name, organization, reason };
    if (from !== null && from !== holder) throw await movedElsewhere(write, holder);
    await moveClaim(write, name, { organization, reason, at });
    auditMove(write, holder, { name, organization, reason });
    await notifyMovedPackageName(
      { services, write },
      { ...{ name, reason }, from: holder, to: organization },
    );
    return { name, organization, reason };
  });
}

async function movedElsewhere(write: WriteTransaction, holder: string): Promise<ProblemError> {
  const name = (await write.one('organization', holder))?.name ?? '';
  const current = { organization: { id: holder, name } };
  return new ProblemError({ code: 'changed-elsewhere', meta: { current } });
}

/** Writes one event for each organization: neither learns which the other is. */
function auditMove(
  write: WriteTransaction,
  holder: string,
  { name, organization, reason }: Moved,
): void {
  const subjectOf = (id: string) => ({ type: 'organization', id }) as const;
  write.audit({
    kind: 'package-name-taken',
    subject: subjectOf(holder),
    before: { packageName: name },
    after: { reason },
  });
  write.audit({
    kind: 'package-name-given',
    subject: subjectOf(organization),
    before: null,
    after: { packageName: name, reason },
  });
}

function statedIn(body: unknown) {
  const { organization, reason, from } = objectAt(body ?? {}, '');
  const problems: Problem[] = [];
  if (organization === undefined || organization === null)
    problems.push(invalid('/organization', 'required'));
  else if (!isUuid(organization)) problems.push(invalid('/organization', 'type'));
  if (from !== undefined && from !== null && !isUuid(from)) problems.push(invalid('/from', 'type'));
  problems.push(...brokenReason(reason));
  return {
    organization: isUuid(organization) ? organization.toLowerCase() : '',
    reason: problems.length === 0 ? asLine(reason as string) : '',
    from: isUuid(from) ? from.toLowerCase() : null,
    problems,
  };
}

/** The length is checked first: what is too long is not searched. */
function brokenReason(reason: unknown): readonly Problem[] {
  const at = '/reason';
  if (reason === undefined || reason === null) return [invalid(at, 'required')];
  if (typeof reason !== 'string') return [invalid(at, 'type')];
  const limit = limits.packageNameReasonCharacters;
  if (reason.length > limit) return [invalid(at, 'too-long', { limit })];
  if (!isPlain(reason)) return [invalid(at, 'type')];
  return reason.trim() === '' ? [invalid(at, 'required')] : [];
}
