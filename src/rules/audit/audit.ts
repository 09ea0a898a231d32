import { attributesOf, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import { auditValuesOf, HIDDEN } from './audit-values.ts';
import type { AuditKind } from './audit-kinds.ts';
import type { AuditValues } from './audit-values.ts';
import { isSameField } from '../record/equal.ts';

/** The facts of something that was done; who did it, when and from where is added later. */
export interface AuditFact {
  readonly kind: AuditKind;
  /** The record that it was done to; null: none that is known. */
  readonly subject: { readonly type: TypeName; readonly id: string } | null;
  /** The values by the names of the schema; never a secret. */
  readonly before: AuditValues | null;
  readonly after: AuditValues | null;
}

/** A record as it was before a change and as it is after it. */
interface Change<T extends TypeName> {
  readonly before: Of<T> | null;
  readonly after: Of<T> | null;
  /** The record after it; of a removed one, before it. */
  readonly last: Of<T>;
  /** The person who did it; null: the server. */
  readonly by: string | null;
  /** The invitations that the same transaction redeems. */
  readonly redeemed: readonly Invitation[];
}

type Invitation = Of<'organizationMembershipInvite'>;

type Derive<T extends TypeName> = (change: Change<T>) => readonly AuditFact[];

/**
 * Says which changes of records are audit events; the kinds that no change of a record is are
 * noted.
 */
const rules: { readonly [T in TypeName]?: Derive<T> } = {
  user: ({ before, after, last }) => {
    if (before === null || after === null || before.isLocked === after.isLocked) return [];
    // An account that is deleted is an event of its own, and locks nobody out.
    if (before.authId !== null && after.authId === null) return [];
    const kind = after.isLocked ? 'user-locked' : 'user-unlocked';
    return [
      factOf(
        kind,
        'user',
        last.id,
        auditValuesOf(before, ['isLocked']),
        auditValuesOf(after, ['isLocked']),
      ),
    ];
  },
  userRole: ({ before, after, last, by, redeemed }) => {
    const role = { role: last.roleName };
    if (before !== null)
      return after === null ? [factOf('role-taken', 'user', last.user, role, null)] : [];
    const invitation = redeemed.find(
      ({ organization, roleNames }) =>
        organization === last.organization && roleNames.some((name) => name === last.roleName),
    );
    const added = { ...role, ...inviterOf(last.user, by, invitation) };
    return [factOf('role-given', 'user', last.user, null, added)];
  },
  organizationMembership: ({ before, after, last, by, redeemed }) => {
    const about = (kind: AuditKind, values: AuditValues | null = null) => [
      factOf(kind, 'user', last.user, null, values),
    ];
    if (after === null) return about(by === last.user ? 'membership-left' : 'membership-ended');
    const invitation = redeemed.find(({ organization }) => organization === last.organization);
    const inviter = inviterOf(last.user, by, invitation);
    if (before === null) return about('membership-added', inviter);
    return isAccepted(after) && !isAccepted(before) ? about('membership-accepted', inviter) : [];
  },
  groupMembership: ({ before, after, last, by, redeemed }) => {
    const group = { group: last.group };
    if (before !== null)
      return after === null
        ? [factOf('group-membership-ended', 'user', last.user, group, null)]
        : [];
    const invitation = redeemed.find(({ groupIds }) => groupIds.includes(last.group));
    const added = { ...group, ...inviterOf(last.user, by, invitation) };
    return [factOf('group-membership-added', 'user', last.user, null, added)];
  },
  organizationMembershipInvite: ({ before, after, last }) =>
    invited('organizationMembershipInvite', before, after, { invitedBy: last.invitedBy }),
  organizationInvite: ({ before, after }) => invited('organizationInvite', before, after, null),
  author: ({ before, after, last }) => {
    const project = { project: last.project };
    if (before === null) return [factOf('author-added', 'user', last.user, null, project)];
    return after === null ? [factOf('author-removed', 'user', last.user, project, null)] : [];
  },
  organization: ({ before, after, last }) => {
    if (before === null)
      return [
        factOf('organization-created', 'organization', last.id, null, auditValuesOf(last, OWNER)),
      ];
    if (after === null)
      return [
        factOf('organization-removed', 'organization', last.id, auditValuesOf(last, OWNER), null),
      ];
    return [
      ...changeOf('owner-changed', 'organization', OWNER, before, after),
      ...changeOf('settings-changed', 'organization', settingsOf('organization'), before, after),
    ];
  },
  organizationStore: ({ before, after, last: { organization, store } }) =>
    switched(organization, { store }, before, after),
  organizationProductDefinition: ({ before, after, last: { organization, productDefinition } }) =>
    switched(organization, { productDefinition }, before, after),
  project: ({ before, after, last }) => {
    if (before === null)
      return [factOf('project-created', 'project', last.id, null, auditValuesOf(last, OWNER))];
    if (after === null) return [];
    const settings = changeOf('settings-changed', 'project', PROJECT_SETTINGS, before, after);
    return [
      ...changeOf('owner-changed', 'project', OWNER, before, after),
      ...settings.map((fact) => ({
        ...fact,
        before: withoutWords(fact.before),
        after: withoutWords(fact.after),
      })),
    ];
  },
  product: ({ before, after }) =>
    before === null || after === null
      ? []
      : changeOf('settings-changed', 'product', ['properties'], before, after),
  store: ({ before, after }) => installed('store', before, after),
  storeType: ({ before, after }) => installed('storeType', before, after),
  productDefinition: ({ before, after }) => installed('productDefinition', before, after),
  workflowDefinition: ({ before, after }) => installed('workflowDefinition', before, after),
};

const OWNER = ['owner'];
const PROJECT_SETTINGS = [
  ...['isPublic', 'allowDownloads', 'automaticBuilds', 'dateArchived', 'group'],
  ...['name', 'language', 'description'],
];

/** Of a description it is told only that it changed: its words must not outlive their removal. */
function withoutWords(values: AuditValues | null): AuditValues | null {
  if (typeof values?.description !== 'string') return values;
  return { ...values, description: HIDDEN };
}

/** An invitation has a token too, which is no field of it and is never logged. */
const INVITATION = {
  organizationMembershipInvite: ['email', 'roleNames', 'groupIds', 'expiresAt'],
  organizationInvite: ['ownerEmail', 'name', 'url', 'expiresAt'],
} as const;

/** Lists all that people set; what the server sets is no setting, and a secret is never logged. */
function settingsOf(type: TypeName): readonly string[] {
  const attributes = attributesOf(type).filter(([, attribute]) => !attribute.isWriteOnly);
  // The owner has a kind of its own.
  const toOnes = toOnesOf(type).filter(([field]) => !OWNER.includes(field));
  return [...attributes, ...toOnes].flatMap(([field, { write }]) =>
    write === 'server' ? [] : [field],
  );
}

/** A record that a transaction has changed. */
interface Changed {
  readonly type: TypeName;
  readonly before: AnyRecord | null;
  readonly after: AnyRecord | null;
}

/** The audit events that the changes of one transaction are, each with the change that it is. */
export function auditFactsOf<C extends Changed>(
  changes: readonly C[],
  by: string | null,
): readonly { readonly fact: AuditFact; readonly changed: C }[] {
  const redeemed = changes.flatMap(({ type, before, after }) => {
    if (type !== 'organizationMembershipInvite') return [];
    const [was, is] = [before, after] as [Invitation | null, Invitation | null];
    return was?.redeemed === false && is?.redeemed === true ? [is] : [];
  });
  return changes.flatMap((changed) => {
    const { type, before, after } = changed;
    const derive = rules[type] as Derive<TypeName> | undefined;
    const last = after ?? before;
    if (derive === undefined || last === null) return [];
    const facts = derive({ before, after, last, by, redeemed } as unknown as Change<TypeName>);
    return facts.map((fact) => ({ fact, changed }));
  });
}

/**
 * The person who redeems an invitation acts, and the person who invited has given what it gives.
 */
function inviterOf(
  user: string,
  by: string | null,
  invitation: Invitation | undefined,
): AuditValues | null {
  if (invitation === undefined || user !== by) return null;
  return { invitedBy: invitation.invitedBy };
}

function invited(
  type: keyof typeof INVITATION,
  before: AnyRecord | null,
  after: AnyRecord | null,
  inviter: AuditValues | null,
): readonly AuditFact[] {
  const fields = INVITATION[type];
  if (after === null) {
    // An invitation that was redeemed is used up: to remove it withdraws nothing.
    if (before === null || before.redeemed === true) return [];
    return [factOf('invitation-withdrawn', type, before.id, auditValuesOf(before, fields), null)];
  }
  if (before === null)
    return [factOf('invitation-made', type, after.id, null, auditValuesOf(after, fields))];
  const isRedeemed = after.redeemed === true && before.redeemed !== true;
  return [
    ...(isRedeemed ? [factOf('invitation-redeemed', type, after.id, null, inviter)] : []),
    ...changeOf('invitation-changed', type, fields, before, after),
  ];
}

/** A setting of the installation was made, changed or removed. */
function installed(
  type: TypeName,
  before: AnyRecord | null,
  after: AnyRecord | null,
): readonly AuditFact[] {
  const fields = settingsOf(type);
  if (before !== null && after !== null)
    return changeOf('settings-changed', type, fields, before, after);
  const last = after ?? before;
  if (last === null) return [];
  const values = auditValuesOf(last, fields);
  return before === null
    ? [factOf('settings-changed', type, last.id, null, values)]
    : [factOf('settings-changed', type, last.id, values, null)];
}

/** Says whether the person agreed to the membership (domain 2.8). */
export function isAccepted({ dateAccepted }: Of<'organizationMembership'>): boolean {
  return dateAccepted !== null;
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

/**
 * The fact that something an organization may use was switched on or off; none for another change.
 */
function switched(
  organization: string,
  what: AuditValues,
  before: object | null,
  after: object | null,
): readonly AuditFact[] {
  if (before !== null && after !== null) return [];
  const values = [before === null ? null : what, after === null ? null : what] as const;
  return [factOf('settings-changed', 'organization', organization, ...values)];
}

/** One fact with those of `fields` that differ; none when none does. */
function changeOf(
  kind: AuditKind,
  type: TypeName,
  fields: readonly string[],
  before: AnyRecord,
  after: AnyRecord,
): readonly AuditFact[] {
  const changed = fields.filter((field) => !isSameField(type, field, before[field], after[field]));
  if (changed.length === 0) return [];
  return [
    factOf(
      kind,
      type,
      after.id,
      auditValuesOf(before, changed, after),
      auditValuesOf(after, changed, before),
    ),
  ];
}
