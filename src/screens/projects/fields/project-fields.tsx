import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Field } from '#ui/form/field.tsx';
import { isBusyElsewhere } from '#ui/form/takes-focus.ts';
import { useText } from '#ui/text/text.ts';

interface NameProps {
  readonly value: string;
  readonly hint?: string | undefined;
  readonly error?: string | null;
  /** Says what somebody else put there meanwhile. */
  readonly note?: ReactNode;
  readonly takesFocus?: boolean;
  readonly onChange: (value: string) => void;
}

const NAME_AT_MOST = 250;

export function NameField(props: NameProps) {
  const { value, hint, error = null, note = null, takesFocus = false, onChange } = props;
  const t = useText();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus && !isBusyElsewhere()) input.current?.focus();
  }, [takesFocus]);
  return (
    <Field
      label={t('project.name')}
      isRequired
      error={error}
      note={note}
      {...(hint === undefined ? {} : { help: hint })}
    >
      {(tied) => (
        <input
          {...tied}
          ref={input}
          type="text"
          dir="auto"
          maxLength={NAME_AT_MOST}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

interface DescriptionProps {
  readonly value: string;
  readonly error?: string | null;
  readonly note?: ReactNode;
  readonly onChange: (value: string) => void;
}

export function DescriptionField({ value, error = null, note = null, onChange }: DescriptionProps) {
  const t = useText();
  return (
    <Field label={t('project.description')} error={error} note={note}>
      {(tied) => (
        <textarea
          {...tied}
          rows={3}
          dir="auto"
          maxLength={10_000}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}
