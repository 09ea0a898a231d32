import { html } from '#base/html.ts';
import { findLink, redeemLink, storeLink } from '../../../domain/accounts/account-links.ts';
import { accountById } from '../../../domain/accounts/accounts.ts';
import type { Account } from '../../../domain/accounts/accounts.ts';
import { secondFactorOf } from '../../../domain/accounts/second-factor.ts';
import type { Services } from '../../../domain/services.ts';
import type { AskedFactor, IdentityForm, Visit } from '../form.ts';

/**
 * The second page of a sign-in, for accounts with a second factor. Between the two there is a proof of
 * the first factor that counts for one sign-in under way in one browser, for 15 minutes, and in the
 * era in which it was given. It opens nothing but this page.
 */

/** Returns the secret of the proof; null: this browser was never given a page. */
function proofOf(uid: string, { browserSecret }: Visit): string | null {
  return browserSecret === null ? null : `first-factor ${uid} ${browserSecret}`;
}

/** Stores that the first factor of `account` was right in the sign-in `uid`. */
export async function proveFirstFactor(
  { db, clock }: Services,
  visit: Visit,
  uid: string,
  { id, era }: Account,
): Promise<void> {
  const proof = proofOf(uid, visit);
  if (proof === null) return;
  const link = { accountId: id, purpose: 'first-factor', era } as const;
  await db.transact((tx) => storeLink(tx, proof, link, clock));
}

/**
 * Returns the account whose first factor was right in the sign-in `uid`; else null, also where its
 * second factor was switched off meanwhile: then no code would be right.
 */
export async function accountOfProof(
  { db, clock }: Services,
  visit: Visit,
  uid: string,
): Promise<Account | null> {
  const proof = proofOf(uid, visit);
  if (proof === null) return null;
  return db.transact(async (tx) => {
    const link = await findLink(tx, proof, 'first-factor', clock);
    const account = link === null ? null : await accountById(tx, link.accountId);
    if (account === null || account.era !== link?.era) return null;
    return (await secondFactorOf(tx, account.id)) === null ? null : account;
  });
}

/** Ends the proof; returns false when it had ended already. */
export async function endProof(
  { db, clock }: Services,
  visit: Visit,
  uid: string,
): Promise<boolean> {
  const proof = proofOf(uid, visit);
  if (proof === null) return false;
  return db.transact(async (tx) => (await redeemLink(tx, proof, 'first-factor', clock)) !== null);
}

/** Returns the form that asks for the second factor; who is not `account` may begin again. */
export function factorForm(
  visit: Visit,
  { email }: Account,
  secondFactor: AskedFactor | null,
): IdentityForm {
  const isPasskey = secondFactor !== null && secondFactor.passkeyOptions !== null;
  return {
    title: isPasskey ? 'identity.passkey.title' : 'identity.code.title',
    fields: [],
    secondFactor,
    action: 'identity.signIn.action',
    before: html`<p>${visit.say('identity.code.text', { email })}</p>`,
    after: html`<p class="help">${visit.say('identity.code.lost')}</p>
      <div class="other">${visit.button('identity.code.other', { other: '1' })}</div>`,
  };
}
