import { useId, useState } from 'react';
import { useText } from '#ui/text/text.ts';

const SHOWN_CHARACTERS = 160;

interface Props {
  /** The value that somebody else put into the field. */
  readonly value: string;
  /** The sentence that says so. */
  readonly says: (value: string) => string;
}

/** Says that a field was changed meanwhile: a long value is cut, and shows whole on request. */
export function Meanwhile({ value, says }: Props) {
  const t = useText();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (value.length <= SHOWN_CHARACTERS) return says(value);
  return (
    <>
      <span id={id} className={isOpen ? 'whole-value' : undefined}>
        {says(isOpen ? value : `${value.slice(0, SHOWN_CHARACTERS).trimEnd()}…`)}
      </span>{' '}
      <button
        type="button"
        className="link-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        {t(isOpen ? 'common.showLess' : 'common.showAll')}
      </button>
    </>
  );
}
