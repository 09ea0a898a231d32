import { useState } from 'react';
import { fold } from '#base/unicode.ts';
import { Combobox } from './combobox.tsx';
import type { Option } from './combobox.tsx';
import type { Tied } from './field.tsx';
import { useText } from '../text/text.ts';

interface Props {
  readonly tied: Tied;
  readonly options: readonly Option[];
  readonly chosen: string | null;
  readonly isDisabled?: boolean;
  readonly onChoose: (id: string) => void;
}

const SHOWN_AT_MOST = 50;

/** One of many, found by typing. Acts at once; leaving without a choice keeps what was chosen. */
export function Picker({ tied, options, chosen, isDisabled = false, onChoose }: Props) {
  const t = useText();
  const [typed, setTyped] = useState<string | null>(null);
  const present = options.find(({ id }) => id === chosen)?.label ?? '';
  const wanted = fold(typed ?? '');
  const hits = options.filter(({ label }) => fold(label).includes(wanted)).slice(0, SHOWN_AT_MOST);
  const forget = () => {
    setTyped(null);
  };

  return (
    <Combobox
      tied={tied}
      className="picker"
      hasArrow={!isDisabled}
      text={typed ?? present}
      onText={setTyped}
      options={hits}
      none={t('common.noResults')}
      isDisabled={isDisabled}
      onPick={({ id }) => {
        forget();
        if (id !== chosen) onChoose(id);
      }}
      onBlur={forget}
      {...(typed === null ? {} : { onClear: forget })}
    />
  );
}
