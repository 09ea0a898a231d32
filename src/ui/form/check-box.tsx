import { useEffect, useRef } from 'react';

interface Props {
  readonly label: string;
  readonly state: 'none' | 'some' | 'all';
  readonly onChange: (isChecked: boolean, isRange: boolean) => void;
}

/** A box of three states with a name for those who do not see it. */
export function CheckBox({ label, state, onChange }: Props) {
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
