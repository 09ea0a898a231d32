import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../count-requests.ts';
import { changePassword } from './account-changes.ts';
import { accountById } from '../../domain/accounts/accounts.ts';
import type { Account } from '../../domain/accounts/accounts.ts';
import { auditFailedSignIn, auditLockedOut } from './audit-accounts.ts';
import { cookiesOf } from './cookies.ts';
import { fields, Visit } from './form.ts';
import type { IdentityForm, Refusal } from './form.ts';
import { strangeForm, tooMany } from './guard.ts';
import { html } from '#base/html.ts';
import { mistakeOfPassword } from '../../domain/accounts/password-rules.ts';
import { hashPassword, isPassword } from '../../domain/accounts/password.ts';
import { isLockedOut, keyOf } from '../../domain/accounts/person.ts';
import type { IdentityContext } from './identity-context.ts';

/**
 * `/oidc/password`: whoever is signed in in this browser gives the present password and a new one.
 * Every other sign-in ends (wire 2).
 */
export async function changePasswordPage(
  identity: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { services, provider, secret } = identity;
  const visit = new Visit(services, secret, request, reply);
  const context = provider.createContext(request.raw, reply.raw);
  const session = await provider.Session.get(context);
  const account = await ownerOf(identity, session.accountId);
  if (account === null) return visit.leadTo('/login');
  if (request.method !== 'POST') return visit.showForm(form);

  const refusal = await refusalOf(identity, visit, account, request);
  if (refusal !== null) return visit.showForm(form, {}, refusal);
  const passwordHash = await hashPassword(visit.sent('new_password'), services.random);
  const goesOn = await changePassword(services, account.id, passwordHash, session.jti, request.ip);
  const cookies = cookiesOf(services.config);
  // The proxy ends TLS, so the request itself does not tell.
  context.cookies.secure = cookies.isSecure;
  const { path, isSecure: secure } = cookies;
  const options = { path, secure, httpOnly: true, sameSite: 'lax', signed: true } as const;
  context.cookies.set(cookies.session, goesOn, options);
  return visit.show(
    'identity.reset.done.title',
    html`<p>${visit.say('identity.change.done')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
  );
}

async function ownerOf(
  { services }: IdentityContext,
  id: string | undefined,
): Promise<Account | null> {
  if (id === undefined) return null;
  return services.db.transact(async (tx) =>
    (await isLockedOut(tx, id)) ? null : accountById(tx, id),
  );
}

/** Returns why the password stays; null: it may change. Tries count as those of signing in do. */
async function refusalOf(
  { services }: IdentityContext,
  visit: Visit,
  { email, passwordHash }: Account,
  request: FastifyRequest,
): Promise<Refusal | null> {
  const [key, address] = [keyOf(email), addressOf(request)];
  const who = `${key} ${address}`;
  const held =
    strangeForm(visit) ??
    (await tooMany(
      services,
      visit,
      ['formsOfAddress', address],
      ['passwordsFromAddress', who],
      ['passwordsOfAccount', key],
    ));
  if (held !== null) {
    await auditLockedOut(services, held, email, request.ip);
    return held;
  }
  if (!(await isPassword(visit.sent('password'), passwordHash))) {
    await auditFailedSignIn(services, 'sign-in-failed', email, request.ip);
    return { status: 422, mistakes: { password: 'identity.change.wrong' } };
  }
  await services.db.transact(async (tx) => {
    await services.limits.forget(tx, 'passwordsFromAddress', who);
    await services.limits.forget(tx, 'passwordsOfAccount', key);
  });
  const mistake = mistakeOfPassword(
    visit.sent('new_password'),
    email,
    services.config.breachedPasswords,
  );
  return mistake === null ? null : { status: 422, mistakes: { new_password: mistake } };
}

const form: IdentityForm = {
  title: 'identity.reset.title',
  fields: [
    { ...fields.password, label: 'identity.change.present' },
    { ...fields.newPassword, name: 'new_password', label: 'identity.newPassword' },
  ],
  action: 'identity.reset.action',
};
