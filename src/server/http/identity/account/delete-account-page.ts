import type { FastifyRequest } from 'fastify';
import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import {
  deleteAccount,
  DELETED_NAME,
  obstaclesOf,
} from '../../../domain/accounts/delete-account.ts';
import type { Obstacles } from '../../../domain/accounts/delete-account.ts';
import { userOf } from '../../../domain/accounts/person.ts';
import { mailAccountDeleted } from '../account-mail.ts';
import { askedFactorOf, refusalOfFactorIfAny } from '../second-factor/factor-check.ts';
import { presentPassword } from '../form.ts';
import type { AskedFactor, IdentityForm, Visit } from '../form.ts';
import type { IdentityContext } from '../identity-context.ts';
import { ofSignedIn, refusalOfPassword, toAccount } from './signed-in.ts';
import type { SignedIn } from './signed-in.ts';

/**
 * `/oidc/delete-account`: says what goes and what stays, and deletes the account of whoever gives
 * its password; while they own something, it lists that instead (domain 2.7).
 */
export const deleteAccountPage = ofSignedIn(async (identity, visit, here, request) => {
  const { services } = identity;
  const before = await services.db.read((tx) => obstaclesOf(tx, here.account.id));
  if (before !== null) return showObstacles(identity, visit, here, before, request);
  const form = formOf(visit, here, await askedFactorOf(services, visit, here.account));
  if (request.method !== 'POST') return visit.showForm(form);

  const refusal =
    (await refusalOfPassword(identity, visit, here.account, request)) ??
    (await refusalOfFactorIfAny(services, visit, here.account, request));
  if (refusal !== null) return visit.showForm(form, {}, refusal);
  const meanwhile = await deleteAccount(services, here.account.id, request.ip);
  if (meanwhile !== null) return showObstacles(identity, visit, here, meanwhile, request);
  mailAccountDeleted(services, here.account);
  here.keepSession(null);
  return visit.show(
    'identity.delete.done.title',
    html`<p>${visit.say('identity.delete.done')}</p>
      <p><a class="button" href="/login">${visit.say('identity.signIn.action')}</a></p>`,
    { clearsDevice: true },
  );
});

function formOf(
  visit: Visit,
  { account: { email } }: SignedIn,
  secondFactor: AskedFactor | null,
): IdentityForm {
  return {
    title: 'identity.delete.title',
    fields: [presentPassword],
    secondFactor,
    action: 'identity.delete.action',
    before: html`<p>${visit.say('identity.delete.goes', { email })}</p>
      <p>${visit.say('identity.delete.stays', { name: DELETED_NAME })}</p>
      <p>${visit.say('identity.delete.final')}</p>`,
    after: toAccount(visit),
  };
}

async function showObstacles(
  { services }: IdentityContext,
  visit: Visit,
  { account }: SignedIn,
  { organizations, projects, isLastSuperAdmin }: Obstacles,
  { method }: FastifyRequest,
): Promise<void> {
  const user = await services.db.read((tx) => userOf(tx, account.id));
  const memberships = `/users/${user?.id ?? ''}/settings/groups`;
  return visit.show(
    'identity.delete.title',
    html`${visit.notice(visit.say('identity.delete.notYet'))}
    ${isLastSuperAdmin ? html`<p>${visit.say('identity.delete.lastSuperAdmin')}</p>` : nothing}
    ${
      organizations.length === 0
        ? nothing
        : html`<p>${visit.say('identity.delete.organizations')}</p>
            ${listOf(visit, organizations, (id) => `/organizations/${id}/settings`)}`
    }
    ${
      projects.length === 0
        ? nothing
        : html`<p>${visit.say('identity.delete.projects')}</p>
            ${listOf(visit, projects, (id) => `/projects/${id}`)}
            <p>
              <a class="button" href="${memberships}">${visit.say('identity.delete.handOver')}</a>
            </p>`
    }
    ${toAccount(visit)}`,
    method === 'POST' ? { status: 422 } : {},
  );
}

const LISTED_MOST = 50;

function listOf(
  visit: Visit,
  records: readonly { readonly id: string; readonly name: string | null }[],
  addressOf: (id: string) => string,
): Html {
  const more = records.length - LISTED_MOST;
  return html`<ul class="owned">
    ${records.slice(0, LISTED_MOST).map(
      ({ id, name }) =>
        html`<li>
          <a href="${addressOf(id)}"><bdi>${name ?? id}</bdi></a>
        </li>`,
    )}
    ${more > 0 ? html`<li>${visit.say('identity.delete.more', { count: more })}</li>` : nothing}
  </ul>`;
}
