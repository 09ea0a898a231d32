import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asks before typed text is left behind. */
export function LeaveDialog({ onKeep, onDiscard }: Props) {
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
