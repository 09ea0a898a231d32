import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { limits } from '#protocol/limits.ts';
import type { TaskForm, TaskFormCommand } from '#protocol/task-forms.ts';
import { endsTheWork, publishes } from '#rules/task/task.ts';
import { useHealth } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Field } from '#ui/form/field.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import type { AttemptFailure } from '../../app/page/use-attempt.ts';
import { ReleaseBoxes } from './release-boxes.tsx';
import type { ContentDoubt } from './use-content-doubt.ts';
import type { Release } from './use-release.ts';

interface Props {
  readonly form: TaskForm;
  /** Those of the form that the person may give now. */
  readonly offered: readonly TaskFormCommand[];
  readonly state: string;
  readonly product: string;
  readonly comment: string;
  readonly keeping: string | null;
  readonly trouble: AttemptFailure | null;
  /** The server's word on the comment that stands there. */
  readonly commentError: string | null;
  /** What speaks against going on now; null: nothing does, as far as is known. */
  readonly doubt: ContentDoubt | null;
  /** What is said of the release; null: the form leads to none. */
  readonly release: Release | null;
  readonly onComment: (comment: string) => void;
  readonly onGive: (command: string) => void;
}

/** From here on the form says how many characters are left. */
const COUNTED_FROM = 3_500;

/**
 * The question before a command is sent: it was called by keys, it ends the work, or something speaks
 * against going on with the content as it is.
 */
interface PendingConfirmation {
  readonly command: TaskFormCommand;
  readonly why: 'keys' | 'end' | 'content';
}

/** The comment and the commands of a task. Plain Enter gives nothing; Ctrl or ⌘ Enter asks first. */
export function CommandForm(props: Props) {
  const { form, offered, state, comment, keeping, trouble, doubt, release } = props;
  const { onComment, onGive } = props;
  const t = useText();
  const nameOf = useNames();
  const box = useRef<HTMLTextAreaElement>(null);
  const notesBox = useRef<HTMLTextAreaElement>(null);
  const [missingFor, setMissingFor] = useState<TaskFormCommand | null>(null);
  const [pending, setPending] = useState<PendingConfirmation | null>(null);
  const [first] = offered;
  const isForward = first?.tone === 'forward';
  const isBlank = comment.trim() === '';
  const hasRelease = release !== null && offered.some(({ name }) => publishes(state, name));

  /** Says whether nothing is missing; puts the cursor where something is. */
  const isReady = (command: TaskFormCommand): boolean => {
    const isMissing = command.comment === 'required' && isBlank;
    setMissingFor(isMissing ? command : null);
    if (isMissing) box.current?.focus();
    const isTooLong = publishes(state, command.name) && release?.hasTooManyLines === true;
    if (isTooLong && !isMissing) notesBox.current?.focus();
    return !isMissing && !isTooLong;
  };
  const choose = (command: TaskFormCommand, why: PendingConfirmation['why'] | null) => {
    if (!isReady(command)) return;
    if (endsTheWork(state, command.name)) setPending({ command, why: 'end' });
    else if (doubt?.isAbout(command, state) === true) setPending({ command, why: 'content' });
    else if (why !== null) setPending({ command, why });
    else onGive(command.name);
  };
  const goAhead = ({ command }: PendingConfirmation) => {
    setPending(null);
    onGive(command.name);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (pending?.why === 'keys') goAhead(pending);
    else if (first !== undefined && isForward) choose(first, 'keys');
  };

  const questionOf = ({ command, why }: PendingConfirmation) => {
    if (why === 'end') {
      const [title, text] = [t('flow.endTitle'), t('flow.endText', { product: props.product })];
      return { title, text, yes: nameOf(command), isFinal: true };
    }
    // What spoke against it may end while the question stands there.
    if (why === 'keys' || doubt === null) return null;
    return { ...doubt, isFinal: false };
  };
  const question = pending === null ? null : questionOf(pending);

  const needing = offered.filter((command) => command.comment === 'required').map(nameOf);
  const error =
    missingFor !== null && isBlank
      ? t('flow.commentNeeded', { command: nameOf(missingFor) })
      : props.commentError;
  return (
    <form className="ui form flow-commands" noValidate onKeyDown={onKey} onSubmit={stay}>
      {hasRelease && <ReleaseBoxes release={release} notesBox={notesBox} />}
      {form.comment && (
        <CommentBox
          box={box}
          comment={comment}
          error={error}
          needing={needing}
          isRequired={needing.length === offered.length}
          onComment={onComment}
        />
      )}
      <NotKept trouble={trouble} />
      {pending?.why === 'keys' && (
        <GoAhead
          name={nameOf(pending.command)}
          onYes={() => {
            goAhead(pending);
          }}
          onNo={() => {
            setPending(null);
            box.current?.focus();
          }}
        />
      )}
      <div className="flow-buttons" role="group" aria-label={t('flow.commands')}>
        {offered.map((command, index) => (
          <Button
            key={command.name}
            primary={index === 0 && isForward}
            loading={keeping === command.name}
            disabled={keeping !== null}
            onClick={() => {
              choose(command, null);
            }}
          >
            {nameOf(command)}
          </Button>
        ))}
      </div>
      {pending !== null && question !== null && (
        <Question
          {...question}
          onYes={() => {
            goAhead(pending);
          }}
          onNo={() => {
            setPending(null);
          }}
        />
      )}
    </form>
  );
}

