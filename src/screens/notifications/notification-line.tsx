import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { StatusSign } from '#ui/status/status-sign.tsx';
import { useText } from '#ui/text/text.ts';
import { Dot, RelativeTime } from '#ui/value/values.tsx';
import { KIND_SIGNS, lookOf } from './notification-look.ts';
import { useNotificationWords } from './use-notification-words.ts';

interface Props {
  readonly notification: Of<'notification'>;
  /** It leads somewhere, and the person goes there. */
  readonly onFollow: () => void;
  readonly onRead: () => void;
  readonly onRemove: () => void;
}

/** Shows what it is about, what happened, how long ago, and where it leads. */
export function NotificationLine({ notification, onFollow, onRead, onRemove }: Props) {
  const t = useText();
  const { sentenceOf } = useNotificationWords();
  const { id, dateRead, dateCreated, linkUrl, messageId } = notification;
  const isUnread = dateRead === null;
  return (
    <li
      className={isUnread ? 'notification notification-unread' : 'notification'}
      data-id={id}
      data-record={`notifications:${id}`}
    >
      <StatusSign {...KIND_SIGNS[lookOf(messageId).kind]} />
      <div className="notification-text">
        {isUnread && <span className="out-of-sight">{t('bell.unread')} </span>}
        <Leading linkUrl={linkUrl} onFollow={onFollow}>
          <Words notification={notification} />
        </Leading>
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
        aria-label={t('bell.remove', { message: sentenceOf(notification) })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** The names of what it is about above what happened; the sentence where it is about neither. */
function Words({ notification }: Pick<Props, 'notification'>) {
  const { sentenceOf, partsOf } = useNotificationWords();
  const parts = partsOf(notification);
  if (parts === null) return <span className="notification-title">{sentenceOf(notification)}</span>;
  return (
    <>
      <span className="notification-title">
        {parts.names.map((name, index) => (
          <Fragment key={index}>
            {index > 0 && <Dot />}
            <bdi>{name}</bdi>
          </Fragment>
        ))}
      </span>{' '}
      <span className="notification-event">{parts.event}</span>
    </>
  );
}

interface LeadingProps {
  readonly linkUrl: string | null;
  readonly onFollow: () => void;
  readonly children: ReactNode;
}

function Leading({ linkUrl, onFollow, children }: LeadingProps) {
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
