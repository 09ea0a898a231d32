import { html } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import type { MailTextKey } from '#text/say.ts';
import { accountList, DEMO_PASSWORD } from '../../../demo/accounts.ts';
import type { DemoAccount } from '../../../demo/accounts.ts';
import type { Visit } from '../form.ts';

/**
 * Returns the accounts of the demo that can sign in and have something to see. Each is a button that
 * does nothing until its script runs (`src/session/password-form.ts`).
 */
export function demoAccounts(visit: Visit): Html {
  const choices = accountList
    .filter(([, account]) => hasSomethingToSee(account))
    .map(
      ([, { email, name, ...account }]) =>
        html`<li>
          <button type="button" data-email="${email}" data-password="${DEMO_PASSWORD}" disabled>
            <b>${name}</b> <span>${visit.say(roleOf(account))}</span> <small>${email}</small>
          </button>
        </li>`,
    );
  return html`<section class="demo">
    <h2>${visit.say('identity.demo.title')}</h2>
    <p>${visit.say('identity.demo.text', { password: DEMO_PASSWORD })}</p>
    <ul>
      ${choices}
    </ul>
  </section>`;
}

function hasSomethingToSee({ isSuperAdmin, isLocked, memberOf }: DemoAccount): boolean {
  return isLocked !== true && (isSuperAdmin === true || memberOf.length > 0);
}

function roleOf({ isSuperAdmin, roles }: Pick<DemoAccount, 'isSuperAdmin' | 'roles'>): MailTextKey {
  if (isSuperAdmin === true) return 'roles.SuperAdmin';
  const [role] = roles;
  return role === undefined ? 'identity.demo.member' : `roles.${role}`;
}
