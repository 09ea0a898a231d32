import { resourceOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { mayManageAuthor } from './author.ts';
import type { Find } from './find.ts';
import { mayManageGroup, mayManageGroupMembership } from './group.ts';
import { isOwn } from './notification.ts';
import {
  mayCreateOrganization,
  mayEditOrganization,
  mayEndMembership,
  mayManageMembership,
  mayNameMember,
  mayNameOrganizationOwner,
  maySetDefinitions,
} from './organization.ts';
import { mayComment, mayEditComment, mayRemoveComment } from './product-comment.ts';
import { mayAddProduct, mayEditProperties, mayRunActions } from './product.ts';
import {
  mayArchive,
  mayChangeOwner,
  mayCreateProject,
  mayEditProject,
  mayImport,
  mayMoveTo,
  mayToggle,
} from './project.ts';
import { mayManageReviewer } from './reviewer.ts';
import { mayChangeView, mayCreateView, mayShareView } from './saved-view.ts';
import { allOf, anyOf, at, equals, everyone, inScope, nobody, self, superAdmin } from './scope.ts';
import type { Scope } from './scope.ts';
import { mayCommand } from './task/task.ts';
import { mayEditContact, mayEditUser, mayLock } from './user.ts';
import { mayGiveRole, mayTakeRole } from './user-role.ts';
import type { Viewer } from './viewer.ts';
import {
  admins,
  besideThem,
  contacts,
  hasPublicProject,
  itselfOrAdmins,
  itselfOrFellows,
  members,
  membersOrOutsiders,
  metByOutsiders,
  projectTeam,
} from './who.ts';

/** Says whether `viewer` may do it to `record`; of a new one: with these values. */
type May<T extends TypeName> = (viewer: Viewer, record: Of<T>, find: Find) => boolean;

/**
 * Says whether `viewer` may bring a field from what `before` has (null: a new record) to what
 * `after` has.
 */
type MayWrite<T extends TypeName> = (
  viewer: Viewer,
  before: Of<T> | null,
  after: Of<T>,
  find: Find,
) => boolean;

/**
 * Says who may do what to one resource. An action that is left out is for nobody; a field that is
 * left out is not narrowed.
 */
export interface Access<T extends TypeName> {
  readonly read: Scope;
  /** Fields that hide from some who see the record; they then read null. */
  readonly fields?: { readonly [F in keyof Of<T>]?: Scope };
  /** The scope of every field that `fields` does not name. */
  readonly otherFields?: Scope;
  readonly create?: May<T>;
  readonly update?: May<T>;
  readonly remove?: May<T>;
  /** Fields that not everyone may write who may write the record. */
  readonly write?: { readonly [F in keyof Of<T>]?: MayWrite<T> };
}

const bySuperAdmin = (viewer: Viewer): boolean => viewer.isSuperAdmin;
const catalogue = {
  read: everyone,
  create: bySuperAdmin,
  update: bySuperAdmin,
  remove: bySuperAdmin,
} as const;

/** THE permission page (domain 2.2 to 2.5). Read scopes are data; the rest are sentences. */
export const access: { readonly [T in TypeName]: Access<T> } = {
  user: {
    read: anyOf(superAdmin, self(''), besideThem, metByOutsiders),
    fields: {
      id: everyone,
      version: everyone,
      name: everyone,
      givenName: everyone,
      familyName: everyone,
      email: contacts,
      phone: contacts,
      timezone: contacts,
      locale: itselfOrAdmins,
      emailNotification: itselfOrAdmins,
      silencedMails: itselfOrAdmins,
      decimalSeparator: itselfOrAdmins,
      isLocked: itselfOrAdmins,
      authId: anyOf(superAdmin, self('')),
    },
    otherFields: itselfOrFellows,
    update: mayEditUser,
    write: {
      email: mayEditContact,
      emailNotification: mayEditContact,
      silencedMails: mayEditContact,
      profileVisibility: mayEditContact,
      isLocked: mayLock,
    },
  },
  role: { read: everyone },
  userRole: {
    read: anyOf(members('organization'), self('user')),
    create: mayGiveRole,
    remove: mayTakeRole,
  },
  organization: {
    read: anyOf(members(''), hasPublicProject),
    fields: {
      id: everyone,
      version: everyone,
      name: everyone,
      websiteUrl: everyone,
      logoUrl: everyone,
      owner: everyone,
      buildEngineUrl: admins(''),
      buildEngineAvailable: admins(''),
      buildEngineApiAccessTokenHint: admins(''),
    },
    otherFields: members(''),
    create: mayCreateOrganization,
    update: mayEditOrganization,
    remove: bySuperAdmin,
    write: { owner: mayNameOrganizationOwner },
  },
  organizationInvite: {
    read: superAdmin,
    create: bySuperAdmin,
    update: bySuperAdmin,
    remove: bySuperAdmin,
  },
  organizationInviteRequest: { read: nobody, create: () => true },
  organizationMembership: {
    read: anyOf(members('organization'), self('user')),
    create: mayManageMembership,
    update: isOwn,
    remove: mayEndMembership,
    write: { user: mayNameMember },
  },
  organizationMembershipInvite: {
    read: admins('organization'),
    create: mayManageMembership,
    remove: mayManageMembership,
  },
  group: {
    read: members('owner'),
    create: mayManageGroup,
    update: mayManageGroup,
    remove: mayManageGroup,
  },
  groupMembership: {
    read: anyOf(members('group.owner'), self('user')),
    create: mayManageGroupMembership,
    remove: mayManageGroupMembership,
  },
  organizationStore: { read: members('organization'), create: bySuperAdmin, remove: bySuperAdmin },
  organizationProductDefinition: {
    read: members('organization'),
    create: maySetDefinitions,
    remove: maySetDefinitions,
  },
  applicationType: { read: everyone },
  storeType: catalogue,
  storeLanguage: { read: everyone },
  store: catalogue,
  workflowDefinition: catalogue,
  productDefinition: catalogue,
  project: {
    read: membersOrOutsiders(''),
    fields: { workflowProjectUrl: members('organization'), location: members('organization') },
    create: mayCreateProject,
    update: mayEditProject,
    write: {
      isPublic: mayToggle,
      allowDownloads: mayToggle,
      automaticBuilds: mayToggle,
      dateArchived: (viewer, before, after) => mayArchive(viewer, before ?? after),
      owner: mayChangeOwner,
      group: mayMoveTo,
    },
  },
  projectImport: {
    read: anyOf(admins('organization'), self('owner')),
    fields: { importData: anyOf(admins('organization'), self('owner')) },
    create: mayImport,
  },
  reviewer: {
    read: at('project', projectTeam),
    create: mayManageReviewer,
    remove: mayManageReviewer,
  },
  author: {
    read: members('project.organization'),
    create: mayManageAuthor,
    remove: mayManageAuthor,
  },
  product: {
    read: membersOrOutsiders('project'),
    fields: {
      properties: members('project.organization'),
      workflowState: members('project.organization'),
      waitingFor: members('project.organization'),
      assigned: members('project.organization'),
      failure: members('project.organization'),
      failureReason: members('project.organization'),
    },
    create: mayAddProduct,
    update: mayEditProperties,
    remove: mayAddProduct,
    write: {
      properties: (viewer, before, after, find) => mayEditProperties(viewer, before ?? after, find),
    },
  },
  productBuild: {
    read: membersOrOutsiders('product.project'),
    fields: {
      logTail: members('product.project.organization'),
      startedBy: members('product.project.organization'),
    },
  },
  productArtifact: { read: membersOrOutsiders('product.project') },
  productPublication: { read: members('product.project.organization') },
  productTransition: { read: members('product.project.organization') },
  productComment: {
    read: members('product.project.organization'),
    create: mayComment,
    update: mayEditComment,
    remove: mayRemoveComment,
  },
  /** Answered by a call (domain 2.6), as are published apps. */
  productAction: { read: nobody },
  productActionRun: {
    read: nobody,
    create: (viewer, { product }, find) => {
      const on = find.one('product', product);
      return on !== null && mayRunActions(viewer, on, find);
    },
  },
  publishedApp: { read: nobody },
  userTask: { read: self('user') },
  taskCommand: { read: nobody, create: mayCommand },
  notification: { read: self('user'), update: isOwn, remove: isOwn },
  savedView: {
    read: anyOf(self('owner'), allOf(equals('isShared', true), members('organization'))),
    create: mayCreateView,
    update: mayChangeView,
    remove: mayChangeView,
    write: { isShared: mayShareView },
  },
  systemStatus: { read: superAdmin },
};

/** Says who sees `field` of a record of `type` that they see. A write-only field is for nobody. */
export function fieldScope(type: TypeName, field: string): Scope {
  const declared = resourceOf(type).fields[field];
  if (declared?.is === 'attribute' && declared.isWriteOnly) return nobody;
  const { fields, otherFields } = access[type] as Access<TypeName>;
  const named = fields as Readonly<Record<string, Scope | undefined>> | undefined;
  return named?.[field] ?? otherFields ?? everyone;
}

/**
 * Says whether `viewer` sees `record`. A record that they do not see does not exist for them (P4).
 */
export function mayRead<T extends TypeName>(
  viewer: Viewer,
  type: T,
  record: Of<T>,
  find: Find,
): boolean {
  return inScope(access[type].read, viewer, type, record, find);
}

/** Says whether `viewer`, who sees `record`, sees its `field`; otherwise it reads null. */
export function mayReadField<T extends TypeName>(
  viewer: Viewer,
  type: T,
  field: string,
  record: Of<T>,
  find: Find,
): boolean {
  return inScope(fieldScope(type, field), viewer, type, record, find);
}

/** Says whether `viewer` may create `record`, all of its fields stated. */
export function mayCreate<T extends TypeName>(
  viewer: Viewer,
  type: T,
  record: Of<T>,
  find: Find,
): boolean {
  return access[type].create?.(viewer, record, find) ?? false;
}

/**
 * Says whether `viewer`, who sees `record`, may change anything of it; fields have rules of their
 * own.
 */
export function mayUpdate<T extends TypeName>(
  viewer: Viewer,
  type: T,
  record: Of<T>,
  find: Find,
): boolean {
  return access[type].update?.(viewer, record, find) ?? false;
}

/**
 * Says whether `viewer`, who may create or update the record, may write `field`: from what `before`
 * has (null: a new record) to what `after`, the whole record with its new values, has.
 */
export function mayWriteField<T extends TypeName>(
  viewer: Viewer,
  type: T,
  field: string,
  before: Of<T> | null,
  after: Of<T>,
  find: Find,
): boolean {
  const rules = access[type].write as Readonly<Record<string, MayWrite<T> | undefined>> | undefined;
  return rules?.[field]?.(viewer, before, after, find) ?? true;
}

/** Says whether `viewer`, who sees `record`, may remove it; `usesOf` says whether it is in use. */
export function mayRemove<T extends TypeName>(
  viewer: Viewer,
  type: T,
  record: Of<T>,
  find: Find,
): boolean {
  return access[type].remove?.(viewer, record, find) ?? false;
}
