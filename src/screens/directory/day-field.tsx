import { useContext, useState } from 'react';
import { dayAt, isDay } from '#base/day.ts';
import { useData } from '#data/react/hooks.ts';
import { Field } from '#ui/form/field.tsx';
import { useText } from '#ui/text/text.ts';
import { TimeZoneContext, useDateFormats } from '#ui/value/values.tsx';

interface Props {
  readonly label: string;
  /** YYYY-MM-DD; '': none. */
  readonly value: string;
  readonly earliest?: string;
  /** Today where it is '' or left out. */
  readonly latest?: string;
  readonly onChange: (day: string) => void;
}

/**
 * A day up to today, typed or taken from the browser's calendar. One out of range gets a message,
 * and what held before goes on to hold.
 */
export function DayField({ label, value, earliest = '', latest = '', onChange }: Props) {
  const t = useText();
  const dates = useDateFormats();
  const { clock } = useData();
  const today = dayAt(clock(), useContext(TimeZoneContext));
  const last = latest === '' ? today : latest;
  /** What is typed and does not count: out of range, or a year that is not whole yet. */
  const [refused, setRefused] = useState<string | null>(null);
  const [before, setBefore] = useState(value);
  if (before !== value) {
    setBefore(value);
    setRefused(null);
  }
  const named = (day: string) => dates.day(`${day}T12:00:00Z`);
  const errorOf = (day: string): string | null => {
    if (!isDay(day)) return null;
    if (day !== '' && earliest !== '' && day < earliest)
      return t('directory.notBefore', { day: named(earliest) });
    return day > last ? t('directory.notAfter', { day: named(last) }) : null;
  };
  const error = refused === null ? null : errorOf(refused);
  return (
    <Field label={label} error={error}>
      {(tied) => (
        <input
          {...tied}
          type="date"
          value={refused ?? value}
          min={earliest === '' ? undefined : earliest}
          max={last}
          onChange={(event) => {
            const day = event.target.value;
            if (errorOf(day) !== null || (day !== '' && !isDay(day))) {
              setRefused(day);
              return;
            }
            setRefused(null);
            onChange(day);
          }}
        />
      )}
    </Field>
  );
}
