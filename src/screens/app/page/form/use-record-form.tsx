import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import type { ChangeRow } from '#data/model/views.ts';
import { ShowAllButton } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useData } from '#data/react/hooks.ts';
import { useNeedyChanges } from '../changes/record-badge.tsx';
import { useProblemText } from '../changes/problem-text.ts';
import type { FormValues } from './use-draft.ts';
import { useForm } from './use-form.ts';
import type { FormState } from './use-form.ts';

type Names<T> = Extract<keyof T, string>;
type Form<T> = Pick<FormState<T>, 'fields' | 'trouble' | 'meanwhile'>;

interface EditedRecord {
  readonly id: string;
  readonly version: number;
}

/**
 * A form over fields of a record. What was typed into them before and not accepted is typed still,
 * and gives way when the form is saved: the new change would otherwise wait for it.
 *
 * @param names the fields of text that may have been refused
 * @param onWire how a field is called on the wire, where that is otherwise
 */
export function useRecordForm<T extends FormValues, F extends Names<T>>(
  { id, version }: EditedRecord,
  change: ChangeState | null,
  initial: T,
  names: readonly F[],
  onWire: (field: string) => string = (field) => field,
) {
  const { changes } = useData();
  const isOfForm = (field: string): field is F => names.some((name) => name === field);
  const all = useNeedyChanges(id, change);
  // Where a creation was refused, the record shows what was typed, and an edit goes into that
  // creation.
  const needy = all.filter(({ typed }) => version > 0 && Object.keys(typed).every(isOfForm));
  const form = useForm<T>(id, initial, typedIn(needy, isOfForm) as unknown as Partial<T>);
  const errorOf = useFieldErrors(all, form, onWire);
  const noteOf = useFieldNotes(needy, form);
  const save = (act: () => Promise<void>) =>
    form.save(async () => {
      const putBack: (() => Promise<void>)[] = [];
      for (const { id: old } of needy) {
        const back = await changes.discard(old);
        if (back !== null) putBack.unshift(back);
      }
      try {
        await act();
      } catch (error) {
        for (const back of putBack) await back();
        throw error;
      }
    });
  const propsOf = (field: F) => ({
    ...form.propsOf(field),
    error: errorOf(field),
    note: noteOf(field),
  });
  return { ...form, save, propsOf };
}

/** Finds what was typed into the form's fields and not accepted, the latest on top. */
function typedIn<F extends string>(
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
function useFieldErrors<T extends FormValues>(
  rows: readonly ChangeRow[],
  { trouble, fields }: Form<T>,
  onWire: (field: Names<T>) => string,
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
function useFieldNotes<T extends FormValues>(
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
