import type { MessageId } from '#server/domain/notifications/message-id.ts';
import {
  mailAccountDeleted,
  mailAddressAsked,
  mailAddressChanged,
  mailCodesGuessed,
  mailLink,
  mailNewAddress,
  mailPasskey,
  mailPasswordChanged,
  mailRecoveryCodeUsed,
  mailSecondFactor,
} from '#server/http/identity/account-mail.ts';

/** Failures that the bundled engine does not have: those of a project or of setting a product up. */
export const PROJECT_FAILURES: readonly MessageId[] = [
  'productWithoutActor',
  'projectCreationFailedOwner',
  'projectCreationFailedAdmin',
  'projectFailedBuildEngine',
  'projectFailedUnableToCreate',
  'productFailedUnableToConnect',
  'productCreationFailedOwner',
  'productCreationFailedAdmin',
];

/** Failures that it does not have of builds and releases. */
export const BUILD_FAILURES: readonly MessageId[] = [
  'buildFailedOwner',
  'buildFailedAdmin',
  'buildFailedUnableToConnect',
  'buildFailedUnableToCreate',
  'releaseFailedOwner',
  'releaseFailedAdmin',
  'releaseFailedUnableToConnect',
  'releaseFailedUnableToCreate',
];

/** Sends every mail about an account, as its pages do. `formerly` is an address that it had. */
export function sendAccountMails(
  parts: Parameters<typeof mailLink>[0],
  account: Parameters<typeof mailLink>[1],
  formerly: string,
): void {
  for (const purpose of ['verify', 'reset', 'sign-in'] as const) mailLink(parts, account, purpose);
  mailNewAddress(parts, account, account.email);
  mailAddressAsked(parts, account, formerly);
  mailAddressChanged(parts, account, formerly);
  mailPasswordChanged(parts, account);
  for (const change of [
    'secondFactorOn',
    'secondFactorOff',
    'secondFactorReset',
    'recoveryCodesMade',
    'oneTimeCodesOn',
    'oneTimeCodesOff',
  ] as const)
    mailSecondFactor(parts, account, change);
  for (const change of ['passkeyAdded', 'passkeyRemoved'] as const)
    mailPasskey(parts, account, change, 'Phone');
  mailRecoveryCodeUsed(parts, account, 3);
  mailCodesGuessed(parts, account);
  mailAccountDeleted(parts, account);
}
