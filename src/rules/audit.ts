import { attributesOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';

/** Every kind of audit event. */
export type AuditKind =
  | 'sign-in-failed'
  | 'sign-in-locked-out'
  | 'password-reset'
  | 'sign-up-verified'
  | 'refused'
  | 'role-given'
  | 'role-taken'
  | 'user-locked'
  | 'user-unlocked'
  | 'membership-added'
  | 'membership-accepted'
  | 'membership-left'
  | 'membership-ended'
  | 'group-membership-added'
  | 'group-membership-ended'
  | 'organization-created'
  | 'organization-removed'
  | 'owner-changed'
  | 'secret-set'
  | 'secret-replaced'
  | 'secret-cleared'
  | 'settings-changed'
  | 'workflow-moved'
  | 'repository-downloaded'
  | 'keys-rotated';

export type AuditValues = Readonly<Record<string, string | number | boolean | null>>;

/** What is told of something that was done; who did it, when and from where is added later. */
export interface AuditFact {
  readonly kind: AuditKind;
  /** What it was done to; null: to nothing that is known. */
  readonly subject: { readonly type: TypeName; readonly id: string } | null;
  /** By the names of the schema; never a secret. */
  readonly before: AuditValues | null;
  readonly after: AuditValues | null;
}

/** A record as it was before a change and as it is after it. */
interface Change<T extends TypeName> {
  readonly before: Of<T> | null;
  readonly after: Of<T> | null;
  /** After it; of what is gone, before it. */
  readonly last: Of<T>;
  /** Who did it; null: the server. */
  readonly by: string | null;
}

type Derive<T extends TypeName> = (change: Change<T>) => readonly AuditFact[];

/** Which changes of records are audit events; the kinds that no change of a record is are noted. */
const rules: { readonly [T in TypeName]?: Derive<T> } = {
  user: ({ before, after, last }) => {
    if (before === null || after === null || before.isLocked === after.isLocked) return [];
    const kind = after.isLocked ? 'user-locked' : 'user-unlocked';
    return [factOf(kind, 'user', last.id, pick(before, ['isLocked']), pick(after, ['isLocked']))];
  },
  userRole: ({ before, after, last }) => {
    const role = { role: last.roleName };
    if (before === null) return [factOf('role-given', 'user', last.user, null, role)];
    return after === null ? [factOf('role-taken', 'user', last.user, role, null)] : [];
  },
  organizationMembership: ({ before, after, last, by }) => {
    const about = (kind: AuditKind) => [factOf(kind, 'user', last.user, null, null)];
    if (before === null) return about('membership-added');
    if (after === null) return about(by === last.user ? 'membership-left' : 'membership-ended');
    return isAccepted(after) && !isAccepted(before) ? about('membership-accepted') : [];
  },
  groupMembership: ({ before, after, last }) => {
    const group = { group: last.group };
    if (before === null) return [factOf('group-membership-added', 'user', last.user, null, group)];
    return after === null ? [factOf('group-membership-ended', 'user', last.user, group, null)] : [];
  },
  organization: ({ before, after, last }) => {
    if (before === null)
      return [factOf('organization-created', 'organization', last.id, null, pick(last, OWNER))];
    if (after === null)
      return [factOf('organization-removed', 'organization', last.id, pick(last, OWNER), null)];
    return [
      ...changeOf('owner-changed', 'organization', OWNER, before, after),
      ...changeOf('settings-changed', 'organization', ORGANIZATION_SETTINGS, before, after),
    ];
  },
  project: ({ before, after }) => {
    if (before === null || after === null) return [];
    return [
      ...changeOf('owner-changed', 'project', OWNER, before, after),
      ...changeOf('settings-changed', 'project', ['isPublic', 'allowDownloads'], before, after),
    ];
  },
};

const OWNER = ['owner'];

/** All that people set; what the server sets is no setting, and a secret is never told. */
const ORGANIZATION_SETTINGS = attributesOf('organization').flatMap(([field, attribute]) =>
  attribute.isWriteOnly || attribute.write === 'server' ? [] : [field],
);

/** The audit events that the change of one record is. */
export function auditFactsOf(
  type: TypeName,
  before: AnyRecord | null,
  after: AnyRecord | null,
  by: string | null,
): readonly AuditFact[] {
  const derive = rules[type] as Derive<TypeName> | undefined;
  const last = after ?? before;
  if (derive === undefined || last === null) return [];
  return derive({ before, after, last, by } as Change<TypeName>);
}

/** A membership without the date was accepted before there was one. */
function isAccepted(membership: Of<'organizationMembership'>): boolean {
  const { dateAccepted } = membership as { readonly dateAccepted?: string | null };
  return dateAccepted !== null && dateAccepted !== undefined;
}

function factOf(
  kind: AuditKind,
  type: TypeName,
  id: string,
  before: AuditValues | null,
  after: AuditValues | null,
): AuditFact {
  return { kind, subject: { type, id }, before, after };
}

/** One fact with those of `fields` that differ; none when none does. */
function changeOf(
  kind: AuditKind,
  type: TypeName,
  fields: readonly string[],
  before: AnyRecord,
  after: AnyRecord,
): readonly AuditFact[] {
  const changed = fields.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return [];
  return [factOf(kind, type, after.id, pick(before, changed), pick(after, changed))];
}

function pick(record: AnyRecord | Of<TypeName>, fields: readonly string[]): AuditValues {
  const values = record as unknown as Readonly<Record<string, string | number | boolean | null>>;
  return Object.fromEntries(fields.map((field) => [field, shown(values[field] ?? null)]));
}

/** An address may hold a name and a password before its host. */
function shown(value: string | number | boolean | null): string | number | boolean | null {
  if (typeof value !== 'string' || !value.includes('@') || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.username === '' && url.password === '') return value;
  url.username = '…';
  url.password = '';
  return url.href;
}
