import { LOCALES } from '#schema/user.ts';
import type { MailLanguage } from '#text/say.ts';
import type { Services } from '../../domain/services.ts';
import { newLink } from '../../domain/accounts/account-links.ts';
import type { AccountLinkPurpose, NewLink } from '../../domain/accounts/account-links.ts';
import type { Account } from '../../domain/accounts/accounts.ts';

const mails = {
  verify: { template: 'emailVerification', path: '/oidc/verify' },
  reset: { template: 'passwordReset', path: '/oidc/reset' },
  'sign-in': { template: 'signInLink', path: '/oidc/sign-in' },
  address: { template: 'newAddress', path: '/oidc/confirm-address' },
} as const satisfies Partial<Readonly<Record<AccountLinkPurpose, unknown>>>;

/** The owner of an account, as far as the mail needs them. */
export type Recipient = Pick<Account, 'id' | 'email' | 'locale'>;

/**
 * Mails a fresh link to an account's owner, behind the answer: how long an answer takes must not
 * tell whether there is an account. A mail that cannot be sent is logged.
 *
 * @param signUpId the later sign-up that the link confirms, if it is one
 */
export function mailLink(
  services: Services,
  recipient: Recipient,
  purpose: Exclude<keyof typeof mails, 'address'>,
  signUpId: string | null = null,
): void {
  send(services, recipient, { purpose, signUpId });
}

/** Mails a link by which the owner of the account confirms its new address, to that address. */
export function mailNewAddress(services: Services, { id, locale }: Recipient, email: string): void {
  send(services, { id, email, locale }, { purpose: 'address', email });
}

/**
 * Mails the present address of the account that somebody who knows the password wants another one:
 * a new password ends that.
 */
export function mailAddressAsked(services: Services, owner: Recipient, address: string): void {
  mailNotice(services, owner, '/oidc/forgot', (link) => ({
    template: 'addressAsked',
    values: { address, link },
  }));
}

/** Mails the old address that the account has another one now. */
export function mailAddressChanged(services: Services, owner: Recipient, address: string): void {
  mailNotice(services, owner, '/help/', (link) => ({
    template: 'addressChanged',
    values: { address, link },
  }));
}

/** Mails the address that its account is deleted. */
export function mailAccountDeleted(services: Services, owner: Recipient): void {
  mailNotice(services, owner, '/help/', (link) => ({
    template: 'accountDeleted',
    values: { link },
  }));
}

/** Mails the owner that the password was changed. */
export function mailPasswordChanged(services: Services, owner: Recipient): void {
  mailNotice(services, owner, '/oidc/forgot', (link) => ({
    template: 'passwordChanged',
    values: { link },
  }));
}

/** Mails the owner what was done to the second factor, and to codes of either kind. */
export function mailSecondFactor(
  services: Services,
  owner: Recipient,
  template: SecondFactorChange,
): void {
  mailNotice(services, owner, '/oidc/forgot', (link) => ({ template, values: { link } }));
}

/** Mails the owner that a passkey was added or removed. */
export function mailPasskey(
  services: Services,
  owner: Recipient,
  template: PasskeyChange,
  name: string,
): void {
  mailNotice(services, owner, '/oidc/forgot', (link) => ({ template, values: { name, link } }));
}

/** Mails the owner that a recovery code was used, and how many are left. */
export function mailRecoveryCodeUsed(services: Services, owner: Recipient, left: number): void {
  mailNotice(services, owner, '/oidc/forgot', (link) => ({
    template: 'recoveryCodeUsed',
    values: { left: String(left), link },
  }));
}

/** Mails the owner that somebody who knows the password guesses codes of the second factor. */
export function mailCodesGuessed(services: Services, owner: Recipient): void {
  mailNotice(services, owner, '/oidc/forgot', (link) => ({
    template: 'codesGuessed',
    values: { link },
  }));
}

type SecondFactorChange =
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'secondFactorReset'
  | 'oneTimeCodesOn'
  | 'oneTimeCodesOff'
  | 'recoveryCodesMade';

type PasskeyChange = 'passkeyAdded' | 'passkeyRemoved';

type Notice =
  | {
      readonly template: 'passwordChanged' | 'accountDeleted' | 'codesGuessed' | SecondFactorChange;
      readonly values: { readonly link: string };
    }
  | {
      readonly template: PasskeyChange;
      readonly values: { readonly name: string; readonly link: string };
    }
  | {
      readonly template: 'recoveryCodeUsed';
      readonly values: { readonly left: string; readonly link: string };
    }
  | {
      readonly template: 'addressAsked' | 'addressChanged';
      readonly values: { readonly address: string; readonly link: string };
    };

/** Sends what tells the owner of a change, behind the answer too; its link leads to `path`. */
function mailNotice(
  { config, mail, log }: Services,
  { email: to, locale }: Recipient,
  path: string,
  noticeWith: (link: string) => Notice,
): void {
  const language = languageFor(locale);
  const notice = noticeWith(`${config.publicUrl}${path}?ui_locales=${language}`);
  mail.send({ to, language, ...notice }).catch((error: unknown) => {
    log.error({ err: error, template: notice.template }, 'a notice of a change was not sent');
  });
}

type LinkOfMail = Pick<NewLink, 'signUpId' | 'email'> & { readonly purpose: keyof typeof mails };

function send(services: Services, recipient: Recipient, link: LinkOfMail): void {
  const { purpose } = link;
  sendLink(services, recipient, link).catch((error: unknown) => {
    services.log.error({ err: error, purpose }, 'a sign-in mail was not sent');
  });
}

async function sendLink(
  services: Services,
  { id, email, locale }: Recipient,
  link: LinkOfMail,
): Promise<void> {
  const { db, clock, random, config, mail } = services;
  const { template, path } = mails[link.purpose];
  const token = await db.transact((tx) => newLink(tx, { ...link, accountId: id }, clock, random));
  const language = languageFor(locale);
  const address = `${config.publicUrl}${path}?token=${token}&ui_locales=${language}`;
  await mail.send({ to: email, language, template, values: { link: address } });
}

function languageFor(locale: string | null): MailLanguage {
  return LOCALES.find((known) => known === locale) ?? 'en-US';
}
