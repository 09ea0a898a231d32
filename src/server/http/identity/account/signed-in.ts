import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { paths } from '#protocol/paths.ts';
import { isTimezone } from '#rules/valid/user.ts';
import { addressOf } from '../../count-requests.ts';
import { accountById } from '../../../domain/accounts/accounts.ts';
import type { Account } from '../../../domain/accounts/accounts.ts';
import { isPassword } from '../../../domain/accounts/password.ts';
import { keyOf, userOf } from '../../../domain/accounts/person.ts';
import { auditFailedSignIn, auditLockedOut } from '../audit-accounts.ts';
import { cookiesOf } from '../cookies.ts';
import { Visit } from '../form.ts';
import type { Refusal } from '../form.ts';
import { countPassword, forgetTries, refusalFor, strangeForm, tooMany } from '../guard.ts';
import type { IdentityContext } from '../identity-context.ts';

type AccountPage = (
  identity: IdentityContext,
  visit: Visit,
  here: SignedIn,
  request: FastifyRequest,
) => Promise<void>;

/** Returns `page` for whoever is signed in with the provider in the browser that asks. */
export function ofSignedIn(page: AccountPage) {
  return async (
    identity: IdentityContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const visit = new Visit(identity.services, identity.secret, request, reply);
    const here = await signedInHere(identity, request, reply);
    return here === null
      ? visit.leadTo(paths.signInForAccount)
      : page(identity, visit, here, request);
  };
}

/** The way back to the page that led here. */
export const toAccount = (visit: Visit): Html =>
  html`<p><a href="/account">${visit.say('identity.toAccount')}</a></p>`;

/** The owner of an account, who is signed in in the browser that asks. */
export interface SignedIn {
  readonly account: Account;
  readonly sessionId: string;
  /** What was granted on this device; null: the app has not come back from the sign-in yet. */
  readonly grantId: string | null;
  /** Gives the browser the cookie of the session's new id, where it got one. */
  keepSession(id: string | null): void;
  /** The zone of their dates (screens 1.8): their own, or UTC. */
  readonly timeZone: string;
}

/** Returns who is signed in in this browser; null when nobody is, or whoever it is is locked. */
async function signedInHere(
  { services, provider }: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | null> {
  const { config, db } = services;
  const context = provider.createContext(request.raw, reply.raw);
  const session = await provider.Session.get(context);
  const { accountId: id } = session;
  if (id === undefined) return null;
  const { account, user } = await db.transact(async (tx) => ({
    account: await accountById(tx, id),
    user: await userOf(tx, id),
  }));
  if (account === null || user?.isLocked === true) return null;
  const timezone = user?.timezone ?? '';
  return {
    account,
    timeZone: isTimezone(timezone) ? timezone : 'UTC',
    sessionId: session.jti,
    grantId: session.grantIdFor(config.auth.clientId) ?? null,
    keepSession: (next) => {
      const cookies = cookiesOf(config);
      // The proxy ends TLS, so the request itself does not tell.
      context.cookies.secure = cookies.isSecure;
      const { path, isSecure: secure } = cookies;
      const options = { path, secure, httpOnly: true, sameSite: 'lax', signed: true } as const;
      context.cookies.set(cookies.session, next, options);
    },
  };
}

/**
 * Returns why a form that needs the account's password is refused; null: the password is right.
 * Tries count as those of signing in do.
 */
export async function refusalOfPassword(
  { services }: IdentityContext,
  visit: Visit,
  { email, passwordHash }: Account,
  request: FastifyRequest,
): Promise<Refusal | null> {
  const [key, address] = [keyOf(email), addressOf(request)];
  const who = `${key} ${address}`;
  const refuse = async (refusal: Refusal): Promise<Refusal> => {
    await auditLockedOut(services, refusal, email, request.ip);
    return refusal;
  };
  const refusal =
    strangeForm(visit) ??
    (await tooMany(services, visit, ['formsOfAddress', address], ['passwordsFromAddress', who]));
  if (refusal !== null) return refuse(refusal);
  const counted = await countPassword(services, key);
  if (counted.waitSeconds > 0) return refuse(refusalFor(visit, counted.waitSeconds));
  if (!(await isPassword(visit.sent('password'), passwordHash))) {
    await auditFailedSignIn(services, 'sign-in-failed', email, request.ip);
    return { status: 422, mistakes: { password: 'identity.change.wrong' } };
  }
  await forgetTries(services, who, counted);
  return null;
}
