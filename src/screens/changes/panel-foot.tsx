import { useState } from 'react';
import { useChanges } from '#data/react/hooks.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';
import { useOnline } from '../app/page/device/use-online.ts';

interface Props {
  readonly onDiscard: (rows: readonly ChangeRow[]) => void;
  readonly onDetails: () => void;
}

/** Offers what can be done with all changes together. */
export function PanelFoot({ onDiscard, onDetails }: Props) {
  const t = useText();
  const isOnline = useOnline();
  const { status, waiting, rows, sendNow } = useChanges();
  const [isAsking, setAsking] = useState(false);
  // A change that is being sent may have arrived: it can be undone, not unsaid.
  const open = rows.filter(({ state }) => state !== 'done' && state !== 'sending');
  const close = () => {
    setAsking(false);
  };
  return (
    <>
      <button type="button" className="link-button panel-details" onClick={onDetails}>
        {t('changes.details')}
      </button>
      {open.length > 0 && (
        <Button
          negative
          onClick={() => {
            setAsking(true);
          }}
        >
          {t('changes.discardAll')}
        </Button>
      )}
      {waiting > 0 && isOnline && status !== 'sign-in' && (
        <Button
          primary
          onClick={() => {
            sendNow();
          }}
        >
          {t('changes.sendNow')}
        </Button>
      )}
      {isAsking && (
        <Dialog
          title={t('changes.discardAllTitle', { count: open.length })}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('common.cancel')}</Button>
              <Button
                negative
                onClick={() => {
                  close();
                  onDiscard(open);
                }}
              >
                {t('changes.discardAll')}
              </Button>
            </>
          }
        >
          <p>{t('changes.discardAllText')}</p>
        </Dialog>
      )}
    </>
  );
}
