import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';

/** Says whether new content sets off builds of published products. */
export function useRebuilds(project: Of<'project'>): boolean {
  const { rows } = useList('product', { project: project.id });
  return project.automaticBuilds && rows.some(({ datePublished }) => datePublished !== null);
}
