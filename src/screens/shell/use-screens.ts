import { useOrganization } from '#session/organization.ts';
import { useViewer } from '#data/use-viewer.ts';
import type { IconName } from '#ui/icon.tsx';
import type { TextKey } from '#ui/text.ts';

/** A screen that one can go to from everywhere. */
export interface Screen {
  readonly to: string;
  readonly title: TextKey;
  readonly icon: IconName;
}

/** Whether this person is an admin of the organization in view, or of any when all are. */
export function useIsAdminHere(): boolean {
  const { isSuperAdmin, adminOf } = useViewer();
  const organization = useOrganization();
  return isSuperAdmin || (organization === null ? adminOf.size > 0 : adminOf.has(organization));
}

/** The screens of the navigation that are for this person, in its order. */
export function useScreens(): readonly Screen[] {
  const isAdmin = useIsAdminHere();
  const screens: Screen[] = [
    { to: '/tasks', title: 'sidebar.tasks', icon: 'tasks' },
    { to: '/projects/own', title: 'projects.switcher.dropdown.myProjects', icon: 'person' },
    {
      to: '/projects/organization',
      title: 'projects.switcher.dropdown.orgProjects',
      icon: 'building',
    },
  ];
  if (isAdmin)
    screens.push({
      to: '/projects/active',
      title: 'projects.switcher.dropdown.activeProjects',
      icon: 'plug',
    });
  return screens;
}
