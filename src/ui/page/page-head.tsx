import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { isBusyElsewhere } from '../form/takes-focus.ts';
import { Icon } from '../picture/icon.tsx';
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
  /** The status of the server's answer, where it is broken and what shows is of before. */
  readonly serverError?: { readonly status: string } | undefined;
  readonly onTryAgain?: () => void;
  readonly actions?: ReactNode;
  /** Search and filters, beneath. */
  readonly filters?: ReactNode;
}

/** The head that every page has. Its title takes the focus when the page comes, unless a menu is open. */
export function PageHead(props: Props) {
  const { title, context, asOf, serverError, actions, filters } = props;
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
              {serverError !== undefined && (
                <strong>
                  <Icon name="warning" /> {t('sync.serverError', serverError)}{' '}
                </strong>
              )}
              {asOf !== null && t('sync.asOf', { time: dates.short(asOf) })}
              {serverError !== undefined && (
                <button type="button" className="link-button" onClick={props.onTryAgain}>
                  {t('common.tryAgain')}
                </button>
              )}
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
