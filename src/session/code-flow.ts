import {
  ErrorResponse,
  ErrorTimeout,
  OidcClient,
  User,
  WebStorageStateStore,
} from 'oidc-client-ts';
import type { SigninResponse } from 'oidc-client-ts';
import type { PublicConfig } from '#protocol/paths.ts';
import type { SessionEnvironment } from './environment.ts';
import { isIssuer } from './issuer.ts';
import { knownConfig } from './public-config.ts';
import { storageKey } from './token.ts';

/**
 * The authorization code flow, by oidc-client-ts. Only this module needs it; it is loaded when
 * somebody signs in, so that the first load goes without it. State and nonce are stored where all
 * tabs see them: the return may land in another one.
 */

/**
 * The address to sign in at; null when the issuer gives no answer. With `asksPassword` also a
 * person whom the issuer still knows has to enter it.
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
      nonce: newNonce(environment),
      ui_locales: environment.page.language(),
      extraQueryParams: { audience: config.auth.audience },
      ...(asksPassword ? { prompt: 'login' } : {}),
    });
    // Metadata of another issuer could lead anywhere.
    return isIssuer(await client.metadataService.getIssuer(), config.auth.issuer) ? url : null;
  } catch (error) {
    if (isNoAnswer(error)) return null;
    throw error;
  }
}

/** Turns the return from the issuer into stored tokens, or says why it failed. */
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
    if (!isForUs(response.profile, config)) return 'refused';
    const user = new User(response);
    environment.storage.setItem(storageKey(config), user.toStorageString());
    return 'stored';
  } catch (error) {
    return isNoAnswer(error) ? 'no-answer' : 'refused';
  }
}

/** Tells whether an id token is from our issuer, and was given to this app. */
function isForUs({ iss, aud }: SigninResponse['profile'], { auth }: PublicConfig): boolean {
  return isIssuer(iss, auth.issuer) && [aud].flat().includes(auth.clientId);
}

/** 256 random bits. */
function newNonce({ random }: SessionEnvironment): string {
  const bytes = random(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Recognises failures of the network, answers of something in between, such as a captive portal,
 * and an issuer that gives no tokens for now, as while the person is locked.
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
