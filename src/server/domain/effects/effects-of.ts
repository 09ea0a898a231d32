import type { TypeName } from '#schema/index.ts';
import { author } from './author.ts';
import type { Effects } from './effects.ts';
import { organization } from './organization.ts';
import { organizationInvite } from './organization-invite.ts';
import { organizationMembership } from './organization-membership.ts';
import { organizationMembershipInvite } from './organization-membership-invite.ts';
import { product } from './product.ts';
import { productComment } from './product-comment.ts';
import { productActionRun } from './product-action-run.ts';
import { project } from './project.ts';
import { projectImport } from './project-import.ts';
import { taskCommand } from './task-command.ts';
import { user } from './user.ts';

const effects: Readonly<Partial<Record<TypeName, Effects>>> = {
  author,
  organization,
  organizationInvite,
  organizationMembership,
  organizationMembershipInvite,
  product,
  productActionRun,
  productComment,
  project,
  projectImport,
  taskCommand,
  user,
};

const NONE: Effects = {};

/** Returns the effects of a type. */
export function effectsOf(type: TypeName): Effects {
  return effects[type] ?? NONE;
}
