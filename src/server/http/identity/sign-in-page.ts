import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import { addressOf } from '../count-requests.ts';
import { accountByEmail } from '../../domain/accounts/accounts.ts';
import type { Account } from '../../domain/accounts/accounts.ts';
import { auditFailedSignIn, auditLockedOut } from './audit-accounts.ts';
import { fields, isEmail, Visit } from './form.ts';
import type { IdentityForm, Mistakes } from './form.ts';
import { countPassword, forgetTries, strangeForm, tooMany } from './guard.ts';
import type { IdentityContext } from './identity-context.ts';
import { accountOfBrowser, mailSignInLink } from './mailed-link.ts';
import { html } from '#base/html.ts';
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
  if (request.method === 'POST') return signIn(identity, visit, request, reply);
  const proven = await accountOfBrowser(identity.services, visit);
  if (proven !== null) return finish(identity, visit, proven, request, reply);
  const hint = started.params.login_hint;
  return visit.showForm(formOf(visit), { email: typeof hint === 'string' ? hint : '' });
}

async function signIn(
  identity: IdentityContext,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
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
    return visit.showForm(formOf(visit), { email }, refusal);
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
    return visit.showForm(formOf(visit), { email }, { status: 422, notice });
  }

  await forgetTries(services, who, counted);
  return finish(identity, visit, account, request, reply);
}

/** Returns to the app as `account`, in the era in which it was read. */
async function finish(
  { services, provider }: IdentityContext,
  visit: Visit,
  { id, email, era }: Account,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (await services.db.read((tx) => isLockedOut(tx, id))) {
    const reason = { reason: 'user-locked' };
    await auditFailedSignIn(services, 'sign-in-failed', email, request.ip, reason);
    const notice = visit.say('identity.signIn.locked');
    return visit.showForm(formOf(visit), { email }, { status: 403, notice });
  }
  const ts = Math.floor(services.clock() / 1_000);
  const login = { accountId: id, remember: true, acr: acrOf(era), ts };
  const next = await provider.interactionResult(request.raw, reply.raw, { login });
  // A GET has no password: it came by a mailed link, which lets this page go on by itself.
  const by = request.method === 'POST' ? 'password' : 'mailed link';
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

function formOf(visit: Visit): IdentityForm {
  return {
    title: 'identity.signIn.title',
    fields: [fields.email, fields.password],
    action: 'identity.signIn.action',
    after: html`${visit.link('/oidc/forgot', 'identity.signIn.toForgot')}
    ${visit.link('/oidc/sign-up', 'identity.signIn.toSignUp')}`,
  };
}
