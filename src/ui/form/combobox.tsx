import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { Tied } from './field.tsx';
import { Icon } from '../picture/icon.tsx';

export interface Option {
  readonly id: string;
  readonly label: string;
  readonly content?: ReactNode;
}

interface Props {
  readonly tied: Tied;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly options: readonly Option[];
  readonly onPick: (option: Option) => void;
  /** The first Escape closes, the next one calls this. */
  readonly onClear?: () => void;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
  readonly isDisabled?: boolean;
  /** Said in place of suggestions when there are none. */
  readonly none?: string;
  /** Stands before the text, inside the field. */
  readonly before?: ReactNode;
  /** A sign at its end that there is something to choose from. */
  readonly hasArrow?: boolean;
  readonly className?: string;
  readonly autoFocus?: boolean;
}

/** A text field with suggestions: arrows move without changing the text, Enter takes, Escape closes. */
export function Combobox(props: Props) {
  const { tied, text, onText, options, onPick, onClear, isDisabled = false, none, before } = props;
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const { autoFocus = false } = props;
  const current = isOpen ? options[active] : undefined;
  const shows = isOpen && !isDisabled && (options.length > 0 || none !== undefined);

  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, [autoFocus]);

  const pick = (option: Option) => {
    onPick(option);
    setOpen(false);
    setActive(-1);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (options.length > 0)
        setActive(
          (active + step + options.length + (active < 0 && step < 0 ? 1 : 0)) % options.length,
        );
    } else if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      pick(current);
    } else if (event.key === 'Escape' && (shows || onClear !== undefined)) {
      event.stopPropagation();
      event.preventDefault();
      if (shows) setOpen(false);
      else onClear?.();
    }
  };

  return (
    <div className={`combobox ${props.className ?? ''}`}>
      <div className="combobox-field">
        {before}
        <input
          {...tied}
          ref={input}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          value={text}
          disabled={isDisabled}
          aria-autocomplete="list"
          aria-expanded={shows}
          aria-controls={listId}
          aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
          onChange={(event) => {
            onText(event.target.value);
            setOpen(true);
            setActive(-1);
          }}
          onFocus={() => props.onFocus?.()}
          onClick={() => {
            setOpen(true);
          }}
          onBlur={() => {
            setOpen(false);
            setActive(-1);
            props.onBlur?.();
          }}
          onKeyDown={onKey}
        />
        {props.hasArrow === true && (
          <span className="combobox-sign">
            <Icon name="down" />
          </span>
        )}
      </div>
      <div
        className="combobox-list"
        role="listbox"
        id={listId}
        aria-labelledby={tied.id}
        hidden={!shows}
      >
        {shows &&
          options.map((option, index) => (
            <div
              key={option.id}
              id={`${listId}-${option.id}`}
              role="option"
              aria-selected={index === active}
              className="combobox-option"
              onPointerDown={(event) => {
                // Else the field loses the focus before the click arrives.
                event.preventDefault();
              }}
              onClick={() => {
                pick(option);
              }}
            >
              {option.content ?? option.label}
            </div>
          ))}
        {shows && options.length === 0 && (
          <div className="combobox-none" role="option" aria-selected={false} aria-disabled>
            {none}
          </div>
        )}
      </div>
    </div>
  );
}
