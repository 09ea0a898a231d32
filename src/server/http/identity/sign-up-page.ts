import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPlain } from '#rules/valid/length.ts';
import { addressOf } from '../count-requests.ts';
import type { Services } from '../../domain/services.ts';
import { accountByEmail, addAccount } from '../../domain/accounts/accounts.ts';
import type { NewAccount } from '../../domain/accounts/accounts.ts';
import { auditAccount } from './audit-accounts.ts';
import { fields, isEmail, Visit } from './form.ts';
import type { IdentityForm, Mistakes } from './form.ts';
import { strangeForm, tooMany } from './guard.ts';
import { mailLink } from './account-mail.ts';
import { html } from '#base/html.ts';
import { mistakeOfPassword } from '../../domain/accounts/password-rules.ts';
import { hashPassword, isPassword } from '../../domain/accounts/password.ts';
import {
  addPendingSignUp,
  confirmSignUp,
  signUpOfLink,
} from '../../domain/accounts/pending-sign-ups.ts';
import { keyOf } from '../../domain/accounts/person.ts';
import type { IdentityContext } from './identity-context.ts';
import { uselessLink } from './useless-link.ts';

const LONGEST_NAME = 250;

/** `/oidc/sign-up`. The answer is the same whether or not the address has an account. */
export async function signUpPage(
  { services, secret }: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const visit = new Visit(services, secret, request, reply);
  if (request.method !== 'POST') return visit.showForm(signUpForm(visit));

  const typed = { email: visit.sent('email').trim(), name: visit.sent('name').trim() };
  const password = visit.sent('password');
  const mistakes = mistakesOf(services, typed.email, typed.name, password);
  const refusal =
    strangeForm(visit) ??
    (Object.keys(mistakes).length > 0 ? { status: 422, mistakes } : null) ??
    (await tooMany(
      services,
      visit,
      ['formsOfAddress', addressOf(request)],
      ['signInMails', keyOf(typed.email)],
    ));
  if (refusal !== null) return visit.showForm(signUpForm(visit), typed, refusal);

  const passwordHash = await hashPassword(password, services.random);
  await signUp(services, { ...typed, passwordHash, isVerified: false, locale: visit.language });
  return visit.show(
    'identity.mailSent.title',
    html`<p>${visit.say('identity.signUp.done', { email: typed.email })}</p>
      <p><a class="button" href="/login">${visit.say('identity.signIn.action')}</a></p>`,
  );
}

/**
 * A new account gets the mail to confirm. Where there is one that nobody has confirmed, the sign-up
 * waits beside it and gets a mail of its own. The owner of a confirmed one learns of the try, and
 * how to get in.
 */
async function signUp(services: Services, wanted: NewAccount): Promise<void> {
  const { db, clock, random } = services;
  const { account, signUpId } = await db.transact(async (tx) => {
    const isNew = (await addAccount(tx, wanted, clock, random)) !== null;
    const present = await accountByEmail(tx, wanted.email);
    const waits = !isNew && present?.isVerified === false;
    return {
      account: present,
      signUpId: waits ? await addPendingSignUp(tx, present.id, wanted, clock, random) : null,
    };
  });
  if (account === null) return;
  if (account.isVerified) mailLink(services, account, 'reset');
  else mailLink(services, { ...wanted, id: account.id }, 'verify', signUpId);
}

/**
 * `/oidc/verify?token=`. Asks for the password of the sign-up that caused the mail: a person who
 * opens a mail that somebody else caused has nothing to confirm. Opening the link changes nothing:
 * programs that look through mail open links too.
 */
export async function verifyPage(
  { services, secret }: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { db, clock } = services;
  const visit = new Visit(services, secret, request, reply);
  const token = visit.parameter('token');
  const signUp = await db.transact((tx) => signUpOfLink(tx, token, clock));
  if (signUp === null) return uselessLink(visit);

  const form = verifyForm(visit, signUp.email);
  if (request.method !== 'POST') return visit.showForm(form);
  const refusal =
    strangeForm(visit) ??
    (await tooMany(services, visit, ['formsOfAddress', addressOf(request)])) ??
    ((await isPassword(visit.sent('password'), signUp.passwordHash))
      ? null
      : { status: 422 as const, mistakes: { password: 'identity.verify.wrong' as const } });
  if (refusal !== null) return visit.showForm(form, {}, refusal);

  const isDone = await db.write({ at: clock(), by: null, changes: [] }, async (write) => {
    const account = await confirmSignUp(write, token, clock);
    if (account === null) return false;
    const from = { at: clock(), address: request.ip };
    await auditAccount(write, 'sign-up-verified', account, from);
    return true;
  });
  if (!isDone) return uselessLink(visit);
  return visit.show(
    'identity.verify.done.title',
    html`<p>${visit.say('identity.verify.done')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
  );
}

function isName(text: string): boolean {
  return text !== '' && text.length <= LONGEST_NAME && isPlain(text);
}

function mistakesOf({ config }: Services, email: string, name: string, password: string): Mistakes {
  const isAddress = isEmail(email);
  const wrong = mistakeOfPassword(password, isAddress ? email : '', config.breachedPasswords);
  return {
    ...(isAddress ? {} : { email: 'identity.error.email' }),
    ...(wrong === null ? {} : { password: wrong }),
    ...(isName(name) ? {} : { name: 'identity.error.name' }),
  };
}

function signUpForm(visit: Visit): IdentityForm {
  return {
    title: 'identity.signUp.title',
    fields: [fields.email, fields.newPassword, fields.name],
    action: 'identity.signUp.action',
    after: html`<p><a href="/login">${visit.say('identity.signUp.toSignIn')}</a></p>`,
  };
}

function verifyForm(visit: Visit, email: string): IdentityForm {
  return {
    title: 'identity.verify.title',
    fields: [fields.password],
    action: 'identity.verify.action',
    before: html`<p>${visit.say('identity.verify.text', { email })}</p>`,
    after: visit.link('/oidc/forgot', 'identity.signIn.toForgot'),
  };
}
