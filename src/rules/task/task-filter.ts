import { fold } from '#base/unicode.ts';
import type { Product } from '#schema/product.ts';
import type { Find } from '../find.ts';
import { ME, PROJECT_FILTERS } from '../record/project-query.ts';
import type { ProjectFilterName, ProjectFilters } from '../record/project-query.ts';
import type { TaskGroup } from './task-group.ts';

/** What stands in My Tasks. */
interface ListedTask {
  readonly group: TaskGroup;
  /** Null for a task that has lost its product. */
  readonly product: Product | null;
}

/**
 * Says whether `filters` leave a task of `viewer` in sight: the status is its group, and all others
 * are about its project and product. A task that has lost its product passes the status alone.
 *
 * @param viewer the id of whoever reads
 */
export function passesFilters(
  task: ListedTask,
  filters: ProjectFilters,
  viewer: string,
  find: Find,
): boolean {
  const values = valuesOf(task, find);
  const wanted: ProjectFilters = {
    ...filters,
    language: filters.language.map((tag) => fold(tag)),
    owner: filters.owner.map((owner) => (owner === ME ? viewer : owner)),
  };
  return PROJECT_FILTERS.every((name) => {
    const value = values[name];
    // A filter without values keeps nothing out.
    return wanted[name].length === 0 || (value !== null && wanted[name].includes(value));
  });
}

type TaskValues = Readonly<Record<ProjectFilterName, string | null>>;

const NO_PRODUCT = { language: null, owner: null, group: null, product: null } as const;

function valuesOf({ group, product }: ListedTask, find: Find): TaskValues {
  if (product === null) return { status: group, ...NO_PRODUCT };
  const project = find.one('project', product.project);
  return {
    status: group,
    language: project === null ? null : fold(project.language),
    owner: project?.owner ?? null,
    group: project?.group ?? null,
    product: product.productDefinition,
  };
}
