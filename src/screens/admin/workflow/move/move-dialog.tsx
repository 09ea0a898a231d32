import { useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { limits } from '#protocol/limits.ts';
import type { MachineShape } from '#protocol/workflow.ts';
import type { Of } from '#schema/index.ts';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Field } from '#ui/form/field.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../../../app/page/changes/problem-text.ts';
import { useDraft } from '../../../app/page/form/use-draft.ts';
import { MoveNotes } from './move-notes.tsx';
import { useMove } from './use-move.ts';
import type { MoveTrouble } from './use-move.ts';
import { usePresent } from './use-present.ts';
import { useStateName } from '../../../flow/task.tsx';

interface Props {
  readonly product: Of<'product'>;
  readonly shape: MachineShape;
  readonly isOffline: boolean;
  readonly onMoved: (state: string) => void;
  readonly onClose: () => void;
}

type FieldName = 'state' | 'comment';
type Missing = Readonly<Record<FieldName, boolean>>;

/**
 * Asks where to move the workflow and why. What was typed stays through refusals, reloads and
 * whatever happens to the workflow meanwhile, which it asks to be looked at first.
 */
export function MoveDialog({ product, shape, isOffline, onMoved, onClose }: Props) {
  const t = useText();
  const nameOf = useStateName();
  const { fields, set, forget } = useDraft(`move.${product.id}`, { state: '', comment: '' });
  const { isSending, trouble, send } = useMove(product, (state) => {
    forget();
    onMoved(state);
  });
  const present = usePresent(product, trouble);
  const [missing, setMissing] = useState<Missing>({ state: false, comment: false });
  const errorOf = useErrors(missing, fields, trouble);
  const state = useRef<HTMLSelectElement>(null);
  const comment = useRef<HTMLTextAreaElement>(null);
  const offline = useId();

  const hasMoved = present.state !== present.seen;
  const isOff = isOffline || hasMoved;
  const submit = () => {
    if (isOff || isSending || present.state === null) return;
    const now = { state: fields.state === '', comment: fields.comment.trim() === '' };
    setMissing(now);
    if (now.state) state.current?.focus();
    else if (now.comment) comment.current?.focus();
    else void send({ ...fields, from: present.state });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <Dialog
      title={t('workflow.moveTitle')}
      isBusy={isSending}
      onClose={onClose}
      actions={
        <>
          {isOffline && <NeedsConnection id={offline} />}
          <Button
            disabled={isSending}
            onClick={() => {
              forget();
              onClose();
            }}
          >
            {t('common.cancel')}
          </Button>
          <Button
            primary
            loading={isSending}
            disabled={isOff || isSending || present.state === null}
            aria-describedby={isOffline ? offline : undefined}
            onClick={submit}
          >
            {t('workflow.confirmMove')}
          </Button>
        </>
      }
    >
      <div className="ui form move-form" onKeyDown={onKey}>
        <p>{present.seen !== null && t('workflow.moveText', { state: nameOf(present.seen) })}</p>
        <Field
          label={t('workflow.state')}
          isRequired
          help={<WhatFollows shape={shape} state={fields.state} />}
          error={errorOf('state')}
        >
          {(tied) => (
            <select
              {...tied}
              ref={state}
              value={fields.state}
              onChange={(event) => {
                set({ state: event.target.value });
              }}
            >
              <option value="">{t('workflow.chooseState')}</option>
              {choicesIn(shape, present.state, fields.state).map((name) => (
                <option key={name} value={name}>
                  {nameOf(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label={t('workflow.reason')}
          isRequired
          help={t('workflow.reasonHelp')}
          error={errorOf('comment')}
        >
          {(tied) => (
            <textarea
              {...tied}
              ref={comment}
              className="growing"
              rows={2}
              dir="auto"
              maxLength={limits.commentCharacters}
              value={fields.comment}
              onChange={(event) => {
                set({ comment: event.target.value });
              }}
            />
          )}
        </Field>
        <MoveNotes
          present={present}
          trouble={errorOf('state') === null && errorOf('comment') === null ? trouble : null}
        />
      </div>
    </Dialog>
  );
}

/**
 * Lists the states to which it may be moved: to its build also from there, but not to people who
 * have it already.
 */
function choicesIn({ states }: MachineShape, present: string | null, chosen: string) {
  return states
    .filter(({ name, kind, isMovable }) => isMovable && (kind !== 'people' || name !== present))
    .map(({ name }) => name)
    .concat(states.some(({ name }) => name === chosen && name === present) ? [chosen] : []);
}

/** Says what the move will come to. */
function WhatFollows({ shape, state }: { readonly shape: MachineShape; readonly state: string }) {
  const t = useText();
  const kind = shape.states.find(({ name }) => name === state)?.kind;
  if (kind === undefined) return t('workflow.follows.nothing');
  if (kind !== 'people') return t('workflow.follows.build');
  const who = shape.steps.filter(({ from }) => from === state).flatMap((step) => step.who ?? []);
  const names = [...new Set(who)].map((one) => t(`workflow.who.${one}`)).join(', ');
  return t('workflow.follows.tasks', { who: names });
}

/**
 * Says what is wrong with a field: it is missing, or the server's word on it as it stands there.
 */
function useErrors(
  missing: Missing,
  fields: Readonly<Record<FieldName, string>>,
  trouble: MoveTrouble | null,
): (field: FieldName) => string | null {
  const t = useText();
  const reasonOf = useProblemText();
  const [refused, setRefused] = useState({ trouble, fields });
  if (refused.trouble !== trouble) setRefused({ trouble, fields });
  return (field) => {
    if (missing[field] && fields[field].trim() === '') return t(`workflow.missing.${field}`);
    if (trouble?.is !== 'refused') return null;
    const isOfIt = trouble.problem.source?.pointer === `/${field}`;
    if (!isOfIt || refused.fields[field] !== fields[field]) return null;
    return field === 'state' ? t('workflow.notThere') : reasonOf(trouble.problem);
  };
}
