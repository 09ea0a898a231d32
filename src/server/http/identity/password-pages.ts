import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../count-requests.ts';
import { findLink, redeemLink } from '../../domain/accounts/account-links.ts';
import {
  accountByEmail,
  accountById,
  markVerified,
  setPassword,
} from '../../domain/accounts/accounts.ts';
import { auditAccount } from './audit-accounts.ts';
import { fields, isEmail, Visit } from './form.ts';
import type { IdentityForm } from './form.ts';
import { strangeForm, tooMany } from './guard.ts';
import { mailLink, mailPasswordChanged } from './account-mail.ts';
import { html } from '#base/html.ts';
import { mistakeOfPassword } from '../../domain/accounts/password-rules.ts';
import { hashPassword } from '../../domain/accounts/password.ts';
import { keyOf } from '../../domain/accounts/person.ts';
import type { IdentityContext } from './identity-context.ts';
import { uselessLink } from './useless-link.ts';

/** `/oidc/forgot`. The answer is the same whether or not the address has an account. */
export async function forgotPage(
  { services, secret }: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const visit = new Visit(services, secret, request, reply);
  if (request.method !== 'POST') return visit.showForm(forgotForm(visit));

  const email = visit.sent('email').trim();
  const refusal =
    strangeForm(visit) ??
    (isEmail(email)
      ? await tooMany(
          services,
          visit,
          ['formsOfAddress', addressOf(request)],
          ['signInMails', keyOf(email)],
        )
      : { status: 422 as const, mistakes: { email: 'identity.error.email' as const } });
  if (refusal !== null) return visit.showForm(forgotForm(visit), { email }, refusal);

  const account = await services.db.transact((tx) => accountByEmail(tx, email));
  if (account !== null) mailLink(services, account, 'reset');
  return visit.show(
    'identity.mailSent.title',
    html`<p>${visit.say('identity.forgot.done', { email })}</p>`,
  );
}

/** `/oidc/reset?token=`. A person who has the mail has the address: it counts as confirmed. */
export async function resetPage(
  { services, secret }: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { db, clock, random } = services;
  const visit = new Visit(services, secret, request, reply);
  const token = visit.parameter('token');
  const account = await db.transact(async (tx) => {
    const link = await findLink(tx, token, 'reset', clock);
    return link === null ? null : accountById(tx, link.accountId);
  });
  if (account === null) return uselessLink(visit);
  if (request.method !== 'POST') return visit.showForm(resetForm);

  const password = visit.sent('password');
  const mistake = mistakeOfPassword(password, account.email, services.config.breachedPasswords);
  const refusal =
    strangeForm(visit) ??
    (mistake === null ? null : { status: 422 as const, mistakes: { password: mistake } }) ??
    (await tooMany(services, visit, ['formsOfAddress', addressOf(request)]));
  if (refusal !== null) return visit.showForm(resetForm, {}, refusal);

  const passwordHash = await hashPassword(password, random);
  const isDone = await db.write({ at: clock(), by: null, changes: [] }, async (write) => {
    const link = await redeemLink(write, token, 'reset', clock);
    if (link === null) return false;
    await setPassword(write, link.accountId, passwordHash);
    await markVerified(write, link.accountId);
    const from = { at: clock(), address: request.ip };
    await auditAccount(write, 'password-reset', link.accountId, from);
    return true;
  });
  if (!isDone) return uselessLink(visit);
  await db.transact((tx) => services.limits.forget(tx, 'passwordsOfAccount', keyOf(account.email)));
  mailPasswordChanged(services, account);
  return visit.show(
    'identity.reset.done.title',
    html`<p>${visit.say('identity.reset.done')}</p>
      <p><a class="button" href="/login">${visit.say('identity.signIn.action')}</a></p>`,
  );
}

function forgotForm(visit: Visit): IdentityForm {
  return {
    title: 'identity.forgot.title',
    fields: [fields.email],
    action: 'identity.forgot.action',
    before: html`<p>${visit.say('identity.forgot.text')}</p>`,
    after: html`${visit.link('/oidc/password', 'identity.change.to')}
      <p><a href="/login">${visit.say('identity.signIn.action')}</a></p>`,
  };
}

const resetForm: IdentityForm = {
  title: 'identity.reset.title',
  fields: [{ ...fields.newPassword, label: 'identity.newPassword' }],
  action: 'identity.reset.action',
};
