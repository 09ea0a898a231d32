import { isUuid } from '#base/id.ts';
import { wireTypeOf } from '#protocol/names.ts';
import { ProblemError, statusOf } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import type { AuditFact } from '#rules/audit/audit.ts';
import { resourceOf } from '#schema/index.ts';
import { auditRefused } from '../audit/refusal-windows.ts';
import type { Caller } from '../../domain/accounts/caller.ts';
import type { Services } from '../../domain/services.ts';
import type { ParsedOperation } from '../../domain/writes/parsed-operation.ts';

/** Audits that `caller` was refused what they may not do. */
export function recordRefusals(
  services: Services,
  { user, address }: Caller,
  facts: readonly AuditFact[],
): Promise<void> {
  return auditRefused(services, { by: user.id, address }, facts.length, (_tx, some) =>
    Promise.resolve(facts.slice(0, some).map(readable)),
  );
}

/**
 * Returns the audit fact of a refused operation; none unless it was refused for lack of permission.
 */
export function refusalIn(
  operation: ParsedOperation | null | undefined,
  problems: readonly [Problem, ...Problem[]],
): readonly AuditFact[] {
  if (!operation || statusOf(new ProblemError(problems)) !== 403) return [];
  const { op, type, id } = operation;
  // Pointers name the fields that were refused, and nothing of what was to be in them.
  const pointers = problems.flatMap(({ source }) => source?.pointer ?? []).join(' ');
  const after = { request: `${op} ${wireTypeOf(type)}`, code: problems[0].code };
  return [
    {
      kind: 'refused',
      subject: id === null ? null : { type, id },
      before: null,
      after: pointers === '' ? after : { ...after, pointers },
    },
  ];
}

/** There is no record to read for a type without a table, or an id that cannot be one. */
function readable(fact: AuditFact): AuditFact {
  const { subject } = fact;
  const isThere = subject !== null && resourceOf(subject.type).isStored && isUuid(subject.id);
  return isThere ? fact : { ...fact, subject: null };
}
