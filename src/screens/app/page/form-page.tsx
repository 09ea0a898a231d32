import { useEffect, useRef, useState } from 'react';
import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { useChanges, useHealth, useList } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { useText } from '#ui/text/text.ts';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { badgeOf, RecordBadge, recordMarks } from './changes/record-badge.tsx';
import type { PageRecord } from './changes/record-badge.tsx';
import { useSaved } from './changes/use-saved.ts';
import type { FormState } from './form/use-form.ts';
import { usePageTitle } from './page-title.ts';

interface FormPageProps extends FormProps {
  readonly title: string;
  /** The record that is edited: its badge stands below the title. */
  readonly record?: PageRecord;
  /** Stands below the title where no record is edited. */
  readonly context?: ReactNode;
  readonly before?: ReactNode;
  readonly after?: ReactNode;
}

/** A page that is a form: its head, and the fields with what saves them. */
export function FormPage({ title, record, context, before, after, ...form }: FormPageProps) {
  const hasBadge = record !== undefined && badgeOf(record.change) !== null;
  const badge = hasBadge && <RecordBadge record={record.id} change={record.change} showsReason />;
  const { asOf } = useList('organization', {});
  const isOffline = useChanges().status === 'offline';
  usePageTitle(title);
  const page = (
    <>
      <PageHead
        title={title}
        context={hasBadge ? badge : context}
        {...(record === undefined ? {} : { asOf: isOffline ? asOf : null })}
      />
      {before}
      <Segment>
        <Form {...form} />
      </Segment>
      {after}
    </>
  );
  return record === undefined ? page : <div {...recordMarks(record)}>{page}</div>;
}

interface FormProps {
  readonly form: Omit<FormState<unknown>, 'fields' | 'meanwhile' | 'set' | 'propsOf'>;
  readonly className?: string;
  /** The form's name, where it does not stand alone on its page. */
  readonly label?: string;
  /** Says why Save cannot be pressed; null when it can. */
  readonly whyNot: string | null;
  /** Checks the fields; while one is not valid, nothing is saved and the first such has the focus. */
  readonly isValid?: () => boolean;
  /** Fields that say by themselves what is wrong with them, by their names on the wire. */
  readonly speaking: readonly string[];
  /** Instead of Save. */
  readonly saveLabel?: string;
  /** What is said when it is saved; null: the next page says it by itself. */
  readonly success: string | null;
  /** Saves, and answers where to go on; null: here. */
  readonly onSave: () => Promise<string | null>;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** The form itself: Enter saves, in text areas Ctrl or ⌘ and Enter; Escape cancels; leaving it asks. */
export function Form(props: FormProps) {
  const { form, className = '', whyNot, speaking, onSave, onCancel, children } = props;
  const { isSaving, guard, forget } = form;
  const t = useText();
  const go = useNavigate();
  const saved = useSaved();
  const element = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refusals]);
  const save = () => {
    if (whyNot !== null || isSaving) return;
    if (props.isValid?.() === false) {
      setRefusals(refusals + 1);
      return;
    }
    void form.save(async () => {
      const next = await onSave();
      forget();
      if (next === null) form.again();
      saved({ success: props.success });
      if (next !== null) void go(next);
    });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
    if (event.key === 'Escape' && !event.defaultPrevented) onCancel();
  };
  return (
    <>
      <form
        ref={element}
        className={`ui form ${className}`}
        aria-label={props.label}
        noValidate
        onKeyDown={onKey}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          save();
        }}
      >
        {children}
        <NotSaved form={form} speaking={speaking} onAgain={save} />
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
            {props.saveLabel ?? t('common.save')}
          </Button>
        </div>
      </form>
      {guard.state === 'blocked' && (
        <LeaveDialog
          onKeep={() => {
            guard.reset();
          }}
          // With nothing typed there is nothing to ask, and the way is free.
          onDiscard={forget}
        />
      )}
    </>
  );
}

/** Says why the typed values are not saved, and what may help; nothing looks saved. */
function NotSaved({ form, speaking, onAgain }: NotSavedProps) {
  const t = useText();
  const { freeSpace } = useHealth();
  const { trouble } = form;
  const isSaid = trouble?.field !== null && speaking.includes(trouble?.field ?? '');
  return (
    <div role="alert" className="form-wide">
      {trouble !== null && !isSaid && (
        <Note tone="error">
          <strong>{t('forms.notYetSaved')}</strong>
          <p>{trouble.reason}</p>
          {trouble.isFull && (
            <Button onClick={() => void freeSpace().then(onAgain)}>{t('errors.makeRoom')}</Button>
          )}
        </Note>
      )}
    </div>
  );
}

interface NotSavedProps {
  readonly form: FormProps['form'];
  readonly speaking: readonly string[];
  readonly onAgain: () => void;
}

interface LeaveDialogProps {
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asks before typed text is left behind. */
function LeaveDialog({ onKeep, onDiscard }: LeaveDialogProps) {
  const t = useText();
  return (
    <Dialog
      title={t('forms.leave')}
      onClose={onKeep}
      actions={
        <>
          <Button negative onClick={onDiscard}>
            {t('forms.discard')}
          </Button>
          <Button primary onClick={onKeep}>
            {t('forms.keepEditing')}
          </Button>
        </>
      }
    >
      <p>{t('forms.leaveText')}</p>
    </Dialog>
  );
}
