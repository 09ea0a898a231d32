import { useId } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../form/controls.tsx';
import { NeedsConnection } from '../status/boxes.tsx';
import { useText } from '../text/text.ts';
import { Dialog } from './dialog.tsx';

interface Props {
  readonly title: string;
  readonly size?: 'small' | 'medium';
  /** What the button says that sends the form. */
  readonly action: string;
  /** True while it is sent; it stays open then. */
  readonly isBusy?: boolean;
  /** It cannot be sent now, for want of a connection. */
  readonly isOffline?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form that is sent or given up; Enter in a field sends it. */
export function FormDialog(props: Props) {
  const { title, size = 'small', action, isBusy = false, isOffline = false } = props;
  const { onSubmit, onClose, children } = props;
  const t = useText();
  const id = useId();
  const offline = `${id}-offline`;
  return (
    <Dialog
      title={title}
      size={size}
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <>
          {isOffline && <NeedsConnection id={offline} />}
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            primary
            type="submit"
            form={id}
            loading={isBusy}
            disabled={isOffline || isBusy}
            aria-describedby={isOffline ? offline : undefined}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="ui form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
