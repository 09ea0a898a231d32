import type { FastifyRequest } from 'fastify';
import { addressOf } from '../count-requests.ts';
import type { Services } from '../../domain/services.ts';
import type { Account } from '../../domain/accounts/accounts.ts';
import { isOneTimeCode, redeemCode, secondFactorOf } from '../../domain/accounts/second-factor.ts';
import type { UsedCode } from '../../domain/accounts/second-factor.ts';
import type { Counted } from '../../db/limits/exact-counts.ts';
import { mailCodesGuessed, mailRecoveryCodeUsed } from './account-mail.ts';
import { auditAccount, auditFailedSignIn, auditLockedOut } from './audit-accounts.ts';
import type { Refusal, Visit } from './form.ts';
import { refusalFor, strangeForm, tooMany } from './guard.ts';

/** Returns true when the account has a second factor, so that forms ask for its code. */
export async function hasSecondFactor({ db }: Services, { id }: Account): Promise<boolean> {
  return db.transact(async (tx) => (await secondFactorOf(tx, id)) !== null);
}

/**
 * Returns why a form that needs a code of the second factor is refused; null: the code is right, and
 * used up. Only who has given the first factor may get here.
 */
export async function refusalOfCode(
  services: Services,
  visit: Visit,
  account: Account,
  request: FastifyRequest,
): Promise<Refusal | null> {
  const { db, limits } = services;
  const { id, email } = account;
  const strange = strangeForm(visit);
  if (strange !== null) return strange;
  const typed = visit.sent('code');
  if (typed.trim() === '') return { status: 422, mistakes: { code: 'identity.code.missing' } };

  const address = addressOf(request);
  const who = `${id} ${address}`;
  const busy = await tooMany(services, visit, ['formsOfAddress', address]);
  const refusal = busy ?? (await tooMany(services, visit, ['codesFromAddress', who]));
  if (refusal !== null) {
    await auditLockedOut(services, refusal, email, request.ip);
    if (busy === null) await tellOfGuesses(services, account);
    return refusal;
  }
  const counted = isOneTimeCode(typed) ? await countCode(services, id) : null;
  if (counted !== null && counted.waitSeconds > 0) {
    await auditFailedSignIn(services, 'sign-in-locked-out', email, request.ip, REASON);
    await tellOfGuesses(services, account);
    return refusalFor(visit, counted.waitSeconds);
  }
  const used = await useCode(services, account, typed, request.ip);
  if (used === null) {
    await auditFailedSignIn(services, 'sign-in-failed', email, request.ip, REASON);
    return { status: 422, mistakes: { code: 'identity.code.wrong' } };
  }
  await db.transact(async (tx) => {
    await limits.forget(tx, 'codesFromAddress', who);
    await counted?.undo(tx);
  });
  return null;
}

/** Does the same as `refusalOfCode` for accounts that have a second factor; others need no code. */
export async function refusalOfCodeIfAny(
  services: Services,
  visit: Visit,
  account: Account,
  request: FastifyRequest,
): Promise<Refusal | null> {
  if (!(await hasSecondFactor(services, account))) return null;
  return refusalOfCode(services, visit, account, request);
}

const REASON = { reason: 'second-factor' } as const;

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
