import { useId } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly title: string;
  readonly isOffline: boolean;
  readonly isSending: boolean;
  /** True while it cannot be sent for another reason than the connection. */
  readonly isOff: boolean;
  readonly submitLabel: string;
  readonly onSubmit: () => void;
  /** Closes it; what was typed stays for the next time. */
  readonly onClose: () => void;
  /** Forgets what was typed. */
  readonly onForget: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog whose command needs a connection, which it says before anybody types. */
export function OnlineDialog(props: Props) {
  const { title, isOffline, isSending, isOff, submitLabel, onSubmit, onClose, onForget } = props;
  const t = useText();
  const offline = useId();
  return (
    <Dialog
      title={title}
      isBusy={isSending}
      onClose={onClose}
      actions={
        <>
          {isOffline && <NeedsConnection id={offline} />}
          <Button
            disabled={isSending}
            onClick={() => {
              onForget();
              onClose();
            }}
          >
            {t('common.cancel')}
          </Button>
          <Button
            primary
            loading={isSending}
            disabled={isOffline || isSending || isOff}
            aria-describedby={isOffline ? offline : undefined}
            onClick={onSubmit}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
