import { newId } from '#base/id.ts';
import { displayNameOf } from '#rules/record/display.ts';
import type { WriteContext } from '../write-context.ts';
import { translate, stateName } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import { takesMailOf } from './consent.ts';
import { wantsMailOf } from './mail-kinds.ts';
import { mailLater } from './mail.ts';
import type { MessageId } from './message-id.ts';

export interface NotificationMessage {
  readonly id: MessageId;
  /** The organization that is the reason; null: there is none. */
  readonly organization: string | null;
  readonly values: Readonly<Record<string, string>>;
  readonly linkUrl: string;
}

/**
 * Notifies `user`, in their language, and by mail. Nobody is notified of what they did themselves,
 * and no locked person is (N4, N5).
 */
export async function notify(
  { services, write }: WriteContext,
  user: string | null,
  message: NotificationMessage,
): Promise<void> {
  if (user === null || user === write.cause.by) return;
  const person = await write.one('user', user);
  if (person === null || person.isLocked) return;
  const isMailed = await takesMailOf(write, user, message.organization);
  await write.insert('notification', {
    id: newId(services.clock, services.random),
    user,
    messageId: message.id,
    messageValues: message.values,
    message: textOf(message, person.locale ?? 'en-US'),
    linkUrl: message.linkUrl,
    sendEmail: isMailed && wantsMailOf(person, message.id),
  });
  if (isMailed) await mailLater({ services, write }, person, message.id);
}

/** Returns the text in `language`; workflow states and numbers are as they are said there. */
function textOf(
  { id, values }: Pick<NotificationMessage, 'id' | 'values'>,
  language: MailLanguage,
): string {
  const named = Object.entries(values).map(([name, value]) => {
    const isState = name === 'activityName' || name === 'status';
    if (isState) return [name, stateName(language, value)] as const;
    return [name, name === 'minutes' ? Number(value) : value] as const;
  });
  return translate(language, `notifications.${id}`, Object.fromEntries(named));
}

/** Returns the name of a person for texts. */
export async function nameOf(
  { write }: Pick<WriteContext, 'write'>,
  user: string,
): Promise<string> {
  const person = await write.one('user', user);
  return (person === null ? null : displayNameOf(person)) ?? '';
}
