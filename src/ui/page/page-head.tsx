import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { isBusyElsewhere } from '../form/takes-focus.ts';
import { useText } from '../text/text.ts';
import { useDateFormats } from '../value/values.tsx';

interface Props {
  readonly title: ReactNode;
  /** One line below the title. */
  readonly context?: ReactNode;
  /**
   * When that was true which the page shows, where it may be old. While nothing is said of it (null)
   * the place of that line is kept: nothing moves when it comes.
   */
  readonly asOf?: string | null;
  readonly actions?: ReactNode;
  /** Search and filters, beneath. */
  readonly filters?: ReactNode;
}

/** The head that every page has. Its title takes the focus when the page comes, unless a menu is open. */
export function PageHead({ title, context, asOf, actions, filters }: Props) {
  const t = useText();
  const dates = useDateFormats();
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
          {asOf !== undefined && (
            <div className="page-as-of caption">
              {asOf !== null && t('sync.asOf', { time: dates.short(asOf) })}
            </div>
          )}
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
