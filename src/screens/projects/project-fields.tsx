import { useEffect, useRef } from 'react';
import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { useText } from '#ui/text.ts';

interface NameProps {
  readonly value: string;
  readonly hint?: string | undefined;
  readonly takesFocus?: boolean;
  readonly onChange: (value: string) => void;
}

const NAME_AT_MOST = 250;

export function NameField({ value, hint, takesFocus = false, onChange }: NameProps) {
  const t = useText();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  return (
    <Field label={t('project.name')} isRequired {...(hint === undefined ? {} : { help: hint })}>
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
  readonly onChange: (value: string) => void;
}

export function DescriptionField({ value, onChange }: DescriptionProps) {
  const t = useText();
  return (
    <Field label={t('project.description')}>
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

interface FormProps {
  readonly className?: string;
  /** Why Save cannot be pressed; null when it can. */
  readonly whyNot: string | null;
  readonly isSaving: boolean;
  readonly onSave: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A project's form: Enter saves, in text areas Ctrl or ⌘ and Enter; Escape cancels. */
export function ProjectForm(props: FormProps) {
  const { className = '', whyNot, isSaving, onSave, onCancel, children } = props;
  const t = useText();
  const save = () => {
    if (whyNot === null && !isSaving) onSave();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
    if (event.key === 'Escape' && !event.defaultPrevented) onCancel();
  };
  return (
    <form
      className={`ui form ${className}`}
      noValidate
      onKeyDown={onKey}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
    >
      {children}
      <div className="form-foot">
        {whyNot !== null && (
          <span className="caption" id="why-not">
            {whyNot}
          </span>
        )}
        <Button type="button" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button
          primary
          type="submit"
          disabled={whyNot !== null || isSaving}
          loading={isSaving}
          aria-describedby={whyNot === null ? undefined : 'why-not'}
        >
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}
