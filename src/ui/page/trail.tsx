import { Children } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../text/text.ts';
import './trail.css';

/** Shows where the page is: links that lead here, from the widest, and last the page itself. */
export function Trail({ here, children }: { readonly here: string; readonly children: ReactNode }) {
  const t = useText();
  return (
    <nav className="breadcrumb" aria-label={t('flow.youAreHere')}>
      <ol>
        {Children.map(children, (link) => (
          <li>{link}</li>
        ))}
        <li aria-current="page">
          <bdi>{here}</bdi>
        </li>
      </ol>
    </nav>
  );
}
