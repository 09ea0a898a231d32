import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '#base/html.ts';
import { findLink, redeemLink } from '../../../domain/accounts/account-links.ts';
import { accountByEmail, accountById, changeAddress } from '../../../domain/accounts/accounts.ts';
import type { Account } from '../../../domain/accounts/accounts.ts';
import { isLockedOut, keyOf } from '../../../domain/accounts/person.ts';
import { mailAddressAsked, mailAddressChanged, mailNewAddress } from '../account-mail.ts';
import { auditAccount } from '../audit-accounts.ts';
import {
  askedFactorOf,
  refusalOfFactor,
  refusalOfFactorIfAny,
} from '../second-factor/factor-check.ts';
import { accountOfProof, endProof, proveFirstFactor } from '../second-factor/factor-page.ts';
import { fields, isEmail, presentPassword, Visit } from '../form.ts';
import type { AskedFactor, IdentityForm, Refusal } from '../form.ts';
import { strangeForm, tooMany } from '../guard.ts';
import type { IdentityContext } from '../identity-context.ts';
import { uselessLink } from '../useless-link.ts';
import { ofSignedIn, refusalOfPassword, toAccount } from './signed-in.ts';

/**
 * `/oidc/address`: whoever is signed in in this browser gives their password and a new address, to
 * which a link is mailed. The answer is the same whether or not that address has an account.
 */
export const changeAddressPage = ofSignedIn(async (identity, visit, here, request) => {
  const { services } = identity;
  // Until an address is confirmed, others may be waiting to confirm it as theirs.
  if (!here.account.isVerified) return visit.leadTo('/verify-email');
  const secondFactor = await askedFactorOf(services, visit, here.account);
  const form = addressForm(visit, here.account, secondFactor);
  if (request.method !== 'POST') return visit.showForm(form);

  const email = visit.sent('email').trim();
  const refusal = await refusalOf(identity, visit, here.account, email, request);
  if (refusal !== null) return visit.showForm(form, { email }, refusal);
  const holder = await services.db.transact((tx) => accountByEmail(tx, email));
  // Whoever signed up with an address and never confirmed it must not keep its owner from it.
  if (holder?.isVerified !== true) mailNewAddress(services, here.account, email);
  mailAddressAsked(services, here.account, email);
  return visit.show(
    'identity.mailSent.title',
    html`<p>${visit.say('identity.address.sent', { email })}</p>
      ${toAccount(visit)}`,
  );
});

async function refusalOf(
  identity: IdentityContext,
  visit: Visit,
  account: Account,
  email: string,
  request: FastifyRequest,
): Promise<Refusal | null> {
  const strange = strangeForm(visit);
  if (strange !== null) return strange;
  if (!isEmail(email)) return { status: 422, mistakes: { email: 'identity.error.email' } };
  if (keyOf(email) === keyOf(account.email))
    return { status: 422, mistakes: { email: 'identity.address.same' } };
  return (
    (await refusalOfPassword(identity, visit, account, request)) ??
    (await refusalOfFactorIfAny(identity.services, visit, account, request)) ??
    (await tooMany(identity.services, visit, ['signInMails', keyOf(email)]))
  );
}

/**
 * `/oidc/confirm-address?token=`, from the mail: asks for the password, since programs that look
 * through mail open links too, and then for the second factor, of which nobody else is told. All
 * sign-ins end, and the old address is told.
 */
export async function confirmAddressPage(
  identity: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { services, secret } = identity;
  const { db, clock } = services;
  const visit = new Visit(services, secret, request, reply);
  const token = visit.parameter('token');
  const wanted = await db.transact(async (tx) => {
    const link = await findLink(tx, token, 'address', clock);
    if (typeof link?.email !== 'string' || (await isLockedOut(tx, link.accountId))) return null;
    const account = await accountById(tx, link.accountId);
    return account === null ? null : { account, email: link.email };
  });
  if (wanted === null) return uselessLink(visit);
  const { account, email } = wanted;
  const step = `address ${token}`;
  const asked = await askedFactorOf(services, visit, account);
  const isProven = asked !== null && (await accountOfProof(services, visit, step)) !== null;
  const form = confirmForm(visit, email, isProven ? asked : null);
  if (request.method !== 'POST') return visit.showForm(form);
  const refusal = isProven
    ? await refusalOfFactor(services, visit, account, request)
    : await refusalOfPassword(identity, visit, account, request);
  if (refusal !== null) return visit.showForm(form, {}, refusal);
  if (!isProven && asked !== null) {
    await proveFirstFactor(services, visit, step, account);
    return visit.leadTo(`${ADDRESS_LINK}?token=${token}&ui_locales=${visit.language}`);
  }
  if (isProven && !(await endProof(services, visit, step))) return uselessLink(visit);

  const isDone = await db.write({ at: clock(), by: null, changes: [] }, async (write) => {
    const link = await redeemLink(write, token, 'address', clock);
    if (link === null || (await isLockedOut(write, account.id))) return false;
    if (!(await changeAddress(write, account, email))) return false;
    await auditAccount(write, 'address-changed', account.id, {
      at: clock(),
      address: request.ip,
      values: { before: { email: account.email }, after: { email } },
    });
    return true;
  });
  if (!isDone) return uselessLink(visit);
  mailAddressChanged(services, account, email);
  return visit.show(
    'identity.address.done.title',
    html`<p>${visit.say('identity.address.done', { email })}</p>
      <p><a class="button" href="/login">${visit.say('identity.signIn.action')}</a></p>`,
  );
}

function addressForm(
  visit: Visit,
  { email }: Account,
  secondFactor: AskedFactor | null,
): IdentityForm {
  return {
    title: 'identity.address.title',
    fields: [
      { ...fields.email, label: 'identity.address.new', autocomplete: 'email' },
      presentPassword,
    ],
    secondFactor,
    action: 'identity.forgot.action',
    before: html`<p>${visit.say('identity.address.text', { email })}</p>`,
    after: toAccount(visit),
  };
}

const ADDRESS_LINK = '/oidc/confirm-address';

/** Asks for the password, and once that was right, for the second factor. */
function confirmForm(visit: Visit, email: string, secondFactor: AskedFactor | null): IdentityForm {
  return {
    title: 'identity.address.title',
    fields: secondFactor === null ? [fields.password] : [],
    secondFactor,
    action: 'identity.verify.action',
    before: html`<p>${visit.say('identity.address.confirm', { email })}</p>`,
  };
}
