import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import { addressOf } from '../count-requests.ts';
import { accountByEmail } from '../../domain/accounts/accounts.ts';
import type { Account } from '../../domain/accounts/accounts.ts';
import { auditFailedSignIn, auditLockedOut } from './audit-accounts.ts';
import { demoAccounts } from './first-factor/demo-accounts.ts';
import { fields, isEmail, Visit } from './form.ts';
import type { IdentityForm, Mistakes, Refusal } from './form.ts';
import { countPassword, forgetTries, strangeForm, tooMany } from './guard.ts';
import type { IdentityContext } from './identity-context.ts';
import { accountOfBrowser, mailSignInLink } from './mailed-link.ts';
import { html, nothing } from '#base/html.ts';
import { askedFactorOf, refusalOfFactor } from './second-factor/factor-check.ts';
import {
  accountOfProof,
  endProof,
  factorForm,
  proveFirstFactor,
} from './second-factor/factor-page.ts';
import { oidcPath } from './provider.ts';
import { isPassword } from '../../domain/accounts/password.ts';
import { isLockedOut, keyOf } from '../../domain/accounts/person.ts';
import { acrOf } from '../../domain/accounts/sign-ins.ts';

/** `GET` and `POST /oidc/interaction/{uid}`: the page where people sign in. */
export async function signInPage(
  identity: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const started = await startedSignIn(identity, request, reply);
  const locales = started?.params.ui_locales;
  const wished = typeof locales === 'string' ? locales : '';
  const visit = new Visit(identity.services, identity.secret, request, reply, wished);

  if (started === null) return tooLate(identity, visit);
  const signingIn = { identity, visit, request, reply, uid: started.uid };
  const half = await accountOfProof(identity.services, visit, started.uid);
  if (request.method === 'POST') return answerForm(signingIn, half);
  if (half !== null) return showFactorForm(signingIn, half);
  const proven = await accountOfBrowser(identity.services, visit);
  if (proven !== null) return goOn(signingIn, proven);
  const hint = started.params.login_hint;
  return visit.showForm(formOf(identity, visit), { email: typeof hint === 'string' ? hint : '' });
}

/** One request of a sign-in under way. */
interface SigningIn {
  readonly identity: IdentityContext;
  readonly visit: Visit;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The sign-in that the app began. */
  readonly uid: string;
}

/** Answers one of the two pages' forms; `half` is who gave the first factor. */
function answerForm(signingIn: SigningIn, half: Account | null): Promise<void> {
  const { visit } = signingIn;
  if (visit.sent('email') !== '' || visit.sent('password') !== '') return signIn(signingIn);
  if (visit.sent('other') !== '') return beginAgain(signingIn);
  if (half !== null) return giveFactor(signingIn, half);
  const isFactor = visit.sent('code') !== '' || visit.sent('passkey') !== '';
  return isFactor ? factorTooLate(signingIn) : signIn(signingIn);
}

async function signIn(signingIn: SigningIn): Promise<void> {
  const { identity, visit, request } = signingIn;
  const { services } = identity;
  const [email, password] = [visit.sent('email').trim(), visit.sent('password')];
  const mistakes = mistakesOf(email, password);
  // A text that is no address is not composed: it may be as long as a form.
  const key = mistakes.email === undefined ? keyOf(email) : '';
  const address = addressOf(request);
  const who = `${key} ${address}`;
  const refusal =
    strangeForm(visit) ??
    (Object.keys(mistakes).length > 0 ? { status: 422, mistakes } : null) ??
    (await tooMany(services, visit, ['formsOfAddress', address], ['passwordsFromAddress', who]));
  if (refusal !== null) {
    await auditLockedOut(services, refusal, email, request.ip);
    return visit.showForm(formOf(identity, visit), { email }, refusal);
  }

  const counted = await countPassword(services, key);
  if (counted.waitSeconds > 0) {
    await auditFailedSignIn(services, 'sign-in-locked-out', email, request.ip);
    return mailSignInLink(services, visit, email);
  }
  const account = await services.db.transact((tx) => accountByEmail(tx, email));
  if (!(await isPassword(password, account?.passwordHash ?? null)) || account === null) {
    await auditFailedSignIn(services, 'sign-in-failed', email, request.ip);
    const notice = visit.say('identity.signIn.wrong');
    return visit.showForm(formOf(identity, visit), { email }, { status: 422, notice });
  }

  await forgetTries(services, who, counted);
  return goOn(signingIn, account);
}

