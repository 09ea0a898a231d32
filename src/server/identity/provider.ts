import { sql } from 'kysely';
import { Provider } from 'oidc-provider';
import type { Account as OidcAccount, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Tx } from '../database/database.ts';
import type { Parts } from '../parts.ts';
import { accountById, endSessions } from './accounts.ts';
import type { Account } from './accounts.ts';
import { OidcRecords } from './adapter.ts';
import type { Keys } from './keys.ts';
import { errorPage, signOutPage } from './provider-pages.ts';

const MINUTE = 60;
const DAY = 86_400;

/** How long things last, in seconds. */
const lasts = {
  AccessToken: 15 * MINUTE,
  AuthorizationCode: MINUTE,
  IdToken: 15 * MINUTE,
  Interaction: 60 * MINUTE,
  Session: 14 * DAY,
  /** Each use gives a new one: who is offline for less need not sign in again. */
  RefreshToken: 90 * DAY,
  Grant: 3_650 * DAY,
} as const;

/** Where our pages and the provider's meet. */
export const oidcPath = {
  base: '/oidc',
  interaction: (uid: string) => `/oidc/interaction/${uid}`,
} as const;

/** The bundled identity provider. Its own state is all in the database. */
export function openProvider(parts: Parts, keys: Keys): Provider {
  const { db, clock, config, log } = parts;
  const { issuer, audience, clientId, redirectPath, scope } = config.auth;
  const home = `${config.publicUrl}${redirectPath}`;

  const configuration: Configuration = {
    adapter: (kind: string) => new OidcRecords(kind, db, clock),
    clients: [
      {
        client_id: clientId,
        application_type: 'web',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [home],
        post_logout_redirect_uris: [home],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [...keys.signing] },
    cookies: {
      keys: [...keys.cookies],
      names: {
        session: 'slipway_session',
        interaction: 'slipway_interaction',
        resume: 'slipway_resume',
      },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: oidcPath.base },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    scopes: scope.split(' '),
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture', 'locale'],
    },
    // The id token names the person, so that the client needs no further request.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      userinfo: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => signOutPage(ctx, form),
        postLogoutSuccessSource: (ctx) => {
          ctx.redirect(home);
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: '',
          audience,
          accessTokenTTL: lasts.AccessToken,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    interactions: { url: (_ctx, { uid }) => oidcPath.interaction(uid) },
    // The one client is our own: nobody has to consent to it.
    loadExistingGrant: grantOf,
    findAccount: (_ctx, sub, token) =>
      db.transact((tx) => findAccount(tx, sub, token?.kind === 'RefreshToken')),
    extraTokenClaims: async (_ctx, token) => {
      const sub = 'accountId' in token ? token.accountId : undefined;
      const account = sub === undefined ? null : await db.transact((tx) => accountById(tx, sub));
      return account === null ? {} : claimsOf(account);
    },
    formats: {
      customizers: {
        // The provider knows the system's clock alone; what is checked by ours is dated by ours.
        jwt: (_ctx, _token, { payload }) => {
          const ahead = Math.round((clock() - Date.now()) / 1_000);
          for (const name of ['iat', 'exp'])
            if (typeof payload[name] === 'number') payload[name] += ahead;
        },
      },
    },
    issueRefreshToken: async (_ctx, _client, { accountId }) =>
      accountId !== undefined && !(await db.transact((tx) => isLocked(tx, accountId))),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    clientBasedCORS: (_ctx, origin) => origin === new URL(config.publicUrl).origin,
    renderError: errorPage(home),
    ttl: { ...lasts },
  };

  const provider = new Provider(issuer, configuration);
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => {
    log.error({ err: error }, 'the identity provider failed');
  });
  return provider;
}

async function grantOf({ oidc }: KoaContextWithOIDC) {
  const { client, account, session, provider } = oidc;
  if (client === undefined || account === undefined) return undefined;

  const id = session?.grantIdFor(client.clientId);
  const known = id === undefined ? undefined : await provider.Grant.find(id);
  if (known !== undefined) return known;

  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  grant.addOIDCScope('openid profile email offline_access');
  await grant.save();
  return grant;
}

/** A locked person's refresh tokens are taken back; what they can still get opens nothing. */
async function findAccount(
  tx: Tx,
  sub: string,
  isRefresh: boolean,
): Promise<OidcAccount | undefined> {
  if (isRefresh && (await isLocked(tx, sub))) {
    await endSessions(tx, sub);
    return undefined;
  }
  const account = await accountById(tx, sub);
  if (account === null) return undefined;
  return { accountId: sub, claims: () => ({ sub, ...claimsOf(account) }) };
}

async function isLocked(tx: Tx, sub: string): Promise<boolean> {
  const rows = await tx.query(sql`select id from users where auth_id = ${sub} and is_locked`);
  return rows.length > 0;
}

/** The claims of wire 2; `name` is one field here, and its parts are what other issuers tell. */
function claimsOf({ email, isVerified, name, locale }: Account): Record<string, string | boolean> {
  const [given, ...family] = (name ?? '').split(' ');
  return {
    email,
    email_verified: isVerified,
    ...(name === null ? {} : { name }),
    ...(given === undefined || given === '' ? {} : { given_name: given }),
    ...(family.length === 0 ? {} : { family_name: family.join(' ') }),
    ...(locale === null ? {} : { locale }),
  };
}
