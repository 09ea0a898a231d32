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

/** Writes down that `caller` was refused what they may not do. */
export function recordRefusals(
  parts: Services,
  { user, address }: Caller,
  facts: readonly AuditFact[],
): Promise<void> {
  return auditRefused(parts, { by: user.id, address }, facts.length, (_tx, some) =>
    Promise.resolve(facts.slice(0, some).map(readable)),
  );
}

/** What is written down of a refused operation; nothing unless it is of what one may not do. */
export function refusalIn(
  intention: ParsedOperation | null | undefined,
  problems: readonly [Problem, ...Problem[]],
): readonly AuditFact[] {
  if (!intention || statusOf(new ProblemError(problems)) !== 403) return [];
  const { op, type, id } = intention;
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

/** Of what has no table, or no id that can be one, there is no record to look at. */
function readable(fact: AuditFact): AuditFact {
  const { subject } = fact;
  const isThere = subject !== null && resourceOf(subject.type).isStored && isUuid(subject.id);
  return isThere ? fact : { ...fact, subject: null };
}
