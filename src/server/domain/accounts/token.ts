import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { JWK, JWTPayload, JWTVerifyGetKey } from 'jose';
import type { Clock } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Config } from '../../kernel/config.ts';
import type { Services } from '../services.ts';
import { keysOf } from './keys.ts';

/** The claims of an access token about a person. */
export interface Claims {
  readonly sub: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  /** The interface language of the sign-in page, if the issuer gives it. */
  readonly locale: string | null;
  /** The era of the account's sign-ins, in a token of the bundled provider. */
  readonly era: number | null;
  /** The grant of its sign-in on its device, in a token of the bundled provider. */
  readonly grant: string | null;
  /** The end of the token, in ms since 1970. */
  readonly expiresAt: number;
}

type Reason = 'missing' | 'malformed' | 'expired' | 'refused';

/** A checked token is believed for this time without checking the issuer's keys again. */
const BELIEVED_MS = 300_000;
const MOST_BELIEVED = 5_000;
const ALGORITHMS = ['ES256', 'RS256'];

type Read = (token: string) => Promise<Claims>;

const readers = new WeakMap<Services, Promise<Read>>();

/**
 * Returns the claims of `token`, once its signature, issuer, audience and end are checked; 60 s of
 * clock difference are allowed.
 *
 * @throws ProblemError 401 `not-signed-in` with its reason; 503 while an outside issuer gives no keys
 */
export async function readToken(services: Services, token: string | null): Promise<Claims> {
  if (token === null) throw notSignedIn('missing');
  const known = readers.get(services);
  if (known !== undefined) return (await known)(token);

  const made = makeReader(services);
  readers.set(services, made);
  made.catch(() => readers.delete(services));
  return (await made)(token);
}

/**
 * @param isGranted whether the grant of `claims` still holds
 * @throws ProblemError 401 `not-signed-in` unless it does, and they are of the account's present `era`
 */
export function refuseEnded(claims: Claims, era: number | null, isGranted: boolean): void {
  if (claims.era !== era || !isGranted) throw notSignedIn('refused');
}

/** Returns 401 `not-signed-in`, with what RFC 6750 requires in the header. */
function notSignedIn(reason: Reason): ProblemError {
  const error = reason === 'missing' ? '' : ' error="invalid_token"';
  return new ProblemError(
    { code: 'not-signed-in', meta: { reason } },
    { 'WWW-Authenticate': `Bearer${error}` },
  );
}

async function makeReader(services: Services): Promise<Read> {
  const check = checkAgainst(await issuersKeys(services), services.config.auth, services.clock);
  const believed = new Map<string, { readonly claims: Claims; readonly until: number }>();

  return async (token) => {
    const known = believed.get(token);
    if (known !== undefined && services.clock() < known.until) return known.claims;

    believed.delete(token);
    const claims = await check(token);
    const [oldest] = believed.keys();
    if (believed.size >= MOST_BELIEVED && oldest !== undefined) believed.delete(oldest);
    const end = claims.expiresAt + limits.clockToleranceSeconds * 1_000;
    believed.set(token, { claims, until: Math.min(services.clock() + BELIEVED_MS, end) });
    return claims;
  };
}

function checkAgainst(keys: JWTVerifyGetKey, auth: Config['auth'], clock: Clock): Read {
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: auth.issuer,
        audience: auth.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: limits.clockToleranceSeconds,
        currentDate: new Date(clock()),
      });
      return claimsIn(payload, auth);
    } catch (error) {
      throw refusalOf(error);
    }
  };
}

function claimsIn(payload: JWTPayload, { isBundled }: Config['auth']): Claims {
  const text = (name: string) => {
    const value = payload[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  return {
    sub: payload.sub ?? '',
    email: text('email'),
    isEmailVerified: payload.email_verified === true,
    name: text('name'),
    givenName: text('given_name'),
    familyName: text('family_name'),
    locale: text('locale'),
    era: isBundled && typeof payload.era === 'number' ? payload.era : null,
    grant: isBundled ? text('grant') : null,
    expiresAt: (payload.exp ?? 0) * 1_000,
  };
}

/**
 * Returns the refusal; keys that cannot be fetched say nothing about the token, so the client shall
 * try again.
 */
function refusalOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return notSignedIn('expired');
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid)
    return notSignedIn('malformed');
  if (REFUSALS.some((refusal) => error instanceof refusal)) return notSignedIn('refused');
  if (error instanceof errors.JOSEError || error instanceof TypeError)
    return new ProblemError({ code: 'unavailable' }, { 'Retry-After': '5' });
  return error;
}

const REFUSALS = [
  errors.JWTClaimValidationFailed,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
];

async function issuersKeys({ config, db, random, clock }: Services): Promise<JWTVerifyGetKey> {
  if (config.auth.isBundled) {
    const { signing, until } = await keysOf(db, random);
    const keys = createLocalJWKSet({ keys: signing.map(openPart) });
    return (header, token) => {
      // A retired key may have been stolen: what it signs later than its last tokens is no token.
      const hasEnded = clock() >= (until.get(header.kid ?? '') ?? Infinity);
      if (hasEnded) throw new errors.JWKSNoMatchingKey();
      return keys(header, token);
    };
  }
  return remoteKeys(config.auth.issuer);
}

function openPart(jwk: JWK): JWK {
  const open = { ...jwk };
  delete open.d;
  return open;
}

/**
 * Returns the outside issuer's keys, found by its discovery document at the first token, then kept
 * by jose.
 */
function remoteKeys(issuer: string): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | null = null;
  return async (header, token) => {
    keys ??= discover(issuer);
    try {
      return await (
        await keys
      )(header, token);
    } catch (error) {
      if (error instanceof NoDiscovery) keys = null;
      throw error;
    }
  };
}

class NoDiscovery extends TypeError {}

const FETCH_WITHIN_MS = 5_000;

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  try {
    const signal = AbortSignal.timeout(FETCH_WITHIN_MS);
    const answer = await fetch(address, { signal, redirect: 'error' });
    const document: unknown = await answer.json();
    const { jwks_uri: keysAt, issuer: name } = document as Readonly<Record<string, unknown>>;
    if (!answer.ok || typeof keysAt !== 'string') throw new TypeError('No jwks_uri');
    if (typeof name !== 'string' || withoutSlash(name) !== withoutSlash(issuer))
      throw new TypeError('The document is another issuer’s');
    return createRemoteJWKSet(new URL(keysAt), { timeoutDuration: FETCH_WITHIN_MS });
  } catch (cause) {
    throw new NoDiscovery(`${address} gives no keys`, { cause });
  }
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '');
