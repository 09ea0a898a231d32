import { Secret, TOTP } from 'otpauth';
import type { Random } from '#base/id.ts';

/** What apps for one-time codes take without being told; some of them take nothing else. */
const KIND = { issuer: 'Slipway', algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Clocks may differ by so many steps of half a minute. */
const DRIFT_STEPS = 1;

/** Returns a new secret in base 32, as it is typed into an app. */
export function newSecret(random: Random): string {
  return inBase32(random(new Uint8Array(SECRET_BYTES)));
}

/** Returns `bytes` in letters and digits that people can copy by hand. */
export function inBase32(bytes: Uint8Array): string {
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** Returns the address by which an app takes the secret for the account `email`. */
export function addressOfSecret(secret: string, email: string): string {
  return new TOTP({ ...KIND, label: email, secret }).toString();
}

/**
 * Returns the number of the half minute since 1970 whose code `code` is; null: it is none around
 * now.
 *
 * @param at in ms since 1970
 */
export function stepOfCode(secret: string, code: string, at: number): number | null {
  const totp = new TOTP({ ...KIND, secret });
  const delta = totp.validate({ token: code, timestamp: at, window: DRIFT_STEPS });
  return delta === null ? null : totp.counter({ timestamp: at }) + delta;
}
