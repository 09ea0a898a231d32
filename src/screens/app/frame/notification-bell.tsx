import { useState } from 'react';
import { useList, useViewer } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { LateDialog, loadWithTexts } from '../page/late/late-part.tsx';

const load = loadWithTexts(
  async () => (await import('../../notifications/notifications.tsx')).Notifications,
);

/** Shows how many notifications are unread; opens them. */
export function NotificationBell() {
  const t = useText();
  const { id: user } = useViewer();
  const { total } = useList('notification', { user, dateRead: null });
  const [isOpen, setOpen] = useState(false);
  const label = t('header.notifications', { number: total });
  const onClose = () => {
    setOpen(false);
  };
  return (
    <>
      <button
        type="button"
        className="icon-button bell"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(true);
        }}
      >
        <Icon name="bell" />
        {total > 0 && <span className="bell-count">{total > 99 ? '99+' : total}</span>}
      </button>
      {isOpen && <LateDialog load={load} props={{ onClose }} title={label} size="right" />}
    </>
  );
}