interface QuestionProps extends Pick<ContentDoubt, 'title' | 'text' | 'yes'> {
  /** True if that cannot be taken back. */
  readonly isFinal: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks before what cannot be taken back, or what would be for nothing. */
function Question({ title, text, yes, isFinal, onYes, onNo }: QuestionProps) {
  const t = useText();
  return (
    <Dialog
      title={title}
      onClose={onNo}
      actions={
        <>
          <Button onClick={onNo}>{t('common.cancel')}</Button>
          <Button negative={isFinal} primary={!isFinal} onClick={onYes}>
            {yes}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}

const stay = (event: { readonly preventDefault: () => void }) => {
  event.preventDefault();
};

function useNames(): (command: TaskFormCommand) => string {
  const textOf = useTextOf();
  return ({ label, name }) => textOf(label, name);
}

interface BoxProps {
  readonly box: RefObject<HTMLTextAreaElement>;
  readonly comment: string;
  readonly error: string | null;
  /** Names of the commands that cannot be given without. */
  readonly needing: readonly string[];
  readonly isRequired: boolean;
  readonly onComment: (comment: string) => void;
}

function CommentBox({ box, comment, error, needing, isRequired, onComment }: BoxProps) {
  const t = useText();
  const help = [
    needing.length > 0 && !isRequired && t('flow.commentFor', { commands: needing.join(', ') }),
    comment.length >= COUNTED_FROM &&
      t('flow.commentLeft', { count: limits.commentCharacters - comment.length }),
  ].filter((line) => line !== false);
  return (
    <Field
      label={t('flow.comment')}
      isRequired={isRequired}
      error={error}
      {...(help.length === 0 ? {} : { help: help.join(' · ') })}
    >
      {(tied) => (
        <textarea
          {...tied}
          ref={box}
          className="growing"
          rows={2}
          dir="auto"
          maxLength={limits.commentCharacters}
          value={comment}
          onChange={(event) => {
            onComment(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

interface GoAheadProps {
  readonly name: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** One line between the keys and what they do. */
function GoAhead({ name, onYes, onNo }: GoAheadProps) {
  const t = useText();
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    yes.current?.focus();
  }, []);
  return (
    <div
      className="go-ahead"
      role="alertdialog"
      aria-label={t('flow.confirm', { command: name })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onNo();
      }}
    >
      <span>{t('flow.confirm', { command: name })}</span>
      <span className="button-row">
        <button type="button" className="ui button" ref={yes} onClick={onYes}>
          {t('flow.confirmYes')}
        </button>
        <Button onClick={onNo}>{t('flow.confirmNo')}</Button>
      </span>
    </div>
  );
}

/** This device could not keep the command: why, and what may help. */
function NotKept({ trouble }: Pick<Props, 'trouble'>) {
  const t = useText();
  const { freeSpace } = useHealth();
  return (
    <div role="alert">
      {trouble !== null && (
        <Note tone="error">
          <strong>{t('forms.notYetSaved')}</strong>
          <p>{trouble.reason}</p>
          {trouble.isFull && (
            <Button onClick={() => void freeSpace()}>{t('errors.makeRoom')}</Button>
          )}
        </Note>
      )}
    </div>
  );
}
