import { useId, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useOrganizations } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import {
  addressOfView,
  pathOfView,
  prepareView,
  useOrganizationOfView,
  useViewsHere,
} from './use-views.ts';
import './views.css';

interface Props {
  readonly onLeave?: () => void;
}

/** The saved views, below the links of the sidebar. */
export function SideViews({ onLeave }: Props) {
  const t = useText();
  const { own, shared } = useViewsHere();
  const inView = useOrganization();
  const organization = useOrganizations().find(({ id }) => id === inView)?.name ?? null;
  return (
    <>
      <Group title={t('views.mine')} views={own} onLeave={onLeave} />
      <Group
        title={organization === null ? t('views.shared') : t('views.sharedIn', { organization })}
        views={shared}
        onLeave={onLeave}
      />
    </>
  );
}

const SHOWN = 8;

interface GroupProps {
  readonly title: string;
  readonly views: readonly Of<'savedView'>[];
  readonly onLeave: (() => void) | undefined;
}

function Group({ title, views, onLeave }: GroupProps) {
  const t = useText();
  const id = useId();
  const [showsAll, setShowsAll] = useState(false);
  const [query] = useSearchParams();
  const { pathname } = useLocation();
  const organizationOf = useOrganizationOfView();
  if (views.length === 0) return null;
  // The pages of tasks have the view that one came from in their address too.
  const isOpen = (view: Of<'savedView'>) =>
    view.id === query.get('view') && pathname === pathOfView(view);
  const shown = showsAll ? views : views.slice(0, SHOWN);
  const hidden = views.length - shown.length;
  return (
    <section className="side-views" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="side-links">
        {shown.map((view) => {
          const organization = organizationOf(view);
          return (
            <li key={view.id}>
              <Link
                className="side-link"
                to={addressOfView(view)}
                aria-current={isOpen(view) ? 'page' : undefined}
                onClick={() => {
                  prepareView(view);
                  onLeave?.();
                }}
              >
                <Icon name="filter" />
                <span>
                  <bdi>{view.name}</bdi>
                  {organization !== null && (
                    <span className="caption">
                      {' '}
                      <bdi>{organization}</bdi>
                    </span>
                  )}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
      {hidden > 0 && (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            setShowsAll(true);
          }}
        >
          {t('views.showMore', { number: hidden })}
        </button>
      )}
    </section>
  );
}
