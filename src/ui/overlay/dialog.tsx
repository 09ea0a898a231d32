import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Icon } from '../picture/icon.tsx';
import { useText } from '../text/text.ts';
import { useToastHost } from './toasts.tsx';

interface Props {
  readonly title: string;
  readonly size?: 'small' | 'medium' | 'large' | 'right' | 'left';
  readonly children: ReactNode;
  /** Buttons, the primary one last. */
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  /** True while it saves; it stays open then. */
  readonly isBusy?: boolean;
}

/** These apply to this dialog alone: another one may stand in it, or around it. */
const ANSWERS = [
  '.dialog-body :is(input, select, textarea)',
  '.dialog-actions button:not(.negative)',
]
  .map((inside) => `:scope > .dialog-frame > ${inside}`)
  .join();

/**
 * A modal dialog, or a drawer at one side. The browser's own: it takes the focus, keeps it, and gives
 * it back to the opener; Escape and the dimmed area close.
 */
export function Dialog(props: Props) {
  const { title, size = 'small', children, actions, onClose, isBusy = false } = props;
  const t = useText();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const [body, isRead] = useReadByScrolling();
  const isDrawer = size === 'right' || size === 'left';
  useToastHost(element);

  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    // A drawer is read from its top; a dialog asks: its first field, else what takes nothing away.
    if (!isDrawer) dialog?.querySelector<HTMLElement>(ANSWERS)?.focus();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [isDrawer]);

  return (
    <dialog
      ref={element}
      className={`dialog dialog-${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === element.current && !isBusy) onClose();
      }}
    >
      <div className="dialog-frame">
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
          <button
            type="button"
            className="icon-button"
            aria-label={t('common.close')}
            disabled={isBusy}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </div>
        <div
          ref={body}
          className="dialog-body"
          {...(isRead ? { tabIndex: 0, role: 'group', 'aria-labelledby': id } : {})}
        >
          {children}
        </div>
        {actions !== undefined && <div className="dialog-actions">{actions}</div>}
      </div>
    </dialog>
  );
}

/**
 * Says whether an element is taller than its place and has nothing in it that takes the focus: the
 * keyboard can scroll it only if it takes the focus itself.
 */
function useReadByScrolling() {
  const element = useRef<HTMLDivElement>(null);
  const [isRead, setRead] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const look = () => {
      const isLong = current.scrollHeight > current.clientHeight;
      setRead(isLong && current.querySelector('a, button, input, select, textarea') === null);
    };
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [element, isRead] as const;
}
