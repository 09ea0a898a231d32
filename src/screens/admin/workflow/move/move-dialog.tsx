import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { limits } from '#protocol/limits.ts';
import type { MachineShape, Move } from '#protocol/workflow.ts';
import type { Of } from '#schema/index.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../../../app/page/changes/problem-text.ts';
import { OnlineDialog } from '../../../app/page/form/online-dialog.tsx';
import { useDraft } from '../../../app/page/form/use-draft.ts';
import { useStateName } from '../../../flow/task.tsx';
import { isObject } from '#base/is-object.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { preparedMove } from '#data/actions/workflows.ts';
import type { PreparedMove } from '#data/actions/workflows.ts';
import { useData } from '#data/react/hooks.ts';

interface MoveDialogProps {
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
export function MoveDialog({ product, shape, isOffline, onMoved, onClose }: MoveDialogProps) {
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
    <OnlineDialog
      title={t('workflow.moveTitle')}
      isOffline={isOffline}
      isSending={isSending}
      isOff={hasMoved || present.state === null}
      submitLabel={t('workflow.confirmMove')}
      onSubmit={submit}
      onClose={onClose}
      onForget={forget}
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
    </OnlineDialog>
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

interface MoveNotesProps {
  readonly present: ReturnType<typeof usePresent>;
  /** Null also where it stands at a field. */
  readonly trouble: MoveTrouble | null;
}

/** Says above the buttons that the workflow moved on meanwhile, or why it was not moved. */
function MoveNotes({ present, trouble }: MoveNotesProps) {
  const t = useText();
  const reasonOf = useProblemText();
  const nameOf = useStateName();
  const { state, seen, refresh } = present;
  if (state !== seen)
    return (
      <div role="alert">
        <Note tone="warning">
          {state === null ? (
            t('workflow.endedMeanwhile')
          ) : (
            <>
              <p>{t('workflow.movedOn', { state: nameOf(state) })}</p>
              <div className="box-actions">
                <Button onClick={refresh}>{t('workflow.checked', { state: nameOf(state) })}</Button>
              </div>
            </>
          )}
        </Note>
      </div>
    );
  const isSaid = trouble === null || isMovedOn(trouble);
  return (
    <div role="alert">
      {!isSaid && (
        <Note tone="error">
          <strong>{t('workflow.notMoved')}</strong>
          <p>{trouble.is === 'no-answer' ? t('workflow.noAnswer') : reasonOf(trouble.problem)}</p>
        </Note>
      )}
    </div>
  );
}

const isMovedOn = (trouble: MoveTrouble): boolean =>
  trouble.is === 'refused' && trouble.problem.code === 'workflow-state-changed';

/**
 * The state that a workflow is in, and the one it was in when the person looked; null: it has come
 * to its end.
 */
interface Present {
  readonly state: string | null;
  /** The state that the person saw; the workflow has moved on when `now` is another one. */
  readonly seen: string | null;
  readonly refresh: () => void;
}

/**
 * Finds the state of the workflow: by the device's copy, or by a refusal that is newer than that.
 */
function usePresent(product: Of<'product'>, trouble: MoveTrouble | null): Present {
  const { workflowState, version } = product;
  const [seen, setSeen] = useState(workflowState);
  const [refusal, setRefusal] = useState({ trouble, version });
  if (refusal.trouble !== trouble) setRefusal({ trouble, version });
  const said = refusal.version === version ? stateIn(trouble) : undefined;
  const state = said === undefined ? workflowState : said;
  return {
    state,
    seen,
    refresh: () => {
      setSeen(state);
    },
  };
}

/** The state that a refusal names; undefined where it names none. */
function stateIn(trouble: MoveTrouble | null): string | null | undefined {
  if (trouble?.is !== 'refused' || trouble.problem.code !== 'workflow-state-changed')
    return undefined;
  const current = trouble.problem.meta?.current;
  const state = isObject(current) ? current['workflow-state'] : undefined;
  return typeof state === 'string' || state === null ? state : undefined;
}

/** Says why it was not moved; `no-answer`: that is not certain. */
type MoveTrouble =
  { readonly is: 'no-answer' } | { readonly is: 'refused'; readonly problem: ErrorObject };

interface Moving {
  readonly isSending: boolean;
  readonly trouble: MoveTrouble | null;
  readonly send: (move: Move) => Promise<void>;
}

/** Moves the product's workflow; the same move, sent again after no answer, happens once. */
function useMove(product: Of<'product'>, onMoved: (state: string) => void): Moving {
  const data = useData();
  const unanswered = useRef<PreparedMove | null>(null);
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<MoveTrouble | null>(null);

  const send: Moving['send'] = async (move) => {
    const before = unanswered.current;
    const prepared = before?.isOf(move) === true ? before : preparedMove(data, product.id, move);
    unanswered.current = prepared;
    setSending(true);
    setTrouble(null);
    const answer = await prepared.send();
    setSending(false);
    if (answer.is !== 'no-answer') unanswered.current = null;
    if (answer.is === 'told') onMoved(move.state);
    else setTrouble(answer);
  };
  return { isSending, trouble, send };
}
