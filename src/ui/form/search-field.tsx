import { useEffect, useRef, useState } from 'react';
import { Icon } from '../picture/icon.tsx';
import { useUiEnvironment } from '../ui-environment.tsx';
import { useText } from '../text/text.ts';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly waitMs: number;
  readonly onSearch: (words: string) => void;
}

/** Searches a moment after typing, at once on Enter; Escape and × bring the full list back. */
export function SearchField({ label, value, waitMs, onSearch }: Props) {
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
        onChange={(event) => {
          search(event.target.value, waitMs);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(typed, 0);
          if (event.key === 'Escape' && typed !== '') search('', 0);
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
