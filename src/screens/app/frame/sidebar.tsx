import { memo, useState } from 'react';
import { NavLink } from 'react-router-dom';
import { Icon } from '#ui/picture/icon.tsx';
import { useList } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { LatePart } from '../page/late/late-part.tsx';
import { useOwnTasks } from '../../flow/own-tasks.ts';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { useScreens } from './use-screens.ts';

/** It is part of the first load for who has views: what it says comes with it. */
const loadViews = async () => (await import('../page/views/side-views.tsx')).SideViews;

interface Props {
  readonly onLeave?: () => void;
}

/** Lists where one can go, or, with the switcher open, whose work one looks at. */
export const Sidebar = memo(function Sidebar({ onLeave }: Props) {
  const t = useText();
  const [isSwitching, setSwitching] = useState(false);
  const screens = useScreens();
  const { total } = useOwnTasks();
  const hasViews = useList('savedView', {}).total > 0;

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
            {screens.map(({ to, title, icon }) => (
              <li key={to} className={to === '/directory' ? 'side-rule' : undefined}>
                <NavLink className="side-link" to={to} onClick={onLeave}>
                  <Icon name={icon} />
                  {to === '/tasks' && total > 0
                    ? t('sidebar.tasksCount', { number: total })
                    : t(title)}
                </NavLink>
              </li>
            ))}
            <li className="side-rule">
              <a className="side-link" href="/open-source" target="_blank" rel="noreferrer">
                <Icon name="info" />
                {t('sidebar.openSource')}
              </a>
            </li>
          </ul>
          {hasViews && (
            <LatePart
              load={loadViews}
              props={onLeave === undefined ? {} : { onLeave }}
              frame={() => null}
            />
          )}
        </nav>
      )}
    </aside>
  );
});
