import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { limits } from '#protocol/limits.ts';
import { isOfProject, MENTIONS_MOST, mentionsIn } from '#rules/mention.ts';
import { contains, displayNameOf } from '#rules/record/display.ts';
import { lengthOf } from '#rules/valid/value.ts';
import type { Of } from '#schema/index.ts';
import { useData, useList } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { useText } from '#ui/text/text.ts';
import { useDraft } from '../app/page/form/use-draft.ts';
import { useNameOf } from '../flow/task.tsx';
import { commentOf, labelFor, searchAt, typedOf } from './mentioning.ts';
import type { MentionLabels } from './mentioning.ts';

interface Props {
  readonly project: Of<'project'>;
  /** The name under which what is typed survives a reload. */
  readonly draft: string;
  readonly label: string;
  readonly verb: string;
  /** The comment that is edited; left out: a new one. */
  readonly text?: string;
  /** Returns whether it is kept. */
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onCancel?: () => void;
}

const OFFERED = 6;

/** Takes the text of a comment; after an `@` it offers the people of the project. */
export function CommentField(props: Props) {
  const { project, draft, label, verb, text = '', onSave, onCancel } = props;
  const t = useText();
  const nameOf = useNameOf();
  const area = useRef<HTMLTextAreaElement | null>(null);
  const typed = typedOf(text, nameOf);
  const initial = { text: typed.text, labels: JSON.stringify(typed.labels) };
  const { fields, set, forget, meanwhile } = useDraft(draft, initial);
  const [search, setSearch] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  // The caret stands behind a name that was chosen, once the field has it.
  const caretAt = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caretAt.current === null) return;
    area.current?.setSelectionRange(caretAt.current, caretAt.current);
    caretAt.current = null;
  });
  const list = useId();
  const offered = useOffered(project, search);
  const isOpen = offered.length > 0;

  const look = () => {
    const { value = '', selectionStart = 0 } = area.current ?? {};
    const words = searchAt(value, selectionStart);
    const known = Object.keys(labelsIn(fields.labels));
    const isChosen = known.some((label) => words?.startsWith(`${label} `));
    setSearch(isChosen ? null : words);
    setChosen(0);
  };
  const mention = (user: string, name: string) => {
    const caret = area.current?.selectionStart ?? fields.text.length;
    const words = searchAt(fields.text, caret);
    setSearch(null);
    if (words === null) return;
    const labels = labelsIn(fields.labels);
    const known = labelFor(user, name, labels);
    const before = `${fields.text.slice(0, caret - words.length)}${known} `;
    caretAt.current = before.length;
    set({
      text: before + fields.text.slice(caret),
      labels: JSON.stringify({ ...labels, [known]: user }),
    });
    area.current?.focus();
  };
  const save = async () => {
    const comment = commentOf({ text: fields.text, labels: labelsIn(fields.labels) });
    const wrong = wrongWith(comment);
    setError(wrong === null ? null : t(`activity.field.${wrong}`));
    if (wrong !== null || isSaving) return;
    setSearch(null);
    setSaving(true);
    const isKept = await onSave(comment);
    setSaving(false);
    if (isKept) forget();
  };
  const others = meanwhile('text');

  return (
    <form
      className="ui form comment-field"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label={label}
        error={error}
        help={t('activity.field.help')}
        note={typeof others === 'string' ? t('activity.field.meanwhile', { text: others }) : null}
      >
        {(tied) => (
          <textarea
            {...tied}
            ref={area}
            dir="auto"
            rows={3}
            readOnly={isSaving}
            value={fields.text}
            aria-autocomplete="list"
            aria-controls={isOpen ? list : undefined}
            aria-activedescendant={isOpen ? `${list}-${String(chosen)}` : undefined}
            onChange={(event) => {
              // Names stay those that were typed, whatever people are called meanwhile.
              set({ text: event.target.value, labels: fields.labels });
              look();
            }}
            onSelect={look}
            onBlur={() => {
              setSearch(null);
            }}
            onKeyDown={(event) => {
              const one = offered[chosen];
              if (one === undefined || event.nativeEvent.isComposing) return;
              if (event.key === 'Escape') setSearch(null);
              else if (event.key === 'ArrowDown') setChosen((chosen + 1) % offered.length);
              else if (event.key === 'ArrowUp')
                setChosen((chosen + offered.length - 1) % offered.length);
              else if (event.key === 'Enter' || event.key === 'Tab') mention(one.id, one.name);
              else return;
              event.preventDefault();
            }}
          />
        )}
      </Field>
      {isOpen && (
        <ul className="comment-people" role="listbox" id={list} aria-label={t('activity.people')}>
          {offered.map(({ id, name }, n) => (
            <li
              key={id}
              id={`${list}-${String(n)}`}
              role="option"
              aria-selected={n === chosen}
              // The field must keep the caret.
              onMouseDown={(event) => {
                event.preventDefault();
                mention(id, name);
              }}
            >
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p className="out-of-sight" role="status">
        {isOpen && t('activity.offered', { count: offered.length })}
      </p>
      <div
        className="comment-actions"
        // Where the field lost the focus, the people above would go, and the button from under the press.
        onMouseDown={(event) => {
          event.preventDefault();
        }}
      >
        <Button
          primary
          type="submit"
          loading={isSaving}
          disabled={isSaving || fields.text.trim() === ''}
        >
          {verb}
        </Button>
        {onCancel !== undefined && (
          <Button
            type="button"
            onClick={() => {
              forget();
              onCancel();
            }}
          >
            {t('common.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}

type Wrong = 'tooLong' | 'tooMany';

/** Says what of it the server would refuse, as far as a device can know. */
function wrongWith(comment: string): Wrong | null {
  if (lengthOf(comment) > limits.commentCharacters) return 'tooLong';
  return mentionsIn(comment).length > MENTIONS_MOST ? 'tooMany' : null;
}

function labelsIn(stored: string): MentionLabels {
  return JSON.parse(stored) as MentionLabels;
}

interface Person {
  readonly id: string;
  readonly name: string;
}

/** The people of the project whom this device knows and whose names have `search`; none for null. */
function useOffered(project: Of<'project'>, search: string | null): readonly Person[] {
  const { find } = useData();
  const { rows } = useList('user', {}, { sort: 'name' });
  return useMemo(() => {
    const offered: Person[] = [];
    if (search === null) return offered;
    for (const user of rows) {
      const name = displayNameOf(user);
      if (name === null || !contains([name], search)) continue;
      if (isOfProject(user.id, project, find)) offered.push({ id: user.id, name });
      if (offered.length === OFFERED) break;
    }
    return offered;
  }, [rows, search, project, find]);
}
