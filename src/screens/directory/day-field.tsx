import { useContext } from 'react';
import { dayAt, isDay, startOfDay } from '#base/day.ts';
import { useData } from '#data/react/hooks.ts';
import { DayField } from '#ui/form/day-field.tsx';
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

/** A day up to today. One out of range gets a message, and what held before goes on to hold. */
export function PastDayField({ label, value, earliest = '', latest = '', onChange }: Props) {
  const t = useText();
  const dates = useDateFormats();
  const { clock } = useData();
  const timeZone = useContext(TimeZoneContext);
  const today = dayAt(clock(), timeZone);
  const last = latest === '' ? today : latest;
  const named = (day: string) => dates.day(new Date(startOfDay(day, timeZone)).toISOString());
  const errorOf = (typed: string): string | null => {
    if (typed === value || !isDay(typed)) return null;
    if (earliest !== '' && typed < earliest)
      return t('directory.notBefore', { day: named(earliest) });
    return typed > last ? t('directory.notAfter', { day: named(last) }) : null;
  };
  return (
    <DayField
      label={label}
      value={value}
      errorOf={errorOf}
      {...(earliest === '' ? {} : { earliest })}
      latest={last}
      onType={(typed) => {
        if (typed === '' || (isDay(typed) && errorOf(typed) === null)) onChange(typed);
      }}
    />
  );
}
