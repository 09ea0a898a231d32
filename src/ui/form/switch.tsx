import { useId } from 'react';
import type { ReactNode } from 'react';
import { Checkbox } from 'semantic-ui-react';

interface Props {
  readonly label: string;
  /** Says what its present position means. */
  readonly help?: ReactNode;
  readonly isOn: boolean;
  /** Says why it cannot be used; null when it can. */
  readonly whyNot?: string | null;
  readonly onChange: (isOn: boolean) => void;
}

/** Switches something on or off, at once. */
export function Switch({ label, help, isOn, whyNot = null, onChange }: Props) {
  const id = useId();
  const helpId = `${id}-help`;
  return (
    <div className="switch">
      <Checkbox
        toggle
        id={id}
        role="switch"
        label={label}
        checked={isOn}
        disabled={whyNot !== null}
        aria-describedby={helpId}
        onChange={() => {
          onChange(!isOn);
        }}
      />
      <div className="switch-help" id={helpId}>
        {help}
        {whyNot !== null && <div>{whyNot}</div>}
      </div>
    </div>
  );
}
