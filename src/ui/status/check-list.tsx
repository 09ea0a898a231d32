import type { ReactNode } from 'react';
import { Icon } from '../picture/icon.tsx';
import './check-list.css';

/** Lists what is to be done, in its order. */
export function CheckList({ children }: { readonly children: ReactNode }) {
  return <ol className="check-list">{children}</ol>;
}

interface LineProps {
  readonly is: 'done' | 'now' | 'next';
  /** Says in a word what the tick means. */
  readonly mark: string;
  readonly children: ReactNode;
}

export function CheckListLine({ is, mark, children }: LineProps) {
  return (
    <li data-is={is} aria-current={is === 'now' ? 'step' : undefined}>
      <span className="check-list-mark">{is === 'done' && <Icon name="check" label={mark} />}</span>
      {children}
    </li>
  );
}
