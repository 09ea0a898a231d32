import { applicationType } from './application-type.ts';
import { author } from './author.ts';
import { group } from './group.ts';
import { groupMembership } from './group-membership.ts';
import { notification } from './notification.ts';
import { organization } from './organization.ts';
import { organizationInvite } from './organization-invite.ts';
import { organizationInviteRequest } from './organization-invite-request.ts';
import { organizationMembership } from './organization-membership.ts';
import { organizationMembershipInvite } from './organization-membership-invite.ts';
import { organizationProductDefinition } from './organization-product-definition.ts';
import { organizationStore } from './organization-store.ts';
import { product } from './product.ts';
import { productAction } from './product-action.ts';
import { productActionRun } from './product-action-run.ts';
import { productArtifact } from './product-artifact.ts';
import { productBuild } from './product-build.ts';
import { productComment } from './product-comment.ts';
import { productDefinition } from './product-definition.ts';
import { productPublication } from './product-publication.ts';
import { productTransition } from './product-transition.ts';
import { project } from './project.ts';
import { projectImport } from './project-import.ts';
import { publishedApp } from './published-app.ts';
import { reviewer } from './reviewer.ts';
import { role } from './role.ts';
import { savedView } from './saved-view.ts';
import { store } from './store.ts';
import { storeLanguage } from './store-language.ts';
import { storeType } from './store-type.ts';
import { systemStatus } from './system-status.ts';
import { taskCommand } from './task-command.ts';
import { user } from './user.ts';
import { userRole } from './user-role.ts';
import { userTask } from './user-task.ts';
import { workflowDefinition } from './workflow-definition.ts';
import type { Attribute, Field, RecordOf, Resource, ToMany, ToOne } from './define.ts';

/** Everything that exists, parents before children. */
const schema = {
  user,
  role,
  organization,
  userRole,
  organizationInvite,
  organizationInviteRequest,
  organizationMembership,
  organizationMembershipInvite,
  group,
  groupMembership,
  applicationType,
  storeType,
  storeLanguage,
  store,
  workflowDefinition,
  productDefinition,
  organizationStore,
  organizationProductDefinition,
  project,
  projectImport,
  reviewer,
  author,
  product,
  productBuild,
  productArtifact,
  productPublication,
  productTransition,
  productComment,
  productAction,
  productActionRun,
  publishedApp,
  userTask,
  taskCommand,
  notification,
  savedView,
  systemStatus,
} as const;

export type Schema = typeof schema;
export type TypeName = keyof Schema;
/** A record of the type named, flat: attributes, to-ones as ids, `version`. */
export type Of<T extends TypeName> = RecordOf<Schema[T]>;
/** A record of a type not known while compiling. */
export type AnyRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly version: number;
};

export const typeNames = Object.keys(schema) as TypeName[];
/** Types that have a table. */
export const storedTypes = typeNames.filter((name) => schema[name].isStored);

/** The declaration of `type`, without its literal types: for code that serves every resource. */
export function resourceOf(type: TypeName): Resource {
  return schema[type];
}

type Named<F> = readonly (readonly [string, F])[];

function fieldsThatAre(is: Field['is'], type: TypeName): Named<never> {
  return Object.entries(resourceOf(type).fields).filter(([, field]) => field.is === is) as never;
}

export const attributesOf: (type: TypeName) => Named<Attribute> = memo((type) =>
  fieldsThatAre('attribute', type),
);
export const toOnesOf: (type: TypeName) => Named<ToOne & { readonly to: TypeName }> = memo((type) =>
  fieldsThatAre('one', type),
);
export const toManysOf: (type: TypeName) => Named<ToMany & { readonly of: TypeName }> = memo(
  (type) => fieldsThatAre('many', type),
);

/** The to-many of the target that mirrors the to-one `field` of `type`, or null where none does. */
export function mirrorOf(type: TypeName, field: string): string | null {
  const to = toOnesOf(type).find(([name]) => name === field)?.[1].to;
  if (to === undefined) return null;
  return toManysOf(to).find(([, { of, inverse }]) => of === type && inverse === field)?.[0] ?? null;
}

function memo<T>(compute: (type: TypeName) => T): (type: TypeName) => T {
  const known = new Map<TypeName, T>();
  return (type) => {
    const value = known.get(type) ?? compute(type);
    known.set(type, value);
    return value;
  };
}
