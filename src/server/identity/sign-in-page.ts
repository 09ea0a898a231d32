import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import type { Provider } from 'oidc-provider';
import type { Parts } from '../parts.ts';
import { accountByEmail } from './accounts.ts';
import { forgetTries } from './attempts.ts';
import { fields, isEmail, Visit } from './form.ts';
import type { Form, Mistakes } from './form.ts';
import { strangeForm, tooMany } from './guard.ts';
import { html } from './page.ts';
import { isPassword } from './password.ts';
import { keyOf } from './person.ts';

/** What the pages of the provider share. */
export interface Site {
  readonly parts: Parts;
  readonly provider: Provider;
  /** For form tokens. */
  readonly secret: string;
}

/** `GET` and `POST /oidc/interaction/{uid}`: the page where people sign in. */
export async function signInPage(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const started = await startedSignIn(site, request, reply);
  const locales = started?.params.ui_locales;
  const wished = typeof locales === 'string' ? locales : '';
  const visit = new Visit(site.parts, site.secret, request, reply, wished);

  if (started === null) return tooLate(site, visit);
  if (request.method === 'POST') return signIn(site, visit, request, reply);
  const hint = started.params.login_hint;
  return visit.showForm(formOf(visit), { email: typeof hint === 'string' ? hint : '' });
}

async function signIn(
  { parts, provider }: Site,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const [email, password] = [visit.sent('email').trim(), visit.sent('password')];
  const mistakes = mistakesOf(email, password);
  const who = `${keyOf(email)} ${request.ip}`;
  const refusal =
    strangeForm(visit) ??
    (Object.keys(mistakes).length > 0 ? { status: 422, mistakes } : null) ??
    (await tooMany(parts, visit, ['address', request.ip], ['guess', who]));
  if (refusal !== null) return visit.showForm(formOf(visit), { email }, refusal);

  const account = await parts.db.transact((tx) => accountByEmail(tx, email));
  if (!(await isPassword(password, account?.passwordHash ?? null)) || account === null) {
    const notice = visit.say('identity.signIn.wrong');
    return visit.showForm(formOf(visit), { email }, { status: 422, notice });
  }

  await forgetTries(parts.db, 'guess', who);
  const login = { accountId: account.id, remember: true };
  return visit.leadTo(await provider.interactionResult(request.raw, reply.raw, { login }));
}

function mistakesOf(email: string, password: string): Mistakes {
  return {
    ...(isEmail(email) ? {} : { email: 'identity.error.email' }),
    ...(password === '' ? { password: 'identity.error.password' } : {}),
  };
}

/** The sign-in that the app began in this browser; null when there is none or it is too old. */
async function startedSignIn({ provider }: Site, request: FastifyRequest, reply: FastifyReply) {
  try {
    return await provider.interactionDetails(request.raw, reply.raw);
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  }
}

function tooLate({ parts: { config } }: Site, visit: Visit): Promise<void> {
  const app = `${config.publicUrl}${config.auth.redirectPath}`;
  return visit.show(
    'identity.late.title',
    html`<p>${visit.say('identity.late.text')}</p>
      <p><a class="button" href="${app}">${visit.say('identity.again')}</a></p>`,
    400,
  );
}

function formOf(visit: Visit): Form {
  return {
    title: 'identity.signIn.title',
    fields: [fields.email, fields.password],
    action: 'identity.signIn.action',
    after: html`${visit.link('/oidc/forgot', 'identity.signIn.toForgot')}
    ${visit.link('/oidc/sign-up', 'identity.signIn.toSignUp')}`,
  };
}
