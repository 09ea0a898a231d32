import { importJWK, SignJWT } from 'jose';
import { keysOf } from '#server/domain/accounts/keys.ts';
import type { Services } from '#server/domain/services.ts';

/** Who a token is about; only the email has to be said. */
export interface TokenSubject {
  readonly email: string;
  readonly sub?: string;
  /** Of the sign-ins of the account that `sub` names. */
  readonly era?: number;
  readonly name?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly email_verified?: unknown;
  readonly picture?: string;
  readonly locale?: string;
}

export interface TokenOptions {
  readonly issuer?: string;
  readonly audience?: string;
  /** Counted from the clock of `parts`; negative: it has ended. */
  readonly lastsSeconds?: number;
}

/**
 * An access token as the bundled provider gives it: signed with its key, of the clock of `parts`.
 * The first request with it makes the user. `sub` follows from the email unless it is said.
 */
export async function tokenFor(
  parts: Pick<Services, 'db' | 'random' | 'clock' | 'config'>,
  subject: string | TokenSubject,
  options: TokenOptions = {},
): Promise<string> {
  const { auth } = parts.config;
  const claims = typeof subject === 'string' ? { email: subject } : subject;
  const [key] = (await keysOf(parts.db, parts.random)).signing;
  const now = Math.floor(parts.clock() / 1_000);

  return new SignJWT({ email_verified: true, name: claims.email.split('@')[0], ...claims })
    .setProtectedHeader({
      alg: 'ES256',
      typ: 'at+jwt',
      ...(key.kid === undefined ? {} : { kid: key.kid }),
    })
    .setSubject(claims.sub ?? `test|${claims.email.toLowerCase()}`)
    .setIssuer(options.issuer ?? auth.issuer)
    .setAudience(options.audience ?? auth.audience)
    .setIssuedAt(now)
    .setExpirationTime(now + (options.lastsSeconds ?? 900))
    .sign(await importJWK(key, 'ES256'));
}
