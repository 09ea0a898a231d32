import { newId } from '#base/id.ts';
import { displayNameOf } from '#rules/display.ts';
import type { Doing } from '../doing.ts';
import { say } from '../language.ts';
import type { TextKey } from '../language.ts';

export type MessageId = TextKey extends infer K
  ? K extends `notifications.${infer Id}`
    ? Id
    : never
  : never;

export interface Message {
  readonly id: MessageId;
  readonly values: Readonly<Record<string, string>>;
  readonly linkUrl: string;
}

/** Tells `user`, in their language. Nobody is told of their own doings, nor who is locked (N4, N5). */
export async function notify(
  { parts, write }: Doing,
  user: string | null,
  message: Message,
): Promise<void> {
  if (user === null || user === write.cause.by) return;
  const person = await write.one('user', user);
  if (person === null || person.isLocked) return;
  await write.insert('notification', {
    id: newId(parts.clock, parts.random),
    user,
    messageId: message.id,
    messageValues: message.values,
    message: say(person.locale ?? 'en-US', `notifications.${message.id}`, message.values),
    linkUrl: message.linkUrl,
    sendEmail: person.emailNotification,
  });
}

/** How a person is called in texts. */
export async function nameOf({ write }: Pick<Doing, 'write'>, user: string): Promise<string> {
  const person = await write.one('user', user);
  return (person === null ? null : displayNameOf(person)) ?? '';
}
