import { useOrganization } from '#session/organization.ts';
import { useViewer } from '#data/react/hooks.ts';
import type { IconName } from '#ui/picture/icon.tsx';
import type { TextKey } from '#ui/text/text.ts';
import { useIsAdminHere } from '../page/here.tsx';

/** A screen that one can go to from everywhere. */
export interface Screen {
  readonly to: string;
  readonly title: TextKey;
  readonly icon: IconName;
}

/** The screens of the navigation that are for this person, in its order. */
export function useScreens(): readonly Screen[] {
  const isAdmin = useIsAdminHere();
  const { isSuperAdmin } = useViewer();
  const organization = useOrganization();
  const screens: Screen[] = [
    { to: '/tasks', title: 'sidebar.tasks', icon: 'tasks' },
    { to: '/projects/own', title: 'projects.switcher.dropdown.myProjects', icon: 'person' },
    {
      to: '/projects/organization',
      title: 'projects.switcher.dropdown.orgProjects',
      icon: 'building',
    },
    { to: '/builds', title: 'sidebar.builds', icon: 'hammer' },
  ];
  if (isAdmin)
    screens.push(
      {
        to: '/projects/active',
        title: 'projects.switcher.dropdown.activeProjects',
        icon: 'plug',
      },
      { to: '/users', title: 'sidebar.users', icon: 'people' },
    );
  if (isAdmin && organization !== null)
    screens.push({
      to: `/organizations/${organization}/settings`,
      title: 'sidebar.organizationSettings',
      icon: 'gear',
    });
  if (isSuperAdmin)
    screens.push({ to: '/admin/settings', title: 'sidebar.adminSettings', icon: 'lock' });
  screens.push({ to: '/directory', title: 'sidebar.directory', icon: 'globe' });
  return screens;
}
