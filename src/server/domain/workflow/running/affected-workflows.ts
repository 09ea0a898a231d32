import type { Of, TypeName } from '#schema/index.ts';
import type { WriteTransaction } from '../../../db/database.ts';
import type { Touched } from '../../../db/journal.ts';
import type { WriteContext } from '../../write-context.ts';
import { sql } from 'kysely';
import { recompute } from './run-workflow.ts';
import { updateDateActive } from './records.ts';
import { runningIn, runningOf } from './running-workflow.ts';

/** The projects, organizations and people whose workflows may have to be updated. */
interface Affected {
  readonly projects: Set<string>;
  readonly organizations: Set<string>;
  readonly people: Set<string>;
}

/**
 * Brings the workflows that are affected by the transaction up to date (U7), whoever wrote it and
 * whatever it removed along. It is called once, when all else is done.
 */
export async function updateAffectedWorkflows(context: WriteContext): Promise<void> {
  const { write } = context;
  const affected = affectedBy(write.touched());
  const projects = await projectsOf(write, affected);
  for (const product of await runningIn(write, projects)) {
    const running = await runningOf(write, product);
    if (running !== null) await recompute(context, running);
  }
  for (const project of affected.projects) await updateDateActive(write, project);
}

type AffectedRule<T extends TypeName> = (
  before: Of<T> | null,
  after: Of<T> | null,
  affected: Affected,
) => void;

/** The changes that affect workflows, by type; a name or a group alone affects none. */
const affectedRules: { readonly [T in TypeName]?: AffectedRule<T> } = {
  author: (before, after, { projects }) => {
    // The workflow itself decides whether they may upload.
    if (before !== null && after !== null) return;
    addOf(projects, (before ?? after)?.project);
  },
  reviewer: (before, after, { projects }) => {
    addOf(projects, (before ?? after)?.project);
  },
  project: (before, after, { projects }) => {
    if (before === null || after === null) return;
    const isOther = before.owner !== after.owner || before.dateArchived !== after.dateArchived;
    if (isOther) projects.add(after.id);
  },
  product: (before, after, { projects }) => {
    if (after === null) addOf(projects, before?.project);
  },
  userRole: (before, after, { organizations }) => {
    addOf(organizations, (before ?? after)?.organization);
  },
  organizationMembership: (before, after, { organizations }) => {
    addOf(organizations, (before ?? after)?.organization);
  },
  organization: (before, after, { organizations }) => {
    if (before !== null && after !== null && before.owner !== after.owner) {
      organizations.add(after.id);
    }
  },
  user: (before, after, { people }) => {
    if (before !== null && after !== null && before.isLocked !== after.isLocked) {
      people.add(after.id);
    }
  },
};

const addOf = (set: Set<string>, id: string | null | undefined): void => {
  if (typeof id === 'string') set.add(id);
};

function affectedBy(touched: readonly Touched[]): Affected {
  const affected: Affected = { projects: new Set(), organizations: new Set(), people: new Set() };
  for (const { type, before, after } of touched) {
    const rule = affectedRules[type] as AffectedRule<TypeName> | undefined;
    rule?.(before as Of<TypeName> | null, after as Of<TypeName> | null, affected);
  }
  return affected;
}

/** Returns the projects of the organizations and people in which something runs. */
async function projectsOf(
  write: WriteTransaction,
  { projects, organizations, people }: Affected,
): Promise<readonly string[]> {
  if (organizations.size + people.size === 0) return [...projects];
  const rows = await write.query(
    sql<{ readonly id: string }>`select distinct projects.id from running_workflows
      join products on products.id = running_workflows.product_id
      join projects on projects.id = products.project_id
      where projects.organization_id = any(${[...organizations]}::uuid[])
      or projects.organization_id in (select organization_id from organization_memberships
        where user_id = any(${[...people]}::uuid[]))
      or projects.organization_id in (select id from organizations
        where owner_id = any(${[...people]}::uuid[]))`,
  );
  return [...new Set([...projects, ...rows.map(({ id }) => id)])];
}
