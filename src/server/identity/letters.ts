import { LOCALES } from '#schema/user.ts';
import type { Parts } from '../parts.ts';
import { newLink } from './accounts.ts';
import type { Account, Purpose } from './accounts.ts';

const letters = {
  verify: { template: 'emailVerification', path: '/oidc/verify' },
  reset: { template: 'passwordReset', path: '/oidc/reset' },
} as const;

/**
 * Mails a fresh link to an account's owner, behind the answer: how long an answer takes must not
 * tell whether there is an account. A mail that cannot be sent is logged.
 */
export function mailLink(parts: Parts, account: Account, purpose: Purpose): void {
  sendLink(parts, account, purpose).catch((error: unknown) => {
    parts.log.error({ err: error, purpose }, 'a sign-in mail was not sent');
  });
}

async function sendLink(parts: Parts, account: Account, purpose: Purpose): Promise<void> {
  const { db, clock, random, config, mail } = parts;
  const { template, path } = letters[purpose];
  const token = await db.transact((tx) => newLink(tx, account.id, purpose, clock, random));
  const language = LOCALES.find((locale) => locale === account.locale) ?? 'en-US';
  const link = `${config.publicUrl}${path}?token=${token}&ui_locales=${language}`;
  await mail.send({ to: account.email, language, template, values: { link } });
}
