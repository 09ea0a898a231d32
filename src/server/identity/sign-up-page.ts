import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Parts } from '../parts.ts';
import {
  accountByEmail,
  accountById,
  accountOfLink,
  addAccount,
  markVerified,
  takeOver,
  useLink,
} from './accounts.ts';
import type { NewAccount } from './accounts.ts';
import { fields, isEmail, mistakeOfPassword, Visit } from './form.ts';
import type { Form, Mistakes } from './form.ts';
import { strangeForm, tooMany } from './guard.ts';
import { mailLink } from './letters.ts';
import { html } from './page.ts';
import { hashPassword } from './password.ts';
import { keyOf } from './person.ts';
import type { Site } from './sign-in-page.ts';

const LONGEST_NAME = 250;

/** `/oidc/sign-up`. The answer is the same whether or not the address has an account. */
export async function signUpPage(
  { parts, secret }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const visit = new Visit(parts, secret, request, reply);
  if (request.method !== 'POST') return visit.showForm(signUpForm(visit));

  const typed = { email: visit.sent('email').trim(), name: visit.sent('name').trim() };
  const password = visit.sent('password');
  const mistakes = mistakesOf(typed.email, typed.name, password);
  const refusal =
    strangeForm(visit) ??
    (Object.keys(mistakes).length > 0 ? { status: 422, mistakes } : null) ??
    (await tooMany(parts, visit, ['address', request.ip], ['mail', keyOf(typed.email)]));
  if (refusal !== null) return visit.showForm(signUpForm(visit), typed, refusal);

  const passwordHash = await hashPassword(password, parts.random);
  await signUp(parts, { ...typed, passwordHash, isVerified: false, locale: visit.language });
  return visit.show(
    'identity.mailSent.title',
    html`<p>${visit.say('identity.signUp.done', { email: typed.email })}</p>
      <p><a class="button" href="/login">${visit.say('identity.signIn.action')}</a></p>`,
  );
}

/**
 * A new account, or one that nobody has confirmed and that is begun anew, gets the mail to confirm.
 * The owner of a confirmed one learns of the try, and how to get in.
 */
async function signUp({ db, clock, random, ...others }: Parts, wanted: NewAccount): Promise<void> {
  const parts = { db, clock, random, ...others };
  const account = await db.transact(async (tx) => {
    await addAccount(tx, wanted, clock, random);
    const present = await accountByEmail(tx, wanted.email);
    if (present === null || present.isVerified) return present;
    await takeOver(tx, present.id, wanted);
    return { ...present, ...wanted };
  });
  if (account !== null) mailLink(parts, account, account.isVerified ? 'reset' : 'verify');
}

/**
 * `/oidc/verify?token=`. Opening the link shows a button and changes nothing: programs that look
 * through mail open links too.
 */
export async function verifyPage(
  { parts, secret }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { db, clock } = parts;
  const visit = new Visit(parts, secret, request, reply);
  const token = visit.asked('token');
  const account = await db.transact(async (tx) => {
    const id = await accountOfLink(tx, token, 'verify', clock);
    return id === null ? null : accountById(tx, id);
  });
  if (account === null) return uselessLink(visit);

  const form = verifyForm(visit, account.email);
  if (request.method !== 'POST') return visit.showForm(form);
  const refusal = strangeForm(visit);
  if (refusal !== null) return visit.showForm(form, {}, refusal);

  await db.transact(async (tx) => {
    const id = await useLink(tx, token, 'verify', clock);
    if (id !== null) await markVerified(tx, id);
  });
  return visit.show(
    'identity.verify.done.title',
    html`<p>${visit.say('identity.verify.done')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
  );
}

/** For a link of a mail that was used, replaced, or is too old. */
export function uselessLink(visit: Visit): Promise<void> {
  return visit.show(
    'identity.link.title',
    html`<p>${visit.say('identity.link.text')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
    410,
  );
}

function mistakesOf(email: string, name: string, password: string): Mistakes {
  const wrong = mistakeOfPassword(password);
  return {
    ...(isEmail(email) ? {} : { email: 'identity.error.email' }),
    ...(wrong === null ? {} : { password: wrong }),
    ...(name === '' || name.length > LONGEST_NAME ? { name: 'identity.error.name' } : {}),
  };
}

function signUpForm(visit: Visit): Form {
  return {
    title: 'identity.signUp.title',
    fields: [fields.email, fields.newPassword, fields.name],
    action: 'identity.signUp.action',
    after: html`<p><a href="/login">${visit.say('identity.signUp.toSignIn')}</a></p>`,
  };
}

function verifyForm(visit: Visit, email: string): Form {
  return {
    title: 'identity.verify.title',
    fields: [],
    action: 'identity.verify.action',
    before: html`<p>${visit.say('identity.verify.text', { email })}</p>`,
  };
}
