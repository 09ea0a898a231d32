import { errors } from 'oidc-provider';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { languageOf, translate } from '#text/say.ts';
import type { Cookies } from './cookies.ts';
import { html } from '#base/html.ts';
import { pageOf } from './page.ts';

/** Pages that the provider itself answers with; the policy is set where it is mounted. */

/**
 * With an id token of the person who is signed in here, signing out needs no question; in any other
 * case somebody else may have sent them here.
 */
export async function signOutPage(
  ctx: KoaContextWithOIDC,
  form: string,
  cookies: Cookies,
): Promise<void> {
  const { session, entities } = ctx.oidc;
  const hinted = entities.IdTokenHint?.payload.sub;
  if (session !== undefined && hinted !== undefined && hinted === session.accountId) {
    await endSession(ctx, cookies);
    leadBack(ctx);
    return;
  }

  const language = languageOf(ctx.get('accept-language'));
  const action = translate(language, 'identity.signOut.action');
  ctx.body = pageOf({
    language,
    title: 'identity.signOut.title',
    address: null,
    body: html`${{ html: form }}
      <p>
        <button type="submit" form="op.logoutForm" name="logout" value="yes">${action}</button>
      </p>`,
  });
}

/** The path is the provider's, which does not know below which path of ours it is mounted. */
const END_SESSION = '/session/end';

/**
 * Leads on whoever signs out where nobody is signed in: there is nothing to end, and the provider
 * would answer with a page of its own, in English, whose script sends a form.
 */
export async function leadOutSignedOut(
  ctx: KoaContextWithOIDC,
  next: () => Promise<void>,
): Promise<void> {
  await next();
  if (ctx.path !== END_SESSION || ctx.status !== 200) return;
  if (ctx.oidc.session?.accountId === undefined) leadBack(ctx);
}

/** Leads to where the app asked to be after signing out; the provider has checked the address. */
function leadBack(ctx: KoaContextWithOIDC): void {
  const { params } = ctx.oidc;
  const parameter = params?.post_logout_redirect_uri;
  const back = new URL(typeof parameter === 'string' ? parameter : '/login', ctx.href);
  if (typeof params?.state === 'string') back.searchParams.set('state', params.state);
  ctx.status = 303;
  ctx.redirect(back.href);
}

async function endSession(
  ctx: KoaContextWithOIDC,
  { session: name, path, isSecure }: Cookies,
): Promise<void> {
  const { session, provider } = ctx.oidc;
  if (session === undefined) return;
  const grants = Object.values(session.authorizations ?? {}).flatMap(
    ({ grantId }) => grantId ?? [],
  );
  for (const id of grants) {
    await provider.RefreshToken.revokeByGrantId(id);
    await provider.Grant.adapter.destroy(id);
  }
  await session.destroy();
  ctx.cookies.set(name, null, { path, secure: isSecure });
}

/**
 * Returns a refusal of the provider as a page with a way on; it shows nothing of the error inside.
 */
export function errorPage(home: string) {
  return (ctx: KoaContextWithOIDC, _out: ErrorOut, error: Error): void => {
    const language = languageOf(ctx.get('accept-language'));
    const isLate = error instanceof errors.SessionNotFound;
    ctx.type = 'html';
    ctx.body = pageOf({
      language,
      title: isLate ? 'identity.late.title' : 'identity.failed.title',
      address: null,
      body: html`<p>
          ${translate(language, isLate ? 'identity.late.text' : 'identity.failed.text')}
        </p>
        <p><a class="button" href="${home}">${translate(language, 'identity.again')}</a></p>`,
    });
  };
}
