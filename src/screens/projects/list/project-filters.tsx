import { useMemo } from 'react';
import { PRODUCT_STATUS_WORDS } from '#rules/product-status.ts';
import type { ProductStatusWord } from '#rules/product-status.ts';
import { useList, useViewer } from '#data/react/hooks.ts';
import type { ListFilter } from '#data/model/views.ts';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { FilterBar } from '../../app/page/filters/filter-bar.tsx';
import type { FilterBarProps } from '../../app/page/filters/filter-bar.tsx';
import { useFilterChoices } from '../../app/page/filters/filter-choices.ts';
import type { ProjectList } from '../lists.ts';

interface ProjectFilterBarProps extends Omit<FilterBarProps, 'title' | 'choices'> {
  readonly list: ProjectList;
  /** What the list keeps without filters: what occurs there can be chosen. */
  readonly kept: ListFilter<'project'>;
}

const STATUS_TEXTS: Readonly<Record<ProductStatusWord, TextKey>> = {
  building: 'productStatus.building',
  failed: 'projectFilters.failed',
  'waiting-for-you': 'productStatus.waiting-for-you',
  waiting: 'projectFilters.waiting',
  published: 'productStatus.published',
  'not-started': 'productStatus.not-started',
};

/**
 * The filters of a project list; what is one's own owner is no choice among one's own. With all
 * organizations in view there is a choice of all that the device of a super admin knows.
 */
export function ProjectFilterBar({ list, kept, ...bar }: ProjectFilterBarProps) {
  const t = useText();
  const viewer = useViewer();
  const isAll = viewer.isSuperAdmin && kept.organization === undefined;
  const { rows: projects } = useList('project', kept, isAll ? { anywhere: true } : {});
  const { rows: products } = useList('product', {}, { anywhere: true });
  const definitions = useMemo(() => {
    const ids = new Set(projects.map(({ id }) => id));
    const ofProducts = products.flatMap(({ project, productDefinition }) =>
      ids.has(project) ? productDefinition : [],
    );
    return new Set(ofProducts);
  }, [projects, products]);
  const status = PRODUCT_STATUS_WORDS.map((word) => ({
    value: word,
    label: t(STATUS_TEXTS[word]),
  }));
  const choices = useFilterChoices({ status, projects, definitions });
  return (
    <FilterBar
      {...bar}
      title={t('projectFilters.title')}
      choices={list.name === 'own' ? { ...choices, owner: [] } : choices}
    />
  );
}
