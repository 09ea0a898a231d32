import { useEffect, useId, useState } from 'react';
import { signOut } from '#session/sign-in.tsx';
import { useChanges } from '#data/use-changes.ts';
import { useData } from '#data/use-data.ts';
import { Button } from '#ui/button.tsx';
import { NeedsConnection } from '#ui/boxes.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useText } from '#ui/text.ts';

/** Leaves nothing of the person on this device. */
export function useLeave(): () => Promise<void> {
  const data = useData();
  return async () => {
    await data.clear();
    await signOut();
  };
}

interface Props {
  readonly onClose: () => void;
}

/** Signing out while changes wait: nothing typed is lost unless the person says so. */
export function SignOutDialog({ onClose }: Props) {
  const t = useText();
  const id = useId();
  const data = useData();
  const leave = useLeave();
  const { status, waiting, attention } = useChanges();
  const [isSending, setSending] = useState(false);
  const count = waiting + attention;
  const isOffline = status === 'offline';

  useEffect(() => {
    if (isSending && waiting === 0 && attention === 0) void leave();
  });
  const keepThem = async () => {
    await data.close();
    await signOut();
  };
  return (
    <Dialog
      title={t('signOut.title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button negative onClick={() => void leave()}>
            {t('signOut.discard', { count })}
          </Button>
          <Button onClick={() => void keepThem()}>{t('signOut.keep')}</Button>
          <Button
            primary
            loading={isSending && waiting > 0}
            disabled={isOffline || waiting === 0}
            aria-describedby={isOffline ? id : undefined}
            onClick={() => {
              setSending(true);
            }}
          >
            {t('signOut.send')}
          </Button>
        </>
      }
    >
      <p>{t('signOut.text', { count })}</p>
      {attention > 0 && <p>{t('signOut.attention', { count: attention })}</p>}
      {isOffline && <NeedsConnection id={id} />}
    </Dialog>
  );
}