/** The first factor was right: what comes next depends on whether there is a second. */
async function goOn(signingIn: SigningIn, account: Account): Promise<void> {
  const { identity, visit, uid, request } = signingIn;
  const { services } = identity;
  if ((await askedFactorOf(services, visit, account)) === null)
    // A GET has no password: it came by a mailed link, which lets this page go on by itself.
    return finish(signingIn, account, request.method === 'POST' ? 'password' : 'mailed link');
  await proveFirstFactor(services, visit, uid, account);
  return visit.leadTo(pageOf(signingIn));
}

/** The second page: a right code or passkey leads back to the app. */
async function giveFactor(signingIn: SigningIn, account: Account): Promise<void> {
  const { identity, visit, uid, request } = signingIn;
  const { services } = identity;
  const refusal = await refusalOfFactor(services, visit, account, request);
  if (refusal !== null) return showFactorForm(signingIn, account, refusal);
  // Another request may have used the proof meanwhile.
  if (!(await endProof(services, visit, uid))) return factorTooLate(signingIn);
  return finish(signingIn, account, 'second factor');
}

async function showFactorForm(
  { identity: { services }, visit }: SigningIn,
  account: Account,
  refusal: Refusal | null = null,
): Promise<void> {
  const asked = await askedFactorOf(services, visit, account);
  return visit.showForm(factorForm(visit, account, asked), {}, refusal);
}

/** Whoever is not the one whose password was given signs in from the start. */
async function beginAgain(signingIn: SigningIn): Promise<void> {
  const { identity, visit, uid } = signingIn;
  const refusal = strangeForm(visit);
  if (refusal !== null) return visit.showForm(formOf(identity, visit), {}, refusal);
  await endProof(identity.services, visit, uid);
  return visit.leadTo(pageOf(signingIn));
}

function factorTooLate({ identity, visit }: SigningIn): Promise<void> {
  const notice = visit.say('identity.code.late');
  return visit.showForm(formOf(identity, visit), {}, { status: 422, notice });
}

function pageOf({ uid, visit }: SigningIn): string {
  return `${oidcPath.interaction(uid)}?ui_locales=${visit.language}`;
}

/** Returns to the app as `account`, in the era in which it was read. */
async function finish(
  { identity, visit, request, reply }: SigningIn,
  { id, email, era }: Account,
  by: 'password' | 'mailed link' | 'second factor',
): Promise<void> {
  const { services, provider } = identity;
  if (await services.db.read((tx) => isLockedOut(tx, id))) {
    const reason = { reason: 'user-locked' };
    await auditFailedSignIn(services, 'sign-in-failed', email, request.ip, reason);
    const notice = visit.say('identity.signIn.locked');
    return visit.showForm(formOf(identity, visit), { email }, { status: 403, notice });
  }
  const ts = Math.floor(services.clock() / 1_000);
  const login = { accountId: id, remember: true, acr: acrOf(era), ts };
  const next = await provider.interactionResult(request.raw, reply.raw, { login });
  request.log.info({ account: id, by, address: request.ip }, 'Signed in');
  return visit.leadTo(next);
}

function mistakesOf(email: string, password: string): Mistakes {
  return {
    ...(isEmail(email) ? {} : { email: 'identity.error.email' }),
    ...(password === '' ? { password: 'identity.error.password' } : {}),
  };
}

/**
 * Returns the sign-in that the app began in this browser; null when there is none or it is too old.
 */
async function startedSignIn(
  { provider }: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  try {
    return await provider.interactionDetails(request.raw, reply.raw);
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  }
}

function tooLate({ services: { config } }: IdentityContext, visit: Visit): Promise<void> {
  const app = `${config.publicUrl}${config.auth.redirectPath}`;
  return visit.show(
    'identity.late.title',
    html`<p>${visit.say('identity.late.text')}</p>
      <p><a class="button" href="${app}">${visit.say('identity.again')}</a></p>`,
    { status: 400 },
  );
}

function formOf({ services }: IdentityContext, visit: Visit): IdentityForm {
  const hasDemo = services.config.demo;
  return {
    title: 'identity.signIn.title',
    fields: [fields.email, fields.password],
    action: 'identity.signIn.action',
    after: html`${visit.link('/oidc/forgot', 'identity.signIn.toForgot')}
    ${visit.link('/oidc/sign-up', 'identity.signIn.toSignUp')}
    ${hasDemo ? demoAccounts(visit) : nothing}`,
  };
}
