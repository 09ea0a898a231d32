import {
  ErrorResponse,
  ErrorTimeout,
  OidcClient,
  User,
  WebStorageStateStore,
} from 'oidc-client-ts';
import type { PublicConfig } from '#protocol/paths.ts';
import { newId } from '#base/id.ts';
import type { SessionEnvironment } from './environment.ts';
import { knownConfig } from './public-config.ts';
import { storageKey } from './token.ts';

/**
 * The authorization code flow, by oidc-client-ts. The one module that needs it; loaded when
 * somebody signs in, so that the first load does without. State and nonce are kept where all tabs
 * see them: the return may land in another one.
 */

/**
 * Where to go to sign in; null when the issuer gives no answer. `asksPassword`: also somebody whom
 * the issuer still knows.
 */
export async function start(
  environment: SessionEnvironment,
  config: PublicConfig,
  asksPassword: boolean,
): Promise<string | null> {
  const client = clientOf(environment, config);
  await client.clearStaleState();
  try {
    const { url } = await client.createSigninRequest({
      nonce: newId(environment.clock, environment.random),
      ui_locales: environment.page.language(),
      extraQueryParams: { audience: config.auth.audience },
      ...(asksPassword ? { prompt: 'login' } : {}),
    });
    return url;
  } catch (error) {
    if (isNoAnswer(error)) return null;
    throw error;
  }
}

/** Turns the return from the issuer into stored tokens, or says what became of it. */
export async function finish(
  environment: SessionEnvironment,
  address: string,
): Promise<'stored' | 'refused' | 'late' | 'no-answer'> {
  const config = knownConfig(environment);
  if (config === null) return 'late';
  const client = clientOf(environment, config);
  const state = new URL(address).searchParams.get('state');
  if (state === null || (await client.settings.stateStore.get(state)) === null) return 'late';

  try {
    const response = await client.processSigninResponse(address);
    const user = new User(response);
    environment.storage.setItem(storageKey(config), user.toStorageString());
    return 'stored';
  } catch (error) {
    return isNoAnswer(error) ? 'no-answer' : 'refused';
  }
}

/**
 * The network's failures, answers of something else in between, such as a captive portal, and an
 * issuer that gives no tokens for now, as while the person is locked.
 */
function isNoAnswer(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof SyntaxError) return true;
  if (error instanceof ErrorResponse) return error.error === 'temporarily_unavailable';
  return error instanceof ErrorTimeout || /content-type/i.test(String(error));
}

function clientOf({ storage, page }: SessionEnvironment, { auth }: PublicConfig): OidcClient {
  return new OidcClient({
    authority: auth.issuer,
    client_id: auth.clientId,
    redirect_uri: `${page.origin}${auth.redirectPath}`,
    scope: auth.scope,
    resource: auth.audience,
    loadUserInfo: false,
    stateStore: new WebStorageStateStore({ store: storage as Storage }),
  });
}
