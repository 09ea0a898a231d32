import { sql } from 'kysely';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import type { WriteContext } from '../write-context.ts';
import type { JobAttempt } from '../../db/jobs/jobs.ts';
import type { Mail } from '../../kernel/mail/mail-templates.ts';
import type { Services } from '../services.ts';
import { wantsMailOf } from './mail-kinds.ts';

/**
 * People have this long to read a notification themselves; what comes meanwhile is in the same mail
 * (N2).
 */
const UNREAD_FOR_MS = 60_000;
/** A notification that is older than this is not mailed. */
const NEWS_FOR_MS = 180 * 60_000;

/** Failures are mailed at once to those who can do something about them. */
const FAILURE = /Failed|Disconnected/;

/**
 * Enqueues a mail of their notifications for `person`, unless they want none or read them before
 * (N1, N2).
 */
export async function mailLater(
  { services, write }: WriteContext,
  person: Of<'user'>,
  messageId: string,
): Promise<void> {
  const { id: user, email } = person;
  if (!wantsMailOf(person, messageId) || email === null) return;
  const isUrgent = FAILURE.test(messageId) && (await isAdmin(write, user));
  const job = { name: 'mail-notifications', data: { user } } as const;
  const afterMs = isUrgent ? 0 : UNREAD_FOR_MS;
  await services.jobs.enqueue(write, job, { afterMs, key: `mail-notifications ${user}` });
}

async function isAdmin(write: WriteTransaction, user: string): Promise<boolean> {
  const roles = await write.all('userRole', { user });
  return roles.some(
    ({ roleName }) => roleName === 'OrganizationAdmin' || roleName === 'SuperAdmin',
  );
}

/** Mails a person all recent notifications that they have not read; each once. */
export async function mailNotifications(
  services: Services,
  user: string,
  attempt: JobAttempt,
): Promise<void> {
  const at = services.clock();
  const due = await services.db.read((tx) => dueFor(tx, user, at));
  if (due.length === 0) return;
  await services.db.write({ at, by: null, changes: [] }, async (write) => {
    await attempt.complete(write);
    const person = await write.one('user', user);
    if (person === null) return;
    const rows = (await dueFor(write, user, at)).filter(({ messageId }) =>
      wantsMailOf(person, messageId),
    );
    const mail = mailTo(services, person, rows);
    if (mail === null) return;
    await services.jobs.enqueue(write, { name: 'send-letter', data: { letter: mail } });
    const dateEmailSent = new Date(at).toISOString();
    for (const { id } of rows) await write.change('notification', id, { dateEmailSent });
  });
}

type Due = Pick<Of<'notification'>, 'id' | 'message' | 'messageId' | 'linkUrl'>;

function dueFor(tx: DatabaseTransaction, user: string, at: number): Promise<Due[]> {
  const since = new Date(at - NEWS_FOR_MS).toISOString();
  return tx.query(
    sql<Due>`select id, message, message_id as "messageId", link_url as "linkUrl" from notifications
      where user_id = ${user} and send_email and date_read is null and date_email_sent is null
        and date_created > ${since}::timestamptz order by date_created, id`,
  );
}

/** Returns the mail; null: they want no mail any more, or may not have any. */
function mailTo(
  { config }: Services,
  { id, email, isLocked, locale }: Of<'user'>,
  rows: readonly Due[],
): Mail | null {
  const [first] = rows;
  if (email === null || isLocked || first === undefined) return null;
  const home = config.publicUrl;
  return {
    to: email,
    language: locale ?? 'en-US',
    template: 'notification',
    values: { first: first.message ?? '', link: `${home}/users/${id}/settings` },
    files: rows.map(({ message, linkUrl }) => ({
      name: message ?? '',
      url: linkUrl?.startsWith('/') === false ? linkUrl : `${home}${linkUrl ?? '/'}`,
    })),
  };
}
