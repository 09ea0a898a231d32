import { resourceOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { Field } from '#schema/define.ts';
import type { Find } from '../find.ts';
import { INVITE_LASTS_MS } from '../valid/invite.ts';
import type { Viewer } from '../viewer.ts';

export interface Making {
  readonly viewer: Viewer;
  readonly find: Find;
  /** The present moment, as it travels. */
  readonly at: string;
  readonly id: string;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The new record that `fields`, normalised, make: every field is stated, `null` where there is
 * nothing. What the server sets is predicted by the same function on the device (version 0).
 */
export function newRecord<T extends TypeName>(
  type: T,
  fields: Partial<Of<T>>,
  making: Making,
): Of<T> {
  const stated = fields as Values;
  const predicted = predictions[type]?.(stated, making) ?? {};
  const record: Record<string, unknown> = {
    id: making.id,
    version: 0,
    dateCreated: making.at,
    dateUpdated: making.at,
  };
  for (const [name, field] of Object.entries(resourceOf(type).fields)) {
    if (field.is !== 'many')
      record[name] = stated[name] ?? predicted[name] ?? fallback(field, stated[name]);
  }
  return record as Of<T>;
}

/** A null that was stated stays: whether it may be is a question of validity. */
function fallback(field: Field, stated: unknown): unknown {
  return field.is === 'attribute' && stated === undefined ? field.fallback : null;
}

const predictions: Readonly<Partial<Record<TypeName, (fields: Values, making: Making) => Values>>> =
  {
    project: ({ organization, isPublic }, { viewer, find }) => ({
      owner: viewer.id,
      ...(isPublic === undefined ? { isPublic: isPublicByDefault(organization, find) } : {}),
    }),
    projectImport: (_, { viewer }) => ({ owner: viewer.id }),
    organization: ({ token }, { viewer }) =>
      token === undefined || token === null ? {} : { owner: viewer.id },
    // People who add themselves agree to it; everybody else is asked (domain 2.8).
    organizationMembership: ({ user }, { at, viewer }) => ({
      addedBy: viewer.id,
      ...(user === viewer.id ? { dateAccepted: at } : {}),
    }),
    organizationInvite: (_, { at }) => ({ expiresAt: inviteEnd(at) }),
    organizationMembershipInvite: (_, { at, viewer }) => ({
      expiresAt: inviteEnd(at),
      invitedBy: viewer.id,
    }),
    reviewer: ({ locale }, { viewer, find }) =>
      locale === undefined ? { locale: find.one('user', viewer.id)?.locale ?? 'en-US' } : {},
    userRole: ({ role }, { find }) => ({
      roleName: typeof role === 'string' ? (find.one('role', role)?.roleName ?? null) : null,
    }),
  };

const inviteEnd = (at: string) => new Date(Date.parse(at) + INVITE_LASTS_MS).toISOString();

function isPublicByDefault(organization: unknown, find: Find): boolean {
  if (typeof organization !== 'string') return true;
  return find.one('organization', organization)?.publicByDefault ?? true;
}
