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
  const { session, entities, params } = ctx.oidc;
  const hinted = entities.IdTokenHint?.payload.sub;
  if (session !== undefined && hinted !== undefined && hinted === session.accountId) {
    await endSession(ctx, cookies);
    const parameter = params?.post_logout_redirect_uri;
    const back = new URL(typeof parameter === 'string' ? parameter : '/login', ctx.href);
    if (typeof params?.state === 'string') back.searchParams.set('state', params.state);
    ctx.status = 303;
    ctx.redirect(back.href);
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
