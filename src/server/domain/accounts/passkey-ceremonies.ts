import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { isObject } from '#base/is-object.ts';
import { parseJson } from '#base/json.ts';
import type { Config } from '../../kernel/config.ts';
import type { Services } from '../services.ts';
import { redeemLink, storeLink } from './account-links.ts';
import type { Account } from './accounts.ts';
import { keyOfPasskey, notePasskeyUse, passkeysOf } from './passkeys.ts';
import type { NewPasskey } from './passkeys.ts';

/** The site for which passkeys are made: an authenticator signs for no other. */
export interface PasskeySite {
  /** The relying party's id: the host of the public address. */
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns the site of this installation; null where browsers make no passkeys: without TLS, but for
 * `localhost`, and where the host is a number.
 */
export function passkeySiteOf({ publicUrl }: Pick<Config, 'publicUrl'>): PasskeySite | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isNumber = /^[\d.]+$|^\[/.test(hostname);
  return isNumber || (protocol !== 'https:' && !isLocal) ? null : { id: hostname, origin };
}

/** One try with a passkey: whose it is to be, and in which browser. */
export interface Ceremony {
  readonly services: Services;
  readonly site: PasskeySite;
  readonly account: Account;
  /** The secret that only this browser knows: a challenge counts in it alone. */
  readonly browserSecret: string;
}

const CHALLENGE_BYTES = 32;

/** Browsers close their question after this; the challenge lasts longer, for who reads slowly. */
const TIMEOUT_MS = 300_000;

/** Returns, as JSON, what a browser needs to have a passkey of the account sign. */
export async function askForPasskey(ceremony: Ceremony): Promise<string> {
  const { services, site, account } = ceremony;
  const known = await services.db.read((tx) => passkeysOf(tx, account.id));
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    challenge: await newChallenge(ceremony, 'passkey'),
    allowCredentials: known.map(described),
    userVerification: 'preferred',
    timeout: TIMEOUT_MS,
  });
  return JSON.stringify(options);
}

/** Returns, as JSON, what a browser needs to have a new passkey made. */
export async function askForNewPasskey(ceremony: Ceremony): Promise<string> {
  const { services, site, account } = ceremony;
  const known = await services.db.read((tx) => passkeysOf(tx, account.id));
  const options = await generateRegistrationOptions({
    rpName: 'Slipway',
    rpID: site.id,
    userID: new Uint8Array(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: account.name ?? account.email,
    challenge: await newChallenge(ceremony, 'new-passkey'),
    excludeCredentials: known.map(described),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    timeout: TIMEOUT_MS,
  });
  return JSON.stringify(options);
}

/** Why what a browser sent is no proof. */
export type PasskeyFault =
  /** The challenge is unknown, too old, used, or of another account or browser. */
  | 'late'
  | 'wrong'
  /** The authenticator has counted back: there may be a copy of it. */
  | 'copied';

/** Checks what a passkey has signed; null: it is right, and its challenge is used up. */
export async function checkPasskey(ceremony: Ceremony, sent: string): Promise<PasskeyFault | null> {
  const { services, site, account } = ceremony;
  const { db, clock, log } = services;
  const answer = answerIn(sent) as AuthenticationResponseJSON | null;
  if (answer === null) return 'wrong';
  const challenge = await usedChallenge(ceremony, 'passkey', answer);
  if (challenge === null) return 'late';
  const key = await db.read((tx) => keyOfPasskey(tx, account.id, answer.id));
  if (key === null) return 'wrong';
  const publicKey = new Uint8Array(Buffer.from(key.publicKey, 'base64url'));
  let counter: number;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // The counter is compared below, where nobody else can use the passkey meanwhile.
      credential: { id: answer.id, publicKey, counter: 0 },
      requireUserVerification: false,
    });
    if (!verified) return 'wrong';
    counter = authenticationInfo.newCounter;
  } catch (error) {
    log.info({ err: error, account: account.id }, 'a passkey was refused');
    return 'wrong';
  }
  const use = await db.transact((tx) => notePasskeyUse(tx, key.id, counter, clock));
  if (use === 'gone') return 'wrong';
  return use === 'noted' ? null : 'copied';
}

/** Returns the passkey that a browser had made; its challenge is used up. */
export async function readNewPasskey(
  ceremony: Ceremony,
  sent: string,
): Promise<Omit<NewPasskey, 'name'> | Exclude<PasskeyFault, 'copied'>> {
  const { services, site, account } = ceremony;
  const answer = answerIn(sent) as RegistrationResponseJSON | null;
  if (answer === null) return 'wrong';
  const challenge = await usedChallenge(ceremony, 'new-passkey', answer);
  if (challenge === null) return 'late';
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: withoutAttestation(answer),
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: false,
    });
    if (!verified) return 'wrong';
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    // The authenticator names its id twice, and this one is stored.
    if (!CREDENTIAL_ID.test(id)) return 'wrong';
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: TRANSPORTS.filter((transport) => transports.includes(transport)),
    };
  } catch (error) {
    services.log.info({ err: error, account: account.id }, 'a new passkey was refused');
    return 'wrong';
  }
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** An id has 1,023 bytes at most (WebAuthn, Credential ID), here in base64url. */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/;

type Cbor = Parameters<typeof isoCBOR.encode>[0];

/**
 * Returns the answer without what a maker says of its authenticator. It was not asked for, and the
 * library would call the addresses that its certificates name, wherever those are.
 */
function withoutAttestation(answer: RegistrationResponseJSON): RegistrationResponseJSON {
  const { response } = answer;
  const made = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const bare = isoCBOR.encode(
    new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, Cbor>()],
      ['authData', made.get('authData')],
    ]),
  );
  return { ...answer, response: { ...response, attestationObject: isoBase64URL.fromBuffer(bare) } };
}

function described(passkey: {
  readonly credentialId: string;
  readonly transports: readonly string[];
}) {
  return { id: passkey.credentialId, transports: [...passkey.transports] };
}

type Purpose = 'passkey' | 'new-passkey';

/** Makes a challenge that counts once, for one account and in one browser. */
async function newChallenge(
  { services: { db, clock, random }, account, browserSecret }: Ceremony,
  purpose: Purpose,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(CHALLENGE_BYTES);
  random(challenge);
  const token = tokenOf(Buffer.from(challenge).toString('base64url'), browserSecret);
  const link = { accountId: account.id, purpose, era: account.era } as const;
  await db.transact((tx) => storeLink(tx, token, link, clock));
  return challenge;
}

/** Uses the challenge up that was signed; null: it does not count. */
async function usedChallenge(
  { services: { db, clock }, account, browserSecret }: Ceremony,
  purpose: Purpose,
  { response }: AuthenticationResponseJSON | RegistrationResponseJSON,
): Promise<string | null> {
  const signed = objectIn(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
  const challenge = signed?.challenge;
  if (typeof challenge !== 'string') return null;
  const token = tokenOf(challenge, browserSecret);
  const link = await db.transact((tx) => redeemLink(tx, token, purpose, clock));
  return link?.accountId === account.id ? challenge : null;
}

const tokenOf = (challenge: string, browserSecret: string): string =>
  `passkey ${challenge} ${browserSecret}`;

/** Returns the answer of a browser, as far as all of its kind are alike; null: it is of another form. */
function answerIn(sent: string): object | null {
  const value = objectIn(sent);
  if (typeof value?.id !== 'string' || !isObject(value.response)) return null;
  if (!CREDENTIAL_ID.test(value.id)) return null;
  return typeof value.response.clientDataJSON === 'string' ? value : null;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
