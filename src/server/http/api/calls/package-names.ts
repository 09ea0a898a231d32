import type { FastifyInstance } from 'fastify';
import { isUuid } from '#base/id.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { asLine } from '#rules/valid/normal.ts';
import { holderOf, moveClaim } from '../../../domain/builds/package-names.ts';
import type { WriteTransaction } from '../../../db/database.ts';
import type { Services } from '../../../domain/services.ts';
import { routeHandler } from '../api-request.ts';
import type { ApiRequest } from '../api-request.ts';
import { handleCall } from '../handle-call.ts';
import { objectAt, refuse } from '../../../domain/writes/document.ts';

const LONGEST_REASON = 1_000;

interface Moved {
  readonly name: string;
  readonly organization: string;
  readonly reason: string;
}

/** `PUT /api/package-names/{name}`: a super admin gives it to another organization (wire 11.11). */
export function packageNameRoutes(app: FastifyInstance, services: Services): void {
  app.route({
    method: 'PUT',
    url: '/api/package-names/:name',
    config: { media: 'json' },
    handler: routeHandler(services, move),
  });
}

async function move(apiRequest: ApiRequest): Promise<Moved> {
  const { caller, request } = apiRequest;
  const { name } = request.params as { readonly name: string };
  return handleCall(apiRequest, async ({ write, at }) => {
    if (!caller.viewer.isSuperAdmin) throw new ProblemError({ code: 'forbidden' });
    const { organization, reason, problems } = statedIn(request.body);
    const isThere =
      isUuid(organization) && (await write.one('organization', organization)) !== null;
    if (isUuid(organization) && !isThere) problems.push(invalid('/organization', 'reference'));
    refuse(problems);
    const holder = await holderOf(write, name);
    if (holder === null) throw new ProblemError({ code: 'not-found' });
    await moveClaim(write, name, { organization, reason, at });
    if (holder !== organization) auditMove(write, holder, { name, organization, reason });
    return { name, organization, reason };
  });
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
  const { organization, reason } = objectAt(body ?? {}, '');
  const problems: Problem[] = [];
  if (organization === undefined || organization === null)
    problems.push(invalid('/organization', 'required'));
  else if (!isUuid(organization)) problems.push(invalid('/organization', 'type'));
  problems.push(...brokenReason(reason));
  return {
    organization: isUuid(organization) ? organization.toLowerCase() : '',
    reason: problems.length === 0 ? asLine(reason as string) : '',
    problems,
  };
}

/** The length is checked first: what is too long is not searched. */
function brokenReason(reason: unknown): readonly Problem[] {
  const at = '/reason';
  if (reason === undefined || reason === null) return [invalid(at, 'required')];
  if (typeof reason !== 'string') return [invalid(at, 'type')];
  if (reason.length > LONGEST_REASON) return [invalid(at, 'too-long', { limit: LONGEST_REASON })];
  return reason.trim() === '' ? [invalid(at, 'required')] : [];
}
