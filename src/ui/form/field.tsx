import { useId } from 'react';
import type { ReactNode } from 'react';
import { Icon } from '../picture/icon.tsx';
import { useText } from '../text/text.ts';

/** The attributes that tie a control to its label, help and error. */
export interface Tied {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
}

interface Props {
  readonly label: string;
  readonly isRequired?: boolean;
  readonly help?: ReactNode;
  readonly error?: string | null;
  /** A quiet line about it, said when it comes. */
  readonly note?: ReactNode;
  readonly children: (tied: Tied) => ReactNode;
}

/** Label above, help beneath, error beneath with an icon, all tied to the control. */
export function Field(props: Props) {
  const { label, isRequired = false, help, error = null, note = null, children } = props;
  const t = useText();
  const id = useId();
  const described = [
    help === undefined ? null : `${id}-help`,
    error === null ? null : `${id}-error`,
    note === null ? null : `${id}-note`,
  ].filter((part) => part !== null);

  return (
    <div className={`field ${error === null ? '' : 'error'}`}>
      <label htmlFor={id}>
        {label}
        {isRequired && (
          <span className="required-mark" title={t('forms.required')} aria-hidden>
            {' *'}
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': error === null ? undefined : true,
        'aria-required': isRequired ? true : undefined,
      })}
      {help !== undefined && (
        <div className="field-help" id={`${id}-help`}>
          {help}
        </div>
      )}
      <div role="status">
        {note !== null && (
          <div className="field-note" id={`${id}-note`}>
            <Icon name="info" />
            {note}
          </div>
        )}
      </div>
      <div role="alert">
        {error !== null && (
          <div className="field-error" id={`${id}-error`}>
            <Icon name="error" />
            {error}
          </div>
        )}
      </div>
    </div>
  );
}
