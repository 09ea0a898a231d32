import { useEffect, useId, useRef, useState } from 'react';
import type { FormEvent, KeyboardEvent } from 'react';
import { attributesOf } from '#schema/index.ts';
import type { ChangeRow, ConflictField } from '#data/model/views.ts';
import { useData } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { TextField } from '#ui/form/text-field.tsx';
import { useText } from '#ui/text/text.ts';
import { commentOf, typedOf } from '../activity/mentioning.ts';
import type { MentionLabels } from '../activity/mentioning.ts';
import { useDraft } from '../app/page/form/use-draft.ts';
import { useValueCheck } from '../app/page/form/use-value-check.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useNameOf } from '../flow/task.tsx';
import { isInOwnWords, useReadable } from './readable.ts';

interface Props {
  readonly row: ChangeRow;
  /** Finds another change of the panel. */
  readonly find: (id: string) => ChangeRow | null;
}

/** Says whether a conflict is about texts alone, of which one can be made out of two. */
export const isMergeable = ({ about, conflict }: ChangeRow): boolean =>
  conflict.length > 0 && conflict.every(({ field }) => isInOwnWords(about.type, field));

/**
 * Offers to write one text out of two, beginning with the person's own. What is typed stays in this
 * tab until it is saved, also when the panel is closed.
 */
export function Merge({ row, find }: Props) {
  const t = useText();
  const { changes } = useData();
  const attempt = useAttempt();
  const { field } = useReadable();
  const { about, conflict } = row;
  const check = useValueCheck(about.type);
  const { initial, storedOf } = useOwnTexts(row, find);
  const { fields, isChanged, set, forget } = useDraft(`merge.${row.id}`, initial);
  const [isOpen, setOpen] = useState(isChanged);
  const [isChecked, setChecked] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isTurned = useRef(false);
  useEffect(() => {
    if (!isTurned.current) return;
    const target = isOpen
      ? form.current?.querySelector<HTMLElement>('textarea, input')
      : button.current;
    target?.focus();
  }, [isOpen]);

  const turn = (to: boolean) => {
    isTurned.current = true;
    setOpen(to);
  };
  if (!isOpen)
    return (
      <button
        ref={button}
        type="button"
        className="link-button"
        onClick={() => {
          turn(true);
        }}
      >
        {t('changes.merge')}
      </button>
    );

  const values = Object.fromEntries(
    conflict.map(({ field: name }) => [name, storedOf(fields[name] ?? '')]),
  );
  const errorOf = (name: string): string | null =>
    check({ name, value: values[name], isRequired: attributeOf(about.type, name).mustHave });
  const save = async () => {
    setChecked(true);
    if (isSaving || conflict.some(({ field: name }) => errorOf(name) !== null)) return;
    setSaving(true);
    const isKept = await attempt(t('errors.generic'), () => changes.keepMerged(row.id, values));
    if (isKept) forget();
    else setSaving(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const saveByKeys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
  };
  return (
    <form
      ref={form}
      className="ui form merge"
      aria-labelledby={id}
      noValidate
      onSubmit={submit}
      onKeyDown={saveByKeys}
    >
      <p className="change-note" id={id}>
        {t('changes.mergeText')}
      </p>
      {conflict.map(({ field: name }) => (
        <TextField
          key={name}
          label={field(about.type, name)}
          isLong={attributeOf(about.type, name).kind === 'text'}
          value={fields[name] ?? ''}
          error={isChecked ? errorOf(name) : null}
          onChange={(typed) => {
            set({ [name]: typed });
          }}
        />
      ))}
      <div className="box-actions">
        <Button
          onClick={() => {
            turn(false);
          }}
        >
          {t('common.cancel')}
        </Button>
        <Button primary type="submit" loading={isSaving}>
          {t('changes.mergeSave')}
        </Button>
      </div>
    </form>
  );
}

function attributeOf(type: ChangeRow['about']['type'], field: string) {
  const found = attributesOf(type).find(([name]) => name === field)?.[1];
  if (found === undefined) throw new Error(`${type} has no text ${field}`);
  return found;
}

/** The person's own texts of the fields in conflict, as they are typed, and the way back from there. */
function useOwnTexts(row: ChangeRow, find: Props['find']) {
  const nameOf = useNameOf();
  const { about, conflict, dependants } = row;
  const later = dependants.flatMap((id) => find(id) ?? []);
  /** What was typed there last, perhaps by a change that this one holds. */
  const latest = ({ field, mine }: ConflictField): string => {
    const same = later.filter(({ typed, about: other }) => other.id === about.id && field in typed);
    const newest = same.toSorted((a, b) => (a.madeAt < b.madeAt ? 1 : -1))[0];
    const raw = newest === undefined ? mine : newest.typed[field];
    return typeof raw === 'string' ? raw : '';
  };
  if (about.type !== 'productComment')
    return {
      initial: Object.fromEntries(conflict.map((one) => [one.field, latest(one)])),
      storedOf: (typed: string) => typed,
    };
  // In a comment the names of people stand for their ids.
  const typed = conflict.map((one) => {
    const theirs = typedOf(typeof one.theirs === 'string' ? one.theirs : '', nameOf);
    return { field: one.field, mine: typedOf(latest(one), nameOf), theirs };
  });
  const labels = Object.assign(
    {},
    ...typed.flatMap(({ mine, theirs }) => [theirs.labels, mine.labels]),
  ) as MentionLabels;
  return {
    initial: Object.fromEntries(typed.map(({ field, mine }) => [field, mine.text])),
    storedOf: (text: string) => commentOf({ text, labels }),
  };
}
