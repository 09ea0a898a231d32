import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import type { ChangeRow } from '#data/model/views.ts';
import { ShowAllButton } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../changes/problem-text.ts';
import type { FormValues } from './use-draft.ts';
import type { ProjectFormState } from './use-form.ts';

type Names<T> = Extract<keyof T, string>;
type Form<T> = Pick<ProjectFormState<T>, 'fields' | 'trouble' | 'meanwhile'>;

/** Finds what was typed into the form's fields and not accepted, the latest on top. */
export function typedIn<F extends string>(
  rows: readonly ChangeRow[],
  isOfForm: (field: string) => field is F,
): Partial<Record<F, string>> {
  const typed = [...rows].reverse().flatMap((row) => Object.entries(row.typed));
  return Object.fromEntries(
    typed.filter(([field]) => isOfForm(field)).map(([field, value]) => [field, textOf(value)]),
  ) as Partial<Record<F, string>>;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Says what is wrong with a field: by this device, or by the server as long as the refused value
 * stands there. `onWire` says how a field is called there, where that is otherwise.
 */
export function useFieldErrors<T extends FormValues>(
  rows: readonly ChangeRow[],
  { trouble, fields }: Form<T>,
  onWire: (field: Names<T>) => string = (field) => field,
): (field: Names<T>) => string | null {
  const reasonOf = useProblemText();
  return (field) => {
    const name = onWire(field);
    if (trouble?.field === name) return trouble.reason;
    const refused = rows.find(
      ({ state, problem, typed }) =>
        state === 'refused' &&
        problem?.source?.pointer?.split('/').at(-1) === name &&
        textOf(typed[field]) === fields[field],
    );
    return refused?.problem === null || refused === undefined ? null : reasonOf(refused.problem);
  };
}

/** Says who changed a field meanwhile that has text typed into it, and to what. */
export function useFieldNotes<T extends FormValues>(
  rows: readonly ChangeRow[],
  { fields, meanwhile }: Form<T>,
): (field: Names<T>) => ReactNode {
  const t = useText();
  return (field) => {
    const conflict = rows.find((row) => row.conflict.some((one) => one.field === field));
    const theirs = conflict?.conflict.find((one) => one.field === field)?.theirs;
    const value = meanwhile(field) ?? theirs;
    if (typeof value !== 'string' || value === fields[field]) return null;
    const name = conflict?.other?.by ?? null;
    const says = (shown: string) =>
      name === null
        ? t('forms.changedMeanwhile', { value: shown })
        : t('forms.changedBy', { name, value: shown });
    return <Meanwhile value={value} says={says} />;
  };
}

const SHOWN_CHARACTERS = 160;

interface MeanwhileProps {
  /** The value that somebody else put into the field. */
  readonly value: string;
  /** The sentence that says so. */
  readonly says: (value: string) => string;
}

/** Says that a field was changed meanwhile: a long value is cut, and shows whole on request. */
function Meanwhile({ value, says }: MeanwhileProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (value.length <= SHOWN_CHARACTERS) return says(value);
  return (
    <>
      <span id={id} className={isOpen ? 'whole-value' : undefined}>
        {says(isOpen ? value : `${value.slice(0, SHOWN_CHARACTERS).trimEnd()}…`)}
      </span>{' '}
      <ShowAllButton of={id} isOpen={isOpen} onToggle={setOpen} />
    </>
  );
}
