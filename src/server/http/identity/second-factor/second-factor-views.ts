import type { FastifyRequest } from 'fastify';
import { html } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import type { MailTextKey } from '#text/say.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../../db/database.ts';
import { endSignIns } from '../../../domain/accounts/sign-ins.ts';
import type { SignedIn } from '../account/signed-in.ts';
import { refusalOfPassword, toAccount } from '../account/signed-in.ts';
import { mailSecondFactor } from '../account-mail.ts';
import { auditAccount } from '../audit-accounts.ts';
import type { AskedFactor, Refusal, Visit } from '../form.ts';
import type { IdentityContext } from '../identity-context.ts';
import { refusalOfFactorIfAny } from './factor-check.ts';

/** One request of the pages of one's own second factor. */
export interface FactorVisit {
  readonly identity: IdentityContext;
  readonly visit: Visit;
  readonly here: SignedIn;
  readonly request: FastifyRequest;
  /** What is asked for beside the password; null: the second factor is off. */
  readonly factor: AskedFactor | null;
}

/** What one may do there, as the address names it. */
export type FactorStep = 'codes' | 'off' | 'app' | 'no-app' | 'passkey' | 'rename' | 'remove';

/** Returns the address of the page of the second factor, or of one step of it. */
export function addressOfFactor(
  { language }: Visit,
  step: FactorStep | null = null,
  passkey: string | null = null,
): string {
  const query = new URLSearchParams({ ui_locales: language });
  if (step !== null) query.set('do', step);
  if (passkey !== null) query.set('passkey', passkey);
  return `/oidc/second-factor?${query.toString()}`;
}

/** Returns why a step is refused; null: the password is right, and so is the second factor, if there is one. */
export async function refusalOfProof({
  identity,
  visit,
  here: { account },
  request,
}: FactorVisit): Promise<Refusal | null> {
  return (
    (await refusalOfPassword(identity, visit, account, request)) ??
    (await refusalOfFactorIfAny(identity.services, visit, account, request))
  );
}

/** Returns what leads back from a step; while the second factor is off, the account is where it began. */
export function backFrom({ visit, factor }: FactorVisit): Html {
  if (factor === null) return toAccount(visit);
  return html`<p>
    <a href="${addressOfFactor(visit)}">${visit.say('identity.secondFactor.back')}</a>
  </p>`;
}

/** Shows codes that are never shown again. */
export function showCodes(
  visit: Visit,
  title: MailTextKey,
  codes: readonly string[],
  after: Html,
): Promise<void> {
  return visit.show(
    title,
    html`<p>${visit.say('identity.secondFactor.codes.text')}</p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      ${after}`,
  );
}

/**
 * In the transaction of the first factor of any kind: audits it, and ends every other sign-in, since
 * it began without one. Returns the new id of the session at hand.
 */
export async function switchedOn(
  write: WriteTransaction,
  { identity, here, request }: FactorVisit,
): Promise<string | null> {
  const { clock, random } = identity.services;
  const { account, sessionId } = here;
  const from = { at: clock(), address: request.ip };
  await auditAccount(write, 'second-factor-on', account.id, from);
  return endSignIns(write, account.id, { id: sessionId, random });
}

/** Tells the owner that the second factor is on, and shows the recovery codes, once. */
export function showSwitchedOn(
  { identity, visit, here }: FactorVisit,
  codes: readonly string[],
  session: string | null,
): Promise<void> {
  here.keepSession(session);
  mailSecondFactor(identity.services, here.account, 'secondFactorOn');
  // The app's tokens ended too, and it gets new ones by the session that goes on.
  return showCodes(
    visit,
    'identity.secondFactor.on.title',
    codes,
    html`<p>${visit.say('identity.secondFactor.others')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
  );
}

/** Audits, in the transaction that does it, that the second factor went. */
export async function auditOff(
  tx: DatabaseTransaction,
  { identity, here, request }: FactorVisit,
): Promise<void> {
  const from = { at: identity.services.clock(), address: request.ip };
  await auditAccount(tx, 'second-factor-off', here.account.id, from);
}

/** Tells the owner that the second factor is off. */
export function showSwitchedOff({ identity, visit, here }: FactorVisit): Promise<void> {
  mailSecondFactor(identity.services, here.account, 'secondFactorOff');
  return visit.show(
    'identity.secondFactor.off.title',
    html`<p>${visit.say('identity.secondFactor.off.done')}</p>
      ${toAccount(visit)}`,
  );
}
