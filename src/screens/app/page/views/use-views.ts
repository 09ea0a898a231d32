import { useNavigate } from 'react-router-dom';
import { administersHere } from '#rules/organization.ts';
import { compareTexts } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import { chooseOrganization, useOrganization } from '#session/organization.ts';
import { useList, useOrganizations, useViewer } from '#data/react/hooks.ts';

type View = Of<'savedView'>;

/** The path of the page that the view is of. */
export const pathOfView = ({ shows, list }: View): string =>
  shows === 'tasks' ? '/tasks' : `/projects/${list}`;

/** The address of the list as the view has it; it can be sent to who lacks the view. */
export function addressOfView(view: View): string {
  const { id, query } = view;
  return `${pathOfView(view)}?${query === '' ? '' : `${query}&`}view=${id}`;
}

/** Puts what is in view right before the address of a view is gone to. */
export function prepareView({ organization }: View): void {
  if (organization !== null) chooseOrganization(organization);
}

/** Opens a view. */
export function useOpeningView(): (view: View) => void {
  const go = useNavigate();
  return (view) => {
    prepareView(view);
    void go(addressOfView(view));
  };
}

interface ViewsHere {
  readonly own: readonly View[];
  readonly shared: readonly View[];
}

/**
 * The views of the organization in view and those of none, each by name; with all in view all of
 * them. Those of a list that the person may not open are left out.
 */
export function useViewsHere(): ViewsHere {
  const viewer = useViewer();
  const inView = useOrganization();
  const views = useList('savedView', {}).rows.filter(
    ({ list, organization }) =>
      (inView === null || organization === null || organization === inView) &&
      (list !== 'active' || administersHere(viewer, organization ?? inView)),
  );
  const sorted = views.toSorted((a, b) => compareTexts(a.name, b.name) || (a.id < b.id ? -1 : 1));
  return {
    own: sorted.filter(({ isShared }) => !isShared),
    shared: sorted.filter(({ isShared }) => isShared),
  };
}

/** Names the organization of a view where that is not the one in view anyway; null: it has none. */
export function useOrganizationOfView(): (view: View) => string | null {
  const inView = useOrganization();
  const organizations = useOrganizations();
  return ({ organization }) =>
    inView === null ? (organizations.find(({ id }) => id === organization)?.name ?? null) : null;
}
