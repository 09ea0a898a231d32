import type { ButtonHTMLAttributes } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../picture/icon.tsx';
import { useUiEnvironment } from '../ui-environment.tsx';
import { useText } from '../text/text.ts';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** The one that leads on; at most one a view. */
  readonly primary?: boolean;
  /** Takes something away. */
  readonly negative?: boolean;
  readonly fluid?: boolean;
  readonly loading?: boolean;
}

/**
 * A button in Semantic's markup. Semantic's own component would bring labels, pictures, dimmers and
 * portals into the first load, none of which is used.
 */
export function Button({
  primary,
  negative,
  fluid,
  loading,
  type = 'button',
  ...rest
}: ButtonProps) {
  const looks = { primary, negative, fluid, loading };
  const names = Object.entries(looks).flatMap(([name, isSo]) => (isSo === true ? name : []));
  return <button {...rest} type={type} className={['ui', ...names, 'button'].join(' ')} />;
}

interface ShowAllButtonProps {
  /** The id of the element that shows in part. */
  readonly of: string;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** Shows the rest of an element, and hides it again. */
export function ShowAllButton({ of, isOpen, onToggle }: ShowAllButtonProps) {
  const t = useText();
  return (
    <button
      type="button"
      className="link-button"
      aria-expanded={isOpen}
      aria-controls={of}
      onClick={() => {
        onToggle(!isOpen);
      }}
    >
      {t(isOpen ? 'common.showLess' : 'common.showAll')}
    </button>
  );
}

interface CheckBoxProps {
  readonly label: string;
  readonly state: 'none' | 'some' | 'all';
  readonly onChange: (isChecked: boolean, isRange: boolean) => void;
}

/** A box of three states with a name for those who do not see it. */
export function CheckBox({ label, state, onChange }: CheckBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const isRange = useRef(false);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = state === 'some';
  }, [state]);

  return (
    <span className="check-box">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={state === 'all'}
        onClick={(event) => {
          isRange.current = event.shiftKey;
        }}
        onChange={(event) => {
          onChange(event.target.checked, isRange.current);
        }}
      />
    </span>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly waitMs: number;
  readonly onSearch: (words: string) => void;
  /** Called when somebody is about to search, and with what they typed before it is searched. */
  readonly prepare?: ((typed: string) => void) | undefined;
}

/** Searches a moment after typing, at once on Enter; Escape and × bring the full list back. */
export function SearchField({ label, value, waitMs, onSearch, prepare }: SearchFieldProps) {
  const t = useText();
  const { later } = useUiEnvironment();
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const callOff = useRef<(() => void) | null>(null);
  const input = useRef<HTMLInputElement>(null);
  if (seen !== value) {
    // The address changed by other means than typing here: Back, or a link.
    setSeen(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => () => callOff.current?.(), []);

  const search = (words: string, afterMs: number) => {
    callOff.current?.();
    callOff.current = null;
    setTyped(words);
    if (afterMs === 0) onSearch(words.trim());
    else
      callOff.current = later(() => {
        onSearch(words.trim());
      }, afterMs);
  };
  return (
    <div className="search-field" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        data-shortcut="search"
        onFocus={() => {
          prepare?.(typed);
        }}
        onChange={(event) => {
          search(event.target.value, waitMs);
          prepare?.(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(typed, 0);
          if (event.key === 'Escape' && typed !== '') search('', 0);
        }}
        onBlur={({ relatedTarget }) => {
          // Whoever follows a link has found it: a search that comes later would lead back here.
          if (relatedTarget instanceof HTMLAnchorElement) callOff.current?.();
        }}
      />
      {typed !== '' && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('common.clearSearch')}
          onClick={() => {
            search('', 0);
            input.current?.focus();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
