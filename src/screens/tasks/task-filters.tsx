import { TASK_GROUPS } from '#rules/task/task-group.ts';
import { useFind } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { FilterBar } from '../app/page/filters/filter-bar.tsx';
import type { FilterBarProps } from '../app/page/filters/filter-bar.tsx';
import { useFilterChoices } from '../app/page/filters/filter-choices.ts';
import type { GroupedTask } from '../flow/task-groups.ts';

interface TaskFilterBarProps extends Omit<FilterBarProps, 'title' | 'choices'> {
  /** Those of the list without filters: what occurs there can be chosen. */
  readonly tasks: readonly GroupedTask[];
}

/** The filters of My Tasks: by the group of a task, and by its project and product. */
export function TaskFilterBar({ tasks, ...bar }: TaskFilterBarProps) {
  const t = useText();
  const find = useFind();
  const products = tasks.flatMap(({ product }) => product ?? []);
  const choices = useFilterChoices({
    status: TASK_GROUPS.map((group) => ({ value: group, label: t(`tasks.status.${group}`) })),
    projects: products.flatMap(({ project }) => find.one('project', project) ?? []),
    definitions: new Set(products.map(({ productDefinition }) => productDefinition)),
  });
  return <FilterBar {...bar} title={t('tasks.filter')} choices={choices} />;
}
