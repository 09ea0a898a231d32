import { useMemo } from 'react';
import { kebab } from '#base/kebab.ts';
import type { Of } from '#schema/index.ts';
import { useTextOf } from '#ui/text/text.ts';
import { lookOf } from './notification-look.ts';

type Message = Pick<Of<'notification'>, 'message' | 'messageId' | 'messageValues'>;

interface NotificationWords {
  /** All of it in one sentence; one that has no text as it was sent. */
  readonly sentenceOf: (notification: Message) => string;
  /** What it is about, by name, and what happened; null: only the sentence says it. */
  readonly partsOf: (notification: Message) => {
    readonly names: readonly string[];
    readonly event: string;
  } | null;
}

/** Values that name a state of a workflow. */
const STATES: ReadonlySet<string> = new Set(['activityName', 'status']);

/** The words of notifications, in the language of the moment. */
export function useNotificationWords(): NotificationWords {
  const textOf = useTextOf();
  return useMemo(() => {
    const valuesOf = ({ messageValues }: Message): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(messageValues ?? {}).map(([name, value]) => {
          const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
          return [name, STATES.has(name) ? textOf(`states.${kebab(text)}`, text) : text] as const;
        }),
      );
    return {
      sentenceOf: (notification) => {
        const { messageId, message } = notification;
        const values = valuesOf(notification);
        return textOf(`notifications.${messageId ?? ''}`, message ?? '', values);
      },
      partsOf: (notification) => {
        const { event } = lookOf(notification.messageId);
        const values = valuesOf(notification);
        const { projectName = '', productName = '' } = values;
        if (event === null || projectName === '') return null;
        const names = [projectName, productName].filter((name) => name !== '');
        return { names, event: textOf(event, '', values) };
      },
    };
  }, [textOf]);
}
