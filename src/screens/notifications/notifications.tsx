import { useId, useRef, useState } from 'react';
import type { Of } from '#schema/index.ts';
import { markRead, removeNotification } from '#data/actions/notifications.ts';
import { oneChangeEach } from '#data/actions/one-change-each.ts';
import { useData, useList, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useDays } from './by-day.ts';
import { NotificationLine } from './notification-line.tsx';
import { lookOf } from './notification-look.ts';
import { useNotificationWords } from './use-notification-words.ts';
import './notifications.css';

type Notification = Of<'notification'>;

/** Which of them are listed. */
const FILTERS = ['all', 'unread', 'failed'] as const;
type Filter = (typeof FILTERS)[number];

const PASSES: Readonly<Record<Filter, (notification: Notification) => boolean>> = {
  all: () => true,
  unread: ({ dateRead }) => dateRead === null,
  failed: ({ messageId }) => lookOf(messageId).kind === 'failed',
};

interface NotificationsProps {
  readonly onClose: () => void;
}

/**
 * Lists the person's notifications by day, newest first. Opening the list marks nothing as read; what
 * is done with all is done with those in sight.
 */
export function Notifications({ onClose }: NotificationsProps) {
  const t = useText();
  const { id: user } = useViewer();
  const { state, rows: all } = useList('notification', { user }, { sort: '-dateCreated' });
  const [filter, setFilter] = useState<Filter>('all');
  const [isAsking, setAsking] = useState(false);
  const actions = useNotificationActions();
  const rows = all.filter(PASSES[filter]);
  const unread = rows.filter(PASSES.unread);
  const empty = state === 'not-here' ? 'sync.notOnDevice' : 'header.emptyNotifications';

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
      {all.length > 0 && <FilterChoice all={all} filter={filter} onFilter={setFilter} />}
      {rows.length === 0 ? (
        <p className="soft" role="status">
          {t(all.length === 0 || filter === 'all' ? empty : `bell.none.${filter}`)}
        </p>
      ) : (
        <Days rows={rows} filter={filter} actions={actions} onClose={onClose} />
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

interface FilterChoiceProps {
  readonly all: readonly Notification[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** Chooses which are listed; the number says how many those are. */
function FilterChoice({ all, filter, onFilter }: FilterChoiceProps) {
  const t = useText();
  return (
    <div className="notification-filter" role="group" aria-label={t('bell.show')}>
      {FILTERS.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === filter}
          onClick={() => {
            onFilter(each);
          }}
        >
          {t(`bell.shown.${each}`)}{' '}
          <span className="figure soft">{all.filter(PASSES[each]).length}</span>
        </button>
      ))}
    </div>
  );
}

interface DaysProps {
  readonly rows: readonly Notification[];
  readonly filter: Filter;
  readonly actions: ReturnType<typeof useNotificationActions>;
  readonly onClose: () => void;
}

function Days({ rows, filter, actions, onClose }: DaysProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const days = useDays(rows);
  /** Puts the focus on the button by which `notification` is removed; on that of the dialog for null. */
  const focus = (notification: Notification | null) => {
    const { current } = list;
    const place =
      notification === null
        ? current?.closest('dialog')
        : current?.querySelector(`[data-id="${notification.id}"]`);
    place?.querySelector<HTMLElement>('.icon-button')?.focus();
  };
  const besideOf = (notification: Notification) => {
    const index = rows.indexOf(notification);
    return rows[index + 1] ?? rows[index - 1] ?? null;
  };
  return (
    <div ref={list}>
      {days.map(({ title, rows: ofDay }, index) => (
        <section key={title} aria-labelledby={`${id}-${index}`}>
          <h3 className="notification-day" id={`${id}-${index}`}>
            {title}
          </h3>
          <ul className="notifications">
            {ofDay.map((notification) => (
              <NotificationLine
                key={notification.id}
                notification={notification}
                onFollow={() => {
                  actions.read([notification]);
                  onClose();
                }}
                onRead={() => {
                  // The button goes, and where unread ones are listed its line with it.
                  const next = filter === 'unread' ? besideOf(notification) : notification;
                  actions.read([notification]);
                  focus(next);
                }}
                onRemove={() => {
                  const next = besideOf(notification);
                  actions.remove(notification);
                  focus(next);
                }}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

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
  const { sentenceOf } = useNotificationWords();
  const failed = t('bell.failed');
  return {
    read: (all: readonly Notification[]) => {
      const unread = all.filter(PASSES.unread);
      void attempt(failed, () =>
        oneChangeEach(unread, (each) => markRead(data, each, sentenceOf(each))),
      );
    },
    remove: (notification: Notification) => {
      void attempt(failed, async () => {
        const back = await removeNotification(data, notification, sentenceOf(notification));
        show({
          tone: 'info',
          title: t('bell.removed'),
          detail: sentenceOf(notification),
          action: { label: t('common.undo'), run: () => void attempt(failed, back) },
        });
      });
    },
    clear: (all: readonly Notification[]) => {
      void attempt(failed, () =>
        oneChangeEach(all, (each) => removeNotification(data, each, sentenceOf(each))),
      );
    },
  };
}
