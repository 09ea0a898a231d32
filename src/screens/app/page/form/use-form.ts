import { useState } from 'react';
import { useTroubleOf } from '../use-attempt.ts';
import type { AttemptFailure } from '../use-attempt.ts';
import { useDraft, useLeaveGuard } from './use-draft.ts';
import type { FormDraft, FormValues } from './use-draft.ts';

export interface FormState<T> extends FormDraft<T> {
  readonly isSaving: boolean;
  /** Why it was not saved; null: nothing kept it from being so. */
  readonly trouble: AttemptFailure | null;
  readonly guard: ReturnType<typeof useLeaveGuard>;
  /** Saves by `act`, once: the text stays where it is unless that is done. */
  readonly save: (act: () => Promise<void>) => Promise<void>;
  /** For a form that stays where it is: it can be saved again. */
  readonly again: () => void;
  /** The properties of a field's input. */
  readonly propsOf: <F extends keyof T>(field: F) => FieldProps<T[F]>;
}

interface FieldProps<V> {
  readonly value: V;
  readonly error: string | null;
  readonly onChange: (value: V) => void;
}

/** A form over `initial` that keeps what was typed until it is saved or given up. */
export function useForm<T extends FormValues>(
  name: string,
  initial: T,
  refused: Partial<T> = {},
): FormState<T> {
  const draft = useDraft(name, initial, refused);
  const troubleOf = useTroubleOf();
  const [isSaving, setSaving] = useState(false);
  const [trouble, setTrouble] = useState<AttemptFailure | null>(null);
  const guard = useLeaveGuard(draft.isChanged && !isSaving);

  const save = async (act: () => Promise<void>): Promise<void> => {
    setSaving(true);
    setTrouble(null);
    try {
      await act();
    } catch (error) {
      setSaving(false);
      setTrouble(troubleOf(error));
    }
  };
  const again = (): void => {
    setSaving(false);
  };
  const propsOf = <F extends keyof T>(field: F): FieldProps<T[F]> => ({
    value: draft.fields[field],
    error: trouble !== null && trouble.field === field ? trouble.reason : null,
    onChange: (value) => {
      draft.set({ [field]: value } as unknown as Partial<T>);
    },
  });
  return { ...draft, propsOf, isSaving, trouble, guard, save, again };
}
