import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { wireFieldOf } from '#protocol/names.ts';
import type { TypeName } from '#schema/index.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { NeedsConnection, Note } from '#ui/status/boxes.tsx';
import { readSetting, useUiEnvironment, writeSetting } from '#ui/ui-environment.tsx';
import { useOnline } from '../app/page/device/use-online.ts';
import { useValueCheck } from '../app/page/form/use-value-check.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';

interface CardField<F extends string> {
  readonly name: F;
  readonly label: string;
  readonly type: 'text' | 'email' | 'url';
  readonly isRequired: boolean;
  readonly autoComplete?: string;
}

/** Says why what was typed was not taken. */
export interface CardTrouble {
  /** A field by its name on the wire; null: it is about all of it. */
  readonly field: string | null;
  readonly reason: string;
}

type Values<F extends string> = Readonly<Record<F, string>>;

interface CardFormProps<F extends string> {
  /** The resource whose rules hold for the fields. */
  readonly of: TypeName;
  readonly fields: readonly CardField<F>[];
  /** What stands in the fields at first. */
  readonly initial?: Partial<Values<F>>;
  /** What is typed stays in this tab under this name until it is taken. */
  readonly draft: string;
  readonly submitLabel: string;
  /** True where it is known that the server cannot be reached, whatever the browser's network. */
  readonly isOffline?: boolean;
  /** Answers null when it was taken. */
  readonly onSubmit: (values: Values<F>) => Promise<CardTrouble | null>;
}

/**
 * A form on a card of its own, outside the shell, that needs a connection. It is silent until it is
 * submitted; then each mistake stands under its field, and every change is checked.
 */
export function CardForm<F extends string>(props: CardFormProps<F>) {
  const { of, fields, submitLabel, isOffline = false, onSubmit } = props;
  const [values, set, forget] = useTyped(props);
  const [trouble, setTrouble] = useState<{ of: Values<F>; is: CardTrouble } | null>(null);
  const [isChecked, setChecked] = useState(false);
  const [isSending, setSending] = useState(false);
  const check = useValueCheck(of);
  const errorIn = ({ name, isRequired }: CardField<F>, value: string): string | null =>
    check({ name, value, isRequired });
  const isOnline = useOnline() && !isOffline;
  const form = useRef<HTMLFormElement>(null);

  const errorOf = (field: CardField<F>): string | null => {
    const wire = wireFieldOf(of, field.name);
    const isRefused = trouble?.is.field === wire && trouble.of[field.name] === values[field.name];
    if (isRefused) return trouble.is.reason;
    return isChecked ? errorIn(field, values[field.name]) : null;
  };
  const submit = useOneAtATime(async () => {
    setChecked(true);
    setTrouble(null);
    const wrong = fields.find((field) => errorIn(field, values[field.name]) !== null);
    if (wrong !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name="${wrong.name}"]`)?.focus();
      return;
    }
    setSending(true);
    const refused = await onSubmit(values);
    setSending(false);
    if (refused === null) forget();
    else setTrouble({ of: values, is: refused });
  });
  const isAtField = fields.some(({ name }) => wireFieldOf(of, name) === trouble?.is.field);
  return (
    <form
      ref={form}
      className="ui form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (isOnline) void submit();
      }}
    >
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          isRequired={field.isRequired}
          error={errorOf(field)}
        >
          {(tied) => (
            <input
              {...tied}
              name={field.name}
              type={field.type}
              dir="auto"
              autoComplete={field.autoComplete ?? 'off'}
              value={values[field.name]}
              onChange={(event) => {
                set(field.name, event.target.value);
              }}
            />
          )}
        </Field>
      ))}
      <div role="alert">
        {trouble !== null && !isAtField && <Note tone="error">{trouble.is.reason}</Note>}
      </div>
      <div className="button-row">
        <Button
          primary
          fluid
          type="submit"
          loading={isSending}
          disabled={!isOnline || isSending}
          aria-describedby={isOnline ? undefined : 'card-needs'}
        >
          {submitLabel}
        </Button>
        {!isOnline && <NeedsConnection id="card-needs" />}
      </div>
    </form>
  );
}

/** What was typed, which survives a reload of the page. */
function useTyped<F extends string>({ fields, initial = {}, draft }: CardFormProps<F>) {
  const { drafts } = useUiEnvironment();
  const key = `slipway.draft.${draft}`;
  const [values, setValues] = useState<Values<F>>(() => {
    const kept = readSetting(drafts, key) as Partial<Record<F, unknown>> | null;
    const texts: Partial<Values<F>> = initial;
    return Object.fromEntries(
      fields.map(({ name }) => {
        const typed = kept?.[name];
        return [name, typeof typed === 'string' ? typed : (texts[name] ?? '')];
      }),
    ) as Values<F>;
  });
  const set = (name: F, value: string): void => {
    const next = { ...values, [name]: value };
    writeSetting(drafts, key, next);
    setValues(next);
  };
  const forget = (): void => {
    writeSetting(drafts, key, null);
  };
  return [values, set, forget] as const;
}
