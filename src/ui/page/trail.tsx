import { Children } from 'react';
import type { ReactNode } from 'react';
import { MenuButton } from '../overlay/menu-button.tsx';
import type { MenuEntry } from '../overlay/menu-button.tsx';
import { Icon } from '../picture/icon.tsx';
import { useText } from '../text/text.ts';
import './trail.css';

interface Props {
  readonly here: string;
  /** The pages beside this one and itself, which `here` then opens as a menu of that name. */
  readonly siblings?: { readonly label: string; readonly entries: readonly MenuEntry[] } | null;
  readonly children: ReactNode;
}

/** Shows where the page is: links that lead here, from the widest, and last the page itself. */
export function Trail({ here, siblings = null, children }: Props) {
  const t = useText();
  return (
    <nav className="breadcrumb" aria-label={t('flow.youAreHere')}>
      <ol>
        {Children.map(children, (link) => (
          <li>{link}</li>
        ))}
        <li aria-current="page">
          {siblings === null ? (
            <bdi>{here}</bdi>
          ) : (
            <MenuButton label={siblings.label} align="left" entries={siblings.entries}>
              <bdi>{here}</bdi>
              <Icon name="down" />
            </MenuButton>
          )}
        </li>
      </ol>
    </nav>
  );
}
