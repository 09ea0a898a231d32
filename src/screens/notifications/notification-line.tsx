import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { useText } from '#ui/text/text.ts';
import { useMessage } from './use-message.ts';

interface Props {
  readonly notification: Of<'notification'>;
  /** It leads somewhere, and the person goes there. */
  readonly onFollow: () => void;
  readonly onRead: () => void;
  readonly onRemove: () => void;
}

/** Shows a message, how long ago it came, and where it leads. */
export function NotificationLine({ notification, onFollow, onRead, onRemove }: Props) {
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
