import { useId } from 'react';
import type { ReactNode } from 'react';
import { Field } from './field.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly isRequired?: boolean;
  readonly type?: 'text' | 'email' | 'url' | 'tel' | 'password';
  /** Takes lines of text. */
  readonly isLong?: boolean;
  /** The most characters that can be typed. */
  readonly atMost?: number;
  readonly autoComplete?: string;
  /** Offered while one types; anything else can be typed as well. */
  readonly suggestions?: readonly string[];
  readonly help?: ReactNode;
  readonly error?: string | null;
  readonly note?: ReactNode;
  /** Says, in place of the help, why it cannot be changed; null when it can. */
  readonly whyNot?: string | null;
  readonly onChange: (value: string) => void;
}

/** A field of a form for text, with its label, help and error. */
export function TextField(props: Props) {
  const { label, value, isRequired = false, error = null, note = null, onChange } = props;
  const { type = 'text', isLong = false, help, whyNot = null } = props;
  const below = whyNot ?? help;
  const suggestions = useId();
  return (
    <Field
      label={label}
      isRequired={isRequired}
      error={error}
      note={note}
      {...(below === undefined ? {} : { help: below })}
    >
      {(tied) => {
        const shared = {
          ...tied,
          dir: 'auto',
          autoComplete: props.autoComplete ?? 'off',
          maxLength: props.atMost,
          readOnly: whyNot !== null,
          value,
          onChange: (event: { readonly target: { readonly value: string } }) => {
            onChange(event.target.value);
          },
        };
        if (isLong) return <textarea {...shared} rows={4} />;
        if (props.suggestions === undefined) return <input {...shared} type={type} />;
        return (
          <>
            <input {...shared} type={type} list={suggestions} />
            <datalist id={suggestions}>
              {props.suggestions.map((text) => (
                <option key={text} value={text} />
              ))}
            </datalist>
          </>
        );
      }}
    </Field>
  );
}
