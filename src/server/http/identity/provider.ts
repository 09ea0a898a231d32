import { errors, interactionPolicy, Provider } from 'oidc-provider';
import type { Account as OidcAccount, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Clock } from '#base/id.ts';
import type { Services } from '../../domain/services.ts';
import { accountById } from '../../domain/accounts/accounts.ts';
import type { Account } from '../../domain/accounts/accounts.ts';
import { OidcRecords } from './adapter.ts';
import { cookiesOf } from './cookies.ts';
import { noteDevice } from '../../domain/accounts/devices.ts';
import type { Keys } from '../../domain/accounts/keys.ts';
import { isLockedOut } from '../../domain/accounts/person.ts';
import { errorPage, leadOutSignedOut, signOutPage } from './provider-pages.ts';
import { eraIn } from '../../domain/accounts/sign-ins.ts';

const MINUTE = 60;
const DAY = 86_400;

/** The lifetimes in seconds. */
const lasts = {
  AccessToken: 15 * MINUTE,
  AuthorizationCode: MINUTE,
  IdToken: 15 * MINUTE,
  Interaction: 60 * MINUTE,
  /** The lifetime counts from the last use. */
  Session: 14 * DAY,
  /** The lifetime counts from the sign-in, however often what came of it was used. */
  SignIn: 90 * DAY,
  Grant: 3_650 * DAY,
} as const;

/** The paths at which our pages and the provider's meet. */
export const oidcPath = {
  base: '/oidc',
  interaction: (uid: string) => `/oidc/interaction/${uid}`,
} as const;

/** The bundled identity provider. Its own state is all in the database. */
export function openProvider(services: Services, keys: Keys): Provider {
  const { db, clock, config, log } = services;
  const { issuer, audience, clientId, redirectPath, scope } = config.auth;
  const home = `${config.publicUrl}${redirectPath}`;
  const cookies = cookiesOf(config);
  const shared = {
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    secure: cookies.isSecure,
  } as const;

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
        session: cookies.session,
        interaction: cookies.interaction,
        resume: cookies.resume,
      },
      long: { ...shared, path: cookies.path },
      short: shared,
    },
    // Whatever the one client does not use is off for everybody.
    responseTypes: ['code'],
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
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => signOutPage(ctx, form, cookies),
        postLogoutSuccessSource: (ctx) => {
          ctx.redirect(home);
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== audience) throw new errors.InvalidTarget();
          return {
            scope: '',
            audience,
            accessTokenTTL: lasts.AccessToken,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
    interactions: {
      url: (_ctx, { uid }) => oidcPath.interaction(uid),
      policy: signInPolicy(),
    },
    // The one client is our own: nobody has to consent to it.
    loadExistingGrant: grantOf,
    findAccount: async (_ctx, sub, token) => {
      const account = await signInAccount(services, sub);
      if (account === 'locked') {
        // A code or a refresh token stays valid until the lock is over.
        if (token !== undefined) throw new errors.TemporarilyUnavailable();
        return undefined;
      }
      return account === null ? undefined : oidcAccountOf(account);
    },
    extraTokenClaims: async (ctx, token) => {
      const sub = 'accountId' in token ? token.accountId : undefined;
      const account = sub === undefined ? null : await signInAccount(services, sub);
      if (account === 'locked') throw new errors.TemporarilyUnavailable();
      if (account?.era !== eraOfGrant(ctx)) throw new errors.InvalidGrant();
      const grant = 'grantId' in token ? token.grantId : undefined;
      if (grant !== undefined)
        await db.transact((tx) => noteDevice(tx, account.id, deviceOf(ctx, grant), clock));
      return { ...claimsOf(account), era: account.era, grant };
    },
    formats: {
      customizers: {
        // The provider only has the system's clock; what our clock checks is dated by it.
        jwt: (_ctx, _token, { payload }) => {
          const ahead = Math.round((clock() - Date.now()) / 1_000);
          for (const name of ['iat', 'exp'])
            if (typeof payload[name] === 'number') payload[name] += ahead;
        },
      },
    },
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    clientBasedCORS: (_ctx, origin) => origin === new URL(config.publicUrl).origin,
    renderError: errorPage(home),
    ttl: {
      AccessToken: lasts.AccessToken,
      AuthorizationCode: lasts.AuthorizationCode,
      IdToken: lasts.IdToken,
      Interaction: lasts.Interaction,
      Grant: lasts.Grant,
      Session: (_ctx, { loginTs }) => Math.min(lasts.Session, leftOfSignIn(loginTs, clock)),
      RefreshToken: (_ctx, { authTime }) => leftOfSignIn(authTime, clock),
    },
  };

  const provider = new Provider(issuer, configuration);
  provider.proxy = true;
  provider.use(leadOutSignedOut);
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

/** Returns the seconds that a sign-in still lasts; at least one, as the provider needs it. */
function leftOfSignIn(signedInAt: number | undefined, clock: Clock): number {
  const now = Math.floor(clock() / 1_000);
  return Math.max(1, (signedInAt ?? now) + lasts.SignIn - now);
}

/** Also requires a sign-in when the session belongs to a locked person. */
function signInPolicy() {
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  const check = new Check('no_account', 'The account cannot be used', ({ oidc }) =>
    oidc.session?.accountId !== undefined && oidc.account === undefined
      ? Check.REQUEST_PROMPT
      : Check.NO_NEED_TO_PROMPT,
  );
  policy.get('login')?.checks.add(check);
  return policy;
}

/** Returns the account for which tokens of `sub` may be issued; null when there is none. */
function signInAccount({ db }: Services, sub: string): Promise<Account | 'locked' | null> {
  return db.read(async (tx) =>
    (await isLockedOut(tx, sub)) ? 'locked' : await accountById(tx, sub),
  );
}

/** Returns what a request to the token endpoint says of the device that it comes from. */
function deviceOf({ ip, headers }: KoaContextWithOIDC, grantId: string) {
  return { grantId, userAgent: headers['user-agent'] ?? null, address: ip };
}

/** Returns the era of the sign-in that the code or refresh token of this request comes from. */
function eraOfGrant({ oidc }: KoaContextWithOIDC): number {
  const { RefreshToken, AuthorizationCode } = oidc.entities;
  return eraIn((RefreshToken ?? AuthorizationCode)?.acr);
}

function oidcAccountOf(account: Account): OidcAccount {
  const { id: sub } = account;
  return { accountId: sub, claims: () => ({ sub, ...claimsOf(account) }) };
}

/** Returns the claims of wire 2; `name` is one field here, and other issuers send its parts. */
function claimsOf({ email, isVerified, name, locale }: Account): Record<string, string | boolean> {
  const [firstName, ...family] = (name ?? '').split(' ');
  return {
    email,
    email_verified: isVerified,
    ...(name === null ? {} : { name }),
    ...(firstName === undefined || firstName === '' ? {} : { given_name: firstName }),
    ...(family.length === 0 ? {} : { family_name: family.join(' ') }),
    ...(locale === null ? {} : { locale }),
  };
}
