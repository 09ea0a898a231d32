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
  /** It cannot be used, for a reason that stands elsewhere. */
  readonly isDisabled?: boolean;
  /** The id of the element that says that reason. */
  readonly reasonId?: string | undefined;
  readonly onChange: (isOn: boolean) => void;
}

/** Switches something on or off, at once. */
export function Switch(props: Props) {
  const { label, help, isOn, whyNot = null, isDisabled = false, reasonId, onChange } = props;
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
        disabled={isDisabled || whyNot !== null}
        aria-describedby={reasonId === undefined ? helpId : `${helpId} ${reasonId}`}
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
