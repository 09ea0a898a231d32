import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import { usePageTitle } from './page-title.ts';

interface Props {
  readonly title: string;
  /** For a list instead of a few sentences. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A full coloured page with one card on it. */
export function FocusPage({ title, isWide = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <main className="focus-page">
      <div className={isWide ? 'focus-card wide' : 'focus-card'}>
        <Brand />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}
