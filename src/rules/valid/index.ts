import { isUuid } from '#base/id.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { ToOne } from '#schema/define.ts';
import type { Find } from '../find.ts';
import type { Viewer } from '../viewer.ts';
import { brokenAuthor } from './author.ts';
import { broken } from './broken.ts';
import type { Broken } from './broken.ts';
import type { Checking, RecordRules } from './form.ts';
import { brokenGroupMembership } from './group-membership.ts';
import { brokenInvite, brokenMembershipInvite } from './invite.ts';
import { brokenMembership } from './organization-membership.ts';
import { brokenProduct } from './product.ts';
import { brokenDefinition } from './product-definition.ts';
import { brokenProject } from './project.ts';
import { brokenTaskCommand } from './task-command.ts';
import { brokenUser } from './user.ts';
import { brokenUserRole } from './user-role.ts';
import { brokenValue } from './value.ts';
import { brokenWorkflow } from './workflow-definition.ts';

export { normalise } from './normal.ts';
export type { Broken } from './broken.ts';
export type { Checking } from './form.ts';

/**
 * The rules for files of projects are in `whole.ts`: the app brings that with the page that
 * imports.
 */
const forms: { readonly [T in TypeName]?: RecordRules<T> } = {
  author: brokenAuthor,
  groupMembership: brokenGroupMembership,
  organizationInvite: brokenInvite,
  organizationMembership: brokenMembership,
  organizationMembershipInvite: brokenMembershipInvite,
  product: brokenProduct,
  productDefinition: brokenDefinition,
  project: brokenProject,
  taskCommand: brokenTaskCommand,
  user: brokenUser,
  userRole: brokenUserRole,
  workflowDefinition: brokenWorkflow,
};

/** Says whether `viewer` sees a record that is referred to. */
type MayRead = <T extends TypeName>(viewer: Viewer, type: T, record: Of<T>, find: Find) => boolean;

/**
 * Every broken rule of what is written, one per field at most from its value alone, then those that
 * concern other records. Empty: valid. A device that lacks a record cannot say `reference`: it
 * gives null for `mayRead`. `form`: the other rules of the type.
 */
export function validate<T extends TypeName>(
  type: T,
  checking: Checking<T>,
  mayRead: MayRead | null,
  form: RecordRules<T> | null = forms[type] ?? null,
): readonly Broken[] {
  const single = checkedFields(type, checking).flatMap(
    (name) => brokenField(type, name, checking, mayRead) ?? [],
  );
  const wrong = new Set(single.map(({ field }) => field));
  // Ids that are none would be looked for, and the answer would name what the person does not see.
  if (single.some(({ rule }) => rule === 'type' || rule === 'reference')) return single;
  const more = (form?.(checking) ?? []).filter((one) => one !== null && !wrong.has(one.field));
  return [...single, ...more.filter((one) => one !== null)];
}

/** A new record is checked whole, an old one where it is written. */
function checkedFields<T extends TypeName>(type: T, { before, written }: Checking<T>): string[] {
  return Object.entries(resourceOf(type).fields).flatMap(([name, field]) => {
    if (field.is === 'many' || field.write === 'server') return [];
    return written.includes(name) || (before === null && field.write !== 'update') ? [name] : [];
  });
}

function brokenField<T extends TypeName>(
  type: T,
  name: string,
  checking: Checking<T>,
  mayRead: MayRead | null,
): Broken | null {
  const field = resourceOf(type).fields[name];
  const value = (checking.after as AnyRecord)[name] ?? null;
  if (field?.is === 'attribute') return brokenValue(name, field, value);
  if (field?.is !== 'one') return null;
  if (value === null && mayLack(type, field, checking.after)) return null;
  return brokenLink(name, field, value, checking, mayRead);
}

function brokenLink<T extends TypeName>(
  name: string,
  { to }: ToOne,
  value: unknown,
  checking: Checking<T>,
  mayRead: MayRead | null,
): Broken | null {
  if (value === null) return broken(name, 'required');
  if (!isUuid(value)) return broken(name, 'type');
  if (mayRead === null) return null;
  const { viewer, find } = checking;
  const target = find.one(to as TypeName, value);
  const isSeen = target !== null && mayRead(viewer, to as TypeName, target, find);
  return isSeen ? null : broken(name, 'reference');
}

/** A member can be named by their email; only the server can say who that is. */
function mayLack(type: TypeName, { nullable }: ToOne, record: object): boolean {
  if (nullable) return true;
  return type === 'organizationMembership' && 'email' in record && record.email !== null;
}
