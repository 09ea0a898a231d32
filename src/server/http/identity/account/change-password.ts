import type { FastifyRequest } from 'fastify';
import { html } from '#base/html.ts';
import { mistakeOfPassword } from '../../../domain/accounts/password-rules.ts';
import { hashPassword } from '../../../domain/accounts/password.ts';
import { changePassword } from '../account-changes.ts';
import { askedFactorOf, refusalOfFactorIfAny } from '../second-factor/factor-check.ts';
import { fields, presentPassword } from '../form.ts';
import type { AskedFactor, IdentityForm, Refusal, Visit } from '../form.ts';
import type { IdentityContext } from '../identity-context.ts';
import { ofSignedIn, refusalOfPassword, toAccount } from './signed-in.ts';
import type { SignedIn } from './signed-in.ts';

/**
 * `/oidc/password`: whoever is signed in in this browser gives the present password and a new one.
 * Every other sign-in ends (wire 2).
 */
export const changePasswordPage = ofSignedIn(async (identity, visit, here, request) => {
  const { services } = identity;
  const form = formWith(visit, await askedFactorOf(services, visit, here.account));
  if (request.method !== 'POST') return visit.showForm(form);

  const refusal = await refusalOf(identity, visit, here, request);
  if (refusal !== null) return visit.showForm(form, {}, refusal);
  const { account, sessionId } = here;
  const passwordHash = await hashPassword(visit.sent('new_password'), services.random);
  here.keepSession(await changePassword(services, account.id, passwordHash, sessionId, request.ip));
  return visit.show(
    'identity.reset.done.title',
    html`<p>${visit.say('identity.change.done')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
  );
});

/** Returns why the password stays; null: it may change. */
async function refusalOf(
  identity: IdentityContext,
  visit: Visit,
  { account }: SignedIn,
  request: FastifyRequest,
): Promise<Refusal | null> {
  const refusal = await refusalOfPassword(identity, visit, account, request);
  if (refusal !== null) return refusal;
  const { breachedPasswords } = identity.services.config;
  const mistake = mistakeOfPassword(visit.sent('new_password'), account.email, breachedPasswords);
  if (mistake !== null) return { status: 422, mistakes: { new_password: mistake } };
  // A code is used up by being right, so it comes last.
  return refusalOfFactorIfAny(identity.services, visit, account, request);
}

function formWith(visit: Visit, secondFactor: AskedFactor | null): IdentityForm {
  return {
    title: 'identity.reset.title',
    fields: [
      presentPassword,
      { ...fields.newPassword, name: 'new_password', label: 'identity.newPassword' },
    ],
    secondFactor,
    action: 'identity.reset.action',
    after: toAccount(visit),
  };
}
