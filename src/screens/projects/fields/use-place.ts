import type { Of } from '#schema/index.ts';
import { useList, useViewer } from '#data/react/hooks.ts';

/** The organization and group that new projects go to. */
export interface ProjectPlace {
  /** Groups to choose from, by name: one's own, for super admins all of the organization. */
  readonly groups: readonly Of<'group'>[];
  readonly types: readonly Of<'applicationType'>[];
  /** The one chosen, else the first; undefined: there is none. */
  readonly group: Of<'group'> | undefined;
  readonly type: Of<'applicationType'> | undefined;
}

export function usePlace(
  organization: string,
  chosen: { readonly group: string; readonly type: string },
): ProjectPlace {
  const viewer = useViewer();
  const { rows } = useList('group', { owner: organization }, { sort: 'name' });
  const groups = viewer.isSuperAdmin ? rows : rows.filter(({ id }) => viewer.groups.has(id));
  const { rows: types } = useList('applicationType', {}, { sort: 'description' });
  return {
    groups,
    types,
    group: groups.find(({ id }) => id === chosen.group) ?? groups[0],
    type: types.find(({ id }) => id === chosen.type) ?? types[0],
  };
}
