import { useRef, useState, useCallback } from 'react';
import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { markRead, removeNotification } from '#data/actions/notifications.ts';
import { oneChangeEach } from '#data/actions/one-change-each.ts';
import { useData, useList, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useAttempt } from '../app/page/use-attempt.ts';
import './notifications.css';
import { Icon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { kebab } from '#base/kebab.ts';

type Notification = Of<'notification'>;

interface NotificationsProps {
  readonly onClose: () => void;
}

/** Lists the person's notifications, newest first. Opening the list marks nothing as read. */
export function Notifications({ onClose }: NotificationsProps) {
  const t = useText();
  const { id: user } = useViewer();
  const { state, rows } = useList('notification', { user }, { sort: '-dateCreated' });
  const [isAsking, setAsking] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const actions = useNotificationActions();
  const unread = rows.filter(({ dateRead }) => dateRead === null);

  const remove = (notification: Notification, index: number) => {
    const next = rows[index + 1] ?? rows[index - 1];
    actions.remove(notification);
    // The line takes the focus with it.
    const place =
      next === undefined ? list.current?.closest('dialog') : lineOf(list.current, next.id);
    place?.querySelector<HTMLElement>('button')?.focus();
  };

  return (
    <Dialog
      title={t('bell.title')}
      size="right"
      onClose={onClose}
      actions={
        rows.length === 0 ? undefined : (
          <>
            <Button
              onClick={() => {
                setAsking(true);
              }}
            >
              {t('bell.clearAll')}
            </Button>
            <Button
              disabled={unread.length === 0}
              onClick={() => {
                actions.read(unread);
              }}
            >
              {t('bell.markAllRead')}
            </Button>
          </>
        )
      }
    >
      {rows.length === 0 ? (
        <p className="soft">
          {t(state === 'not-here' ? 'sync.notOnDevice' : 'header.emptyNotifications')}
        </p>
      ) : (
        <ul className="notifications" ref={list}>
          {rows.map((notification, index) => (
            <NotificationLine
              key={notification.id}
              notification={notification}
              onFollow={() => {
                actions.read([notification]);
                onClose();
              }}
              onRead={() => {
                actions.read([notification]);
              }}
              onRemove={() => {
                remove(notification, index);
              }}
            />
          ))}
        </ul>
      )}
      {isAsking && (
        <ClearAll
          count={rows.length}
          onClose={() => {
            setAsking(false);
          }}
          onClear={() => {
            setAsking(false);
            actions.clear(rows);
          }}
        />
      )}
    </Dialog>
  );
}

const lineOf = (list: HTMLElement | null, id: string) =>
  list?.querySelector<HTMLElement>(`[data-id="${id}"]`);

interface ClearAllProps {
  readonly count: number;
  readonly onClose: () => void;
  readonly onClear: () => void;
}

function ClearAll({ count, onClose, onClear }: ClearAllProps) {
  const t = useText();
  return (
    <Dialog
      title={t('bell.clearTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button negative onClick={onClear}>
            {t('bell.clearAll')}
          </Button>
        </>
      }
    >
      <p>{t('bell.clearText', { count })}</p>
    </Dialog>
  );
}

function useNotificationActions() {
  const t = useText();
  const data = useData();
  const show = useToast();
  const attempt = useAttempt();
  const messageOf = useMessage();
  const failed = t('bell.failed');
  return {
    read: (all: readonly Notification[]) => {
      const unread = all.filter(({ dateRead }) => dateRead === null);
      void attempt(failed, () =>
        oneChangeEach(unread, (each) => markRead(data, each, messageOf(each))),
      );
    },
    remove: (notification: Notification) => {
      void attempt(failed, async () => {
        const back = await removeNotification(data, notification, messageOf(notification));
        show({
          tone: 'info',
          title: t('bell.removed'),
          detail: messageOf(notification),
          action: { label: t('common.undo'), run: () => void attempt(failed, back) },
        });
      });
    },
    clear: (all: readonly Notification[]) => {
      void attempt(failed, () =>
        oneChangeEach(all, (each) => removeNotification(data, each, messageOf(each))),
      );
    },
  };
}

interface NotificationLineProps {
  readonly notification: Of<'notification'>;
  /** It leads somewhere, and the person goes there. */
  readonly onFollow: () => void;
  readonly onRead: () => void;
  readonly onRemove: () => void;
}

/** Shows a message, how long ago it came, and where it leads. */
function NotificationLine({ notification, onFollow, onRead, onRemove }: NotificationLineProps) {
  const t = useText();
  const messageOf = useMessage();
  const { id, dateRead, dateCreated, linkUrl } = notification;
  const message = messageOf(notification);
  const isUnread = dateRead === null;
  return (
    <li
      className={isUnread ? 'notification notification-unread' : 'notification'}
      data-id={id}
      data-record={`notifications:${id}`}
    >
      <div className="notification-text">
        {isUnread && <span className="out-of-sight">{t('bell.unread')} </span>}
        <Message linkUrl={linkUrl} onFollow={onFollow}>
          {message}
        </Message>
        <div className="notification-foot">
          <RelativeTime at={dateCreated} />
          {isUnread && (
            <button type="button" className="link-button" onClick={onRead}>
              {t('bell.markRead')}
            </button>
          )}
        </div>
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={t('bell.remove', { message })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

interface MessageProps {
  readonly linkUrl: string | null;
  readonly onFollow: () => void;
  readonly children: string;
}

function Message({ linkUrl, onFollow, children }: MessageProps) {
  if (linkUrl?.startsWith('/') === true)
    return (
      <Link to={linkUrl} onClick={onFollow}>
        {children}
      </Link>
    );
  if (linkUrl !== null && /^https?:\/\//i.test(linkUrl))
    return (
      <a href={linkUrl} target="_blank" rel="noopener noreferrer" onClick={onFollow}>
        {children}
      </a>
    );
  return <span>{children}</span>;
}

/** Values that name a state of a workflow. */
const STATES: ReadonlySet<string> = new Set(['activityName', 'status']);

type MessageText = Pick<Of<'notification'>, 'message' | 'messageId' | 'messageValues'>;

/**
 * The text of a notification, in the language of the moment; one that has no text as it was sent.
 */
function useMessage(): (notification: MessageText) => string {
  const textOf = useTextOf();
  return useCallback(
    ({ message, messageId, messageValues }) => {
      const values = Object.entries(messageValues ?? {}).map(([name, value]) => {
        const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
        return [name, STATES.has(name) ? textOf(`states.${kebab(text)}`, text) : text] as const;
      });
      return textOf(`notifications.${messageId ?? ''}`, message ?? '', Object.fromEntries(values));
    },
    [textOf],
  );
}
