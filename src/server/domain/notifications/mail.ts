import { sql } from 'kysely';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import type { WriteContext } from '../write-context.ts';
import type { JobAttempt } from '../../db/jobs/jobs.ts';
import type { Mail } from '../../kernel/mail/mail-templates.ts';
import type { Services } from '../services.ts';

/** So long people have to read it themselves; what comes meanwhile is in the same mail (N2). */
const UNREAD_FOR_MS = 60_000;
/** What is older is no news. */
const NEWS_FOR_MS = 180 * 60_000;

/** What went wrong: those who can do something about it hear of it at once. */
const FAILURE = /Failed|Disconnected/;

/** Has `person` be mailed what they were told, unless they want none or read it before (N1, N2). */
export async function mailLater(
  { services, write }: WriteContext,
  { id: user, email, emailNotification }: Of<'user'>,
  messageId: string,
): Promise<void> {
  if (!emailNotification || email === null) return;
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

/** Mails a person all that they were told lately and have not read; each once. */
export async function mailNotifications(
  parts: Services,
  user: string,
  attempt: JobAttempt,
): Promise<void> {
  const at = parts.clock();
  const due = await parts.db.read((tx) => dueFor(tx, user, at));
  if (due.length === 0) return;
  await parts.db.write({ at, by: null, changes: [] }, async (write) => {
    await attempt.complete(write);
    const person = await write.one('user', user);
    const rows = await dueFor(write, user, at);
    if (rows.length === 0 || person === null) return;
    const letter = mailTo(parts, person, rows);
    if (letter === null) return;
    await parts.jobs.enqueue(write, { name: 'send-letter', data: { letter } });
    const dateEmailSent = new Date(at).toISOString();
    for (const { id } of rows) await write.change('notification', id, { dateEmailSent });
  });
}

type Due = Pick<Of<'notification'>, 'id' | 'message' | 'linkUrl'>;

function dueFor(tx: DatabaseTransaction, user: string, at: number): Promise<Due[]> {
  const since = new Date(at - NEWS_FOR_MS).toISOString();
  return tx.query(
    sql<Due>`select id, message, link_url as "linkUrl" from notifications
      where user_id = ${user} and send_email and date_read is null and date_email_sent is null
        and date_created > ${since}::timestamptz order by date_created, id`,
  );
}

/** Null: they want no mail any more, or may not have any. */
function mailTo(
  { config }: Services,
  { id, email, emailNotification, isLocked, locale }: Of<'user'>,
  rows: readonly Due[],
): Mail | null {
  const [first] = rows;
  if (!emailNotification || email === null || isLocked || first === undefined) return null;
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
