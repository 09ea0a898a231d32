import type { FastifyRequest } from 'fastify';
import { addressOf } from '../../count-requests.ts';
import type { Services } from '../../../domain/services.ts';
import type { Account } from '../../../domain/accounts/accounts.ts';
import {
  askForPasskey,
  checkPasskey,
  passkeySiteOf,
} from '../../../domain/accounts/passkey-ceremonies.ts';
import type { Ceremony } from '../../../domain/accounts/passkey-ceremonies.ts';
import {
  isOneTimeCode,
  redeemCode,
  secondFactorOf,
} from '../../../domain/accounts/second-factor.ts';
import type { UsedCode } from '../../../domain/accounts/second-factor.ts';
import type { Counted } from '../../../db/limits/exact-counts.ts';
import { mailCodesGuessed, mailRecoveryCodeUsed } from '../account-mail.ts';
import { auditAccount, auditFailedSignIn, auditLockedOut } from '../audit-accounts.ts';
import type { AskedFactor, Refusal, Visit } from '../form.ts';
import { refusalFor, strangeForm, tooMany } from '../guard.ts';

/** Returns what a form asks for beside the password; null: the account has no second factor. */
export async function askedFactorOf(
  services: Services,
  visit: Visit,
  account: Account,
): Promise<AskedFactor | null> {
  const factor = await services.db.transact((tx) => secondFactorOf(tx, account.id));
  if (factor === null) return null;
  const ceremony = factor.passkeys === 0 ? null : ceremonyOf(services, visit, account);
  return {
    hasCodes: factor.codesSince !== null,
    passkeyOptions: ceremony === null ? null : () => askForPasskey(ceremony),
  };
}

/** Returns what passkeys need; null where browsers know none. */
export function ceremonyOf(services: Services, visit: Visit, account: Account): Ceremony | null {
  const site = passkeySiteOf(services.config);
  return site === null ? null : { services, site, account, browserSecret: visit.keptSecret() };
}

/**
 * Returns why a form that needs the second factor is refused; null: the code or the passkey is
 * right, and used up. Only who has given the first factor may get here.
 */
export async function refusalOfFactor(
  services: Services,
  visit: Visit,
  account: Account,
  request: FastifyRequest,
): Promise<Refusal | null> {
  const strange = strangeForm(visit);
  if (strange !== null) return strange;
  const isPasskey = visit.sent('passkey') !== '';
  if (!isPasskey && visit.sent('code').trim() === '')
    return { status: 422, mistakes: { code: 'identity.code.missing' } };

  const address = addressOf(request);
  const who = `${account.id} ${address}`;
  const busy = await tooMany(services, visit, ['formsOfAddress', address]);
  const refusal = busy ?? (await tooMany(services, visit, ['codesFromAddress', who]));
  if (refusal !== null) {
    await auditLockedOut(services, refusal, account.email, request.ip);
    if (busy === null) await tellOfGuesses(services, account);
    return refusal;
  }
  const wrong = isPasskey
    ? await refusalOfPasskey(services, visit, account, request)
    : await refusalOfCode(services, visit, account, request);
  if (wrong === null)
    await services.db.transact((tx) => services.limits.forget(tx, 'codesFromAddress', who));
  return wrong;
}

/** Does the same for accounts that have a second factor; others need none. */
export async function refusalOfFactorIfAny(
  services: Services,
  visit: Visit,
  account: Account,
  request: FastifyRequest,
): Promise<Refusal | null> {
  if ((await askedFactorOf(services, visit, account)) === null) return null;
  return refusalOfFactor(services, visit, account, request);
}

const REASON = { reason: 'second-factor' } as const;

async function refusalOfPasskey(
  services: Services,
  visit: Visit,
  account: Account,
  { ip }: FastifyRequest,
): Promise<Refusal | null> {
  const ceremony = ceremonyOf(services, visit, account);
  const fault = ceremony === null ? 'wrong' : await checkPasskey(ceremony, visit.sent('passkey'));
  if (fault === null) return null;
  const reason = fault === 'copied' ? { reason: 'passkey-counted-back' } : REASON;
  await auditFailedSignIn(services, 'sign-in-failed', account.email, ip, reason);
  return { status: 422, notice: visit.say(`identity.passkey.${fault}`) };
}

async function refusalOfCode(
  services: Services,
  visit: Visit,
  account: Account,
  { ip }: FastifyRequest,
): Promise<Refusal | null> {
  const { id, email } = account;
  const typed = visit.sent('code');
  const counted = isOneTimeCode(typed) ? await countCode(services, id) : null;
  if (counted !== null && counted.waitSeconds > 0) {
    await auditFailedSignIn(services, 'sign-in-locked-out', email, ip, REASON);
    await tellOfGuesses(services, account);
    return refusalFor(visit, counted.waitSeconds);
  }
  const used = await useCode(services, account, typed, ip);
  if (used === null) {
    await auditFailedSignIn(services, 'sign-in-failed', email, ip, REASON);
    return { status: 422, mistakes: { code: 'identity.code.wrong' } };
  }
  await services.db.transact(async (tx) => counted?.undo(tx));
  return null;
}

/** Counts a one-time code before it is checked: many at once must not all pass. */
function countCode({ db, limits }: Services, id: string): Promise<Counted> {
  return db.transact((tx) => limits.count(tx, 'oneTimeCodesOfAccount', id));
}

/** Uses a code up; the owner is told of a recovery code. */
async function useCode(
  services: Services,
  account: Account,
  typed: string,
  ip: string,
): Promise<UsedCode | null> {
  const { db, clock } = services;
  const used = await db.transact(async (tx) => {
    const redeemed = await redeemCode(tx, account.id, typed, { secrets: db.secrets, clock });
    if (redeemed?.is === 'recovery')
      await auditAccount(tx, 'recovery-code-used', account.id, { at: clock(), address: ip });
    return redeemed;
  });
  if (used?.is === 'recovery') mailRecoveryCodeUsed(services, account, used.codesLeft);
  return used;
}

/** Whoever guesses codes knows the password: the owner is told, once a day. */
async function tellOfGuesses(services: Services, account: Account): Promise<void> {
  const { db, limits } = services;
  const { waitSeconds } = await db.transact((tx) =>
    limits.count(tx, 'guessedCodeMails', account.id),
  );
  if (waitSeconds === 0) mailCodesGuessed(services, account);
}
