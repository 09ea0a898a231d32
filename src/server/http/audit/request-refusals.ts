import type { FastifyRequest } from 'fastify';
import { isUuid } from '#base/id.ts';
import { typeOfWire } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import { ProblemError, statusOf } from '#protocol/problem.ts';
import type { AuditFact } from '#rules/audit/audit.ts';
import { recordRefusals } from '../api/refusals.ts';
import type { Services } from '../../domain/services.ts';

/** Audits that somebody was refused what they may not do or read. Batches do so one by one. */
export async function auditRefusal(
  services: Services,
  request: FastifyRequest,
  error: unknown,
): Promise<void> {
  const { caller, method } = request;
  if (!(error instanceof ProblemError) || statusOf(error) !== 403) return;
  // The pattern of the address, not the address: that may hold a token.
  const route = request.routeOptions.url ?? '';
  if (caller === null || route === paths.operations) return;
  const after = { request: `${method} ${route}`, code: error.problem.code };
  const subject = subjectOf(route, request.params);
  await recordRefusals(services, caller, [{ kind: 'refused', subject, before: null, after }]);
}

/** `/api/{type}/:id…` names a record. */
function subjectOf(route: string, params: unknown): AuditFact['subject'] {
  const type = typeOfWire(route.split('/')[2] ?? '');
  const { id } = params as { readonly id?: unknown };
  return type === null || !isUuid(id) ? null : { type, id: id.toLowerCase() };
}
