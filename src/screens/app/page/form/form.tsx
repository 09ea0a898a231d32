import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { useHealth } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import type { ProjectFormState } from './use-form.ts';
import { Dialog } from '#ui/overlay/dialog.tsx';

interface FormProps {
  readonly form: Omit<ProjectFormState<unknown>, 'fields' | 'meanwhile' | 'set'>;
  readonly className?: string;
  /** Says why Save cannot be pressed; null when it can. */
  readonly whyNot: string | null;
  /** Fields that say by themselves what is wrong with them, by their names on the wire. */
  readonly speaking: readonly string[];
  /** Instead of Save. */
  readonly saveLabel?: string;
  readonly onSave: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A project's form: Enter saves, in text areas Ctrl or ⌘ and Enter; Escape cancels; leaving it asks. */
export function ProjectForm(props: FormProps) {
  const { form, className = '', whyNot, speaking, onSave, onCancel, children } = props;
  const { isSaving, guard, forget } = form;
  const t = useText();
  const save = () => {
    if (whyNot === null && !isSaving) onSave();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
    if (event.key === 'Escape' && !event.defaultPrevented) onCancel();
  };
  return (
    <>
      <form
        className={`ui form ${className}`}
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
