import { NavLink } from 'react-router-dom';
import { useOrganization } from '#session/organization.ts';
import { useTaskCount, useViewer } from '#data/use-viewer.ts';
import { Icon } from '#ui/icon.tsx';
import type { IconName } from '#ui/icon.tsx';
import { useText } from '#ui/text.ts';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { useState } from 'react';

interface Props {
  readonly onLeave?: () => void;
}

/** Where one can go, or, with the switcher open, whose work one looks at. */
export function Sidebar({ onLeave }: Props) {
  const t = useText();
  const [isSwitching, setSwitching] = useState(false);
  const viewer = useViewer();
  const organization = useOrganization();
  const taskCount = useTaskCount();
  const isAdmin =
    viewer.isSuperAdmin ||
    (organization === null ? viewer.adminOf.size > 0 : viewer.adminOf.has(organization));

  const links: [to: string, label: string, icon: IconName][] = [
    [
      '/tasks',
      taskCount > 0 ? t('sidebar.tasksCount', { number: taskCount }) : t('sidebar.tasks'),
      'tasks',
    ],
    ['/projects/own', t('projects.switcher.dropdown.myProjects'), 'person'],
    ['/projects/organization', t('projects.switcher.dropdown.orgProjects'), 'building'],
  ];
  if (isAdmin)
    links.push(['/projects/active', t('projects.switcher.dropdown.activeProjects'), 'plug']);

  return (
    <aside className="shell-sidebar" aria-label={t('sidebar.label')}>
      <OrganizationSwitcher
        isOpen={isSwitching}
        onOpen={setSwitching}
        {...(onLeave === undefined ? {} : { onLeave })}
      />
      {!isSwitching && (
        <nav aria-label={t('sidebar.links')}>
          <ul className="side-links">
            {links.map(([to, label, icon]) => (
              <li key={to}>
                <NavLink className="side-link" to={to} onClick={onLeave}>
                  <Icon name={icon} />
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </aside>
  );
}
