import { NavLink, useLocation, useNavigate } from 'react-router-dom';
import { useIsNarrow } from '#ui/ui-environment.tsx';
import './page-tabs.css';

interface PageTab {
  readonly to: string;
  readonly title: string;
  /** Pages below that address are of other tabs. */
  readonly isExact?: boolean;
}

interface Props {
  /** What the tabs are parts of. */
  readonly label: string;
  readonly tabs: readonly PageTab[];
  /** They stand one below the other, at the side of the page. */
  readonly isAside?: boolean;
}

/** The ways between the pages that belong together; on narrow screens a choice. */
export function PageTabs({ label, tabs, isAside = false }: Props) {
  const go = useNavigate();
  const { pathname } = useLocation();
  const isNarrow = useIsNarrow();
  if (isNarrow) {
    const isHere = ({ to, isExact }: PageTab) =>
      pathname === to || (isExact !== true && pathname.startsWith(`${to}/`));
    const here = tabs.find(isHere)?.to;
    return (
      <div className="ui form tab-choice">
        <div className="field">
          <select
            aria-label={label}
            value={here ?? ''}
            onChange={(event) => void go(event.target.value)}
          >
            {here === undefined && <option value="" hidden />}
            {tabs.map(({ to, title }) => (
              <option key={to} value={to}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </div>
    );
  }
  return (
    <nav className={isAside ? 'tabs tabs-aside' : 'tabs'} aria-label={label}>
      {tabs.map(({ to, title, isExact = false }) => (
        <NavLink key={to} to={to} end={isExact}>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}
