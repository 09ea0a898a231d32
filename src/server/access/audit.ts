import { personalKinds } from '#rules/audit/audit-kinds.ts';
import { sql } from 'kysely';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { auditFactsOf, isAccepted } from '#rules/audit/audit.ts';
import type { AuditFact } from '#rules/audit/audit.ts';
import type { AuditValue, AuditValues } from '#rules/audit/audit-values.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { WriteCause, DatabaseTransaction } from '../db/database.ts';
import { Journal } from '../db/journal.ts';
import type { Touched } from '../db/journal.ts';
import { loading, organizationsOf, RelatedRecords } from './stored-scopes.ts';

/** The person, the time and the address of an audited action. */
export type By = Pick<WriteCause, 'at' | 'by' | 'address'>;

interface AuditedFact {
  readonly fact: AuditFact;
  /** The touched record; null: the subject itself, which was not touched. */
  readonly touched: Touched | null;
}

interface Row {
  readonly kind: string;
  readonly actorName: string | null;
  readonly organization: string | null;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  readonly before: AuditValues | null;
  readonly after: AuditValues | null;
}

/**
 * Writes the audit events of a transaction: those that its record changes imply
 * (`rules/audit/audit.ts`), and those that were added beside them.
 */
export async function auditJournal(
  tx: DatabaseTransaction,
  journal: Journal,
  noted: readonly AuditFact[],
  by: By,
): Promise<void> {
  const derived = auditFactsOf(journal.all(), by.by).map(({ fact, changed }) => ({
    fact,
    touched: changed,
  }));
  const all: AuditedFact[] = [...derived, ...noted.map((fact) => ({ fact, touched: null }))];
  if (all.length === 0) return;

  const related = new RelatedRecords(tx, journal);
  const administered = await administeredBy(tx, by.by);
  const rows = await loading(related, () =>
    all.map((audited) => rowOf(related, audited, by, administered)),
  );
  await tx.query(sql`insert into audit_events (kind, at, actor_id, actor_name, organization_id,
      subject_type, subject_id, subject_name, before, after, address)
    select kind, ${new Date(by.at).toISOString()}::timestamptz, ${by.by}::uuid, "actorName",
      organization, "subjectType", "subjectId", "subjectName", before, after,
      ${by.address ?? null}::text
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(kind text, "actorName" text,
      organization uuid, "subjectType" text, "subjectId" uuid, "subjectName" text, before jsonb,
      after jsonb)`);
}

/** Writes an audit event that is no change of a record. */
export function recordAudit(
  tx: DatabaseTransaction,
  facts: readonly AuditFact[],
  by: By,
): Promise<void> {
  return auditJournal(tx, new Journal(), facts, by);
}

function rowOf(
  related: RelatedRecords,
  { fact, touched }: AuditedFact,
  { by }: By,
  administered: readonly string[],
): Row {
  const { kind, subject, before, after } = fact;
  const record = subject === null ? null : related.find('last').one(subject.type, subject.id);
  return {
    kind,
    actorName: nameOf(related, 'user', by === null ? null : related.find('last').one('user', by)),
    organization: personalKinds.has(kind)
      ? null
      : organizationOf(related, touched ?? untouched(subject, record), administered),
    subjectType: subject === null ? null : wireTypeOf(subject.type),
    subjectId: subject?.id ?? null,
    subjectName: subject === null ? null : nameOf(related, subject.type, record),
    before: wireValues(related, subject, before),
    after: wireValues(related, subject, after),
  };
}

function untouched(subject: AuditFact['subject'], record: AnyRecord | null): Touched | null {
  if (subject === null || record === null) return null;
  return { ...subject, before: record, after: record, last: record, changes: [] };
}

/**
 * For a person who is in several organizations, returns the one for which the actor acted: a lock
 * belongs to none by itself.
 */
function organizationOf(
  related: RelatedRecords,
  touched: Touched | null,
  administered: readonly string[],
): string | null {
  if (touched === null) return null;
  const organizations =
    touched.type === 'user'
      ? acceptedBy(related, touched.id)
      : organizationsOf(related, 'last', touched);
  if (organizations.length < 2) return organizations[0] ?? null;
  return organizations.find((id) => administered.includes(id)) ?? null;
}

/** Whoever adds a person learns nothing of them until that person agrees (domain 2.8). */
function acceptedBy(related: RelatedRecords, user: string): readonly string[] {
  const accepted = related.find('last').all('organizationMembership', { user }).filter(isAccepted);
  return accepted.map(({ organization }) => organization).sort();
}

/** Returns the present name of a record; a product has its project's. */
function nameOf(related: RelatedRecords, type: TypeName, record: AnyRecord | null): string | null {
  if (record === null) return null;
  if (type === 'user') return displayNameOf(record as unknown as Of<'user'>);
  if (type === 'product') {
    const { project } = record as unknown as Of<'product'>;
    return related.find('last').one('project', project)?.name ?? null;
  }
  return typeof record.name === 'string' ? record.name : null;
}

/** Returns values by the names of the wire; people and groups with id and name. */
function wireValues(
  related: RelatedRecords,
  subject: AuditFact['subject'],
  values: AuditValues | null,
): AuditValues | null {
  if (values === null) return null;
  const named = Object.entries(values).flatMap(([field, value]): [string, AuditValue][] => {
    const wire = subject === null ? field : wireFieldOf(subject.type, field);
    const to = targetOf(subject, field);
    if (to === null || typeof value !== 'string') return [[wire, value]];
    return [
      [wire, value],
      [`${wire}-name`, nameOf(related, to, related.find('last').one(to, value))],
    ];
  });
  return Object.fromEntries(named);
}

/** These fields hold ids, though the subject has no such field. */
const TARGETS: Readonly<Record<string, TypeName>> = {
  group: 'group',
  invitedBy: 'user',
  productDefinition: 'productDefinition',
  project: 'project',
  store: 'store',
};

function targetOf(subject: AuditFact['subject'], field: string): TypeName | null {
  const declared = subject === null ? undefined : resourceOf(subject.type).fields[field];
  if (declared?.is === 'one') return declared.to as TypeName;
  return Object.hasOwn(TARGETS, field) ? (TARGETS[field] ?? null) : null;
}

async function administeredBy(
  tx: DatabaseTransaction,
  user: string | null,
): Promise<readonly string[]> {
  if (user === null) return [];
  const roles = await tx.all('userRole', { user, roleName: 'OrganizationAdmin' });
  return roles.flatMap(({ organization }) => organization ?? []);
}
