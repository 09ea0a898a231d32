import { useState } from 'react';
import { Field } from './field.tsx';

interface Props {
  readonly label: string;
  /** YYYY-MM-DD; '': none. */
  readonly value: string;
  /** Says what is wrong with what is typed; null: nothing. */
  readonly errorOf?: (typed: string) => string | null;
  readonly earliest?: string;
  readonly latest?: string;
  readonly isDisabled?: boolean;
  /** Called with what is typed: '', a day, or one whose year is not whole yet. */
  readonly onType: (typed: string) => void;
}

/** A day, typed or taken from the browser's calendar. What is typed stays until `value` changes. */
export function DayField(props: Props) {
  const { label, value, errorOf, earliest, latest, isDisabled = false, onType } = props;
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  return (
    <Field label={label} error={errorOf?.(typed) ?? null}>
      {(tied) => (
        <input
          {...tied}
          type="date"
          value={typed}
          min={earliest}
          max={latest}
          disabled={isDisabled}
          onChange={({ target }) => {
            setTyped(target.value);
            onType(target.value);
          }}
        />
      )}
    </Field>
  );
}
