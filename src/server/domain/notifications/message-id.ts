import type { MailTextKey } from '#text/say.ts';

/** Every kind of notification: its sentence stands in the texts. */
export type MessageId = MailTextKey extends infer K
  ? K extends `notifications.${infer Id}`
    ? Id
    : never
  : never;
