import { newId } from '#base/id.ts';
import { displayNameOf } from '#rules/record/display.ts';
import type { Doing } from '../doing.ts';
import { say, stateName } from '#text/say.ts';
import type { Language, TextKey } from '#text/say.ts';
import { takesMailOf } from './consent.ts';
import { mailLater } from './mail.ts';

export type MessageId = TextKey extends infer K
  ? K extends `notifications.${infer Id}`
    ? Id
    : never
  : never;

export interface Message {
  readonly id: MessageId;
  /** Because of which organization they are told; null: of none. */
  readonly organization: string | null;
  readonly values: Readonly<Record<string, string>>;
  readonly linkUrl: string;
}

/** Tells `user`, in their language, and by mail. Nobody is told of their own doings, nor who is locked (N4, N5). */
export async function notify(
  { parts, write }: Doing,
  user: string | null,
  message: Message,
): Promise<void> {
  if (user === null || user === write.cause.by) return;
  const person = await write.one('user', user);
  if (person === null || person.isLocked) return;
  const isMailed = await takesMailOf(write, user, message.organization);
  await write.insert('notification', {
    id: newId(parts.clock, parts.random),
    user,
    messageId: message.id,
    messageValues: message.values,
    message: textOf(message, person.locale ?? 'en-US'),
    linkUrl: message.linkUrl,
    sendEmail: person.emailNotification && isMailed,
  });
  if (isMailed) await mailLater({ parts, write }, person, message.id);
}

/** What it says in `language`; states of workflows by the names that they have there. */
function textOf({ id, values }: Pick<Message, 'id' | 'values'>, language: Language): string {
  const named = Object.entries(values).map(([name, value]) => {
    const isState = name === 'activityName' || name === 'status';
    return [name, isState ? stateName(language, value) : value] as const;
  });
  return say(language, `notifications.${id}`, Object.fromEntries(named));
}

/** How a person is called in texts. */
export async function nameOf({ write }: Pick<Doing, 'write'>, user: string): Promise<string> {
  const person = await write.one('user', user);
  return (person === null ? null : displayNameOf(person)) ?? '';
}
