import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { findLink, storeLink, redeemLink } from '../../domain/accounts/account-links.ts';
import { accountByEmail, accountById } from '../../domain/accounts/accounts.ts';
import type { Account } from '../../domain/accounts/accounts.ts';
import { Visit } from './form.ts';
import type { IdentityForm } from './form.ts';
import { strangeForm, tooMany } from './guard.ts';
import { mailLink } from './account-mail.ts';
import { html } from '#base/html.ts';
import { keyOf } from '../../domain/accounts/person.ts';
import type { IdentityContext } from './identity-context.ts';
import { uselessLink } from './useless-link.ts';

/**
 * After too many wrong passwords of one account from everywhere, nobody can guess on: a link that
 * is mailed to its owner takes the place of the password (wire 15.2). It works in any browser.
 */

/** Mails the link, and says so in the same words whether or not there is such an account. */
export async function mailSignInLink(
  services: Services,
  visit: Visit,
  email: string,
): Promise<void> {
  const refusal = await tooMany(services, visit, ['signInLinks', keyOf(email)]);
  const account = await services.db.transact((tx) => accountByEmail(tx, email));
  if (refusal === null && account !== null) mailLink(services, account, 'sign-in');
  return visit.show(
    'identity.mailSent.title',
    html`<p>${visit.say('identity.signInLink.sent', { email })}</p>`,
    { status: 429 },
  );
}

/**
 * `/oidc/sign-in?token=`. Opening the link shows a button and changes nothing; with the button the
 * next sign-in that is begun in this browser needs no password.
 */
export async function mailedLinkPage(
  { services, secret }: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { db, clock } = services;
  const visit = new Visit(services, secret, request, reply);
  const token = visit.parameter('token');
  const account = await db.transact(async (tx) => {
    const link = await findLink(tx, token, 'sign-in', clock);
    return link === null ? null : accountById(tx, link.accountId);
  });
  if (account === null) return uselessLink(visit);

  const form = linkForm(visit, account);
  if (request.method !== 'POST') return visit.showForm(form);
  const refusal = strangeForm(visit);
  if (refusal !== null) return visit.showForm(form, {}, refusal);

  const { browserSecret } = visit;
  const isDone = await db.transact(async (tx) => {
    const link = await redeemLink(tx, token, 'sign-in', clock);
    if (link === null || browserSecret === null) return false;
    // The era of the link is stored, not the present one: ending the sign-ins meanwhile ends this
    // one too.
    const { accountId, era } = link;
    await storeLink(tx, browserSecret, { accountId, purpose: 'browser', era }, clock);
    return true;
  });
  if (!isDone) return uselessLink(visit);
  return visit.show(
    'identity.signInLink.title',
    html`<p>${visit.say('identity.signInLink.done')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
  );
}

/** Returns the account whose link was opened in this browser, once; else null. */
export async function accountOfBrowser(
  { db, clock }: Services,
  { browserSecret }: Visit,
): Promise<Account | null> {
  if (browserSecret === null) return null;
  return db.transact(async (tx) => {
    const link = await redeemLink(tx, browserSecret, 'browser', clock);
    const account = link === null ? null : await accountById(tx, link.accountId);
    return account !== null && account.era === link?.era ? account : null;
  });
}

function linkForm(visit: Visit, { email }: Account): IdentityForm {
  return {
    title: 'identity.signInLink.title',
    fields: [],
    action: 'identity.signIn.action',
    before: html`<p>${visit.say('identity.signInLink.text', { email })}</p>`,
  };
}
