import { useEffect, useId, useRef, useState } from 'react';
import { signOut } from '#session/sign-in.tsx';
import { useChanges, useData } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';
import { ShortList } from '#ui/value/short-list.tsx';
import { useReadable } from '../../changes/readable.ts';
import { useLeave } from '../page/device/use-leave.ts';
import './sign-out.css';

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
  const maySend = !isOffline && status !== 'sign-in' && waiting > 0;

  const isLeaving = useRef(false);
  useEffect(() => {
    if (!isSending || count > 0 || isLeaving.current) return;
    isLeaving.current = true;
    void leave();
  }, [isSending, count, leave]);
  const keepThem = async () => {
    await data.close();
    await signOut();
  };
  // Everything was sent while this stood open: nothing is left to ask.
  if (count === 0)
    return (
      <Dialog
        title={t('signOut.title')}
        onClose={onClose}
        actions={
          <Button primary loading={isSending} onClick={() => void leave()}>
            {t('signOut.title')}
          </Button>
        }
      >
        <p>{t('changes.empty')}</p>
      </Dialog>
    );
  return (
    <Dialog
      title={t('signOut.title')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('common.cancel')}</Button>}
    >
      <p>{t('signOut.text', { count })}</p>
      <Unsent />
      {attention > 0 && <p>{t('signOut.attention', { count: attention })}</p>}
      {status === 'sign-in' && <p>{t('changes.signIn')}</p>}
      <div className="sign-out-ways">
        <Button
          primary
          loading={isSending && maySend}
          disabled={!maySend}
          aria-describedby={isOffline ? id : undefined}
          onClick={() => {
            setSending(true);
          }}
        >
          {t('signOut.send')}
        </Button>
        {isOffline && <NeedsConnection id={id} />}
        <Button aria-describedby={`${id}-keep`} onClick={() => void keepThem()}>
          {t('signOut.keep')}
        </Button>
        <p className="caption" id={`${id}-keep`}>
          {t('signOut.keepMeans')}
        </p>
        <Button negative aria-describedby={`${id}-discard`} onClick={() => void leave()}>
          {t('signOut.discard', { count })}
        </Button>
        <p className="caption" id={`${id}-discard`}>
          {t('signOut.discardMeans')}
        </p>
      </div>
    </Dialog>
  );
}

/** Lists what was not sent. */
function Unsent() {
  const { rows } = useChanges();
  const { sentence } = useReadable();
  const unsent = rows.filter(({ state }) => state !== 'done');
  return <ShortList items={unsent.map(({ says }) => sentence(says))} />;
}
