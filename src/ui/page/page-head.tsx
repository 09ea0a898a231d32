import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { isBusyElsewhere } from '../form/takes-focus.ts';

interface Props {
  readonly title: ReactNode;
  /** One line below the title. */
  readonly context?: ReactNode;
  readonly actions?: ReactNode;
  /** Search and filters, beneath. */
  readonly filters?: ReactNode;
}

/** The head that every page has. Its title takes the focus when the page comes, unless a menu is open. */
export function PageHead({ title, context, actions, filters }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isBusyElsewhere()) return;
    // A form that put the cursor into its first field knows better.
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || !isInPage(activeElement))
      heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <header className="page-head">
      <div className="page-head-line">
        <div className="page-head-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {context !== undefined && <div className="page-context">{context}</div>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
      {filters !== undefined && <div className="page-filters">{filters}</div>}
    </header>
  );
}

/**
 * True in the content of the page; not where the skip link leads, which is there for every page.
 */
function isInPage(element: Element): boolean {
  return element.matches('main *');
}
