import { useCallback } from 'react';
import type { Of } from '#schema/index.ts';
import { useTextOf } from '#ui/text/text.ts';
import { kebab } from '#base/kebab.ts';

/** Values that name a state of a workflow. */
const STATES: ReadonlySet<string> = new Set(['activityName', 'status']);

type MessageText = Pick<Of<'notification'>, 'message' | 'messageId' | 'messageValues'>;

/**
 * The text of a notification, in the language of the moment; one that has no text as it was sent.
 */
export function useMessage(): (notification: MessageText) => string {
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
