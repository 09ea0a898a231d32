import { createPublicKey, generateKeyPair, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** A key to sign apps with, both parts in PEM. */
export interface SigningKey {
  /** PKCS #8. */
  readonly privateKey: string;
  /** X.509, signed by the key itself, as phones expect it. */
  readonly certificate: string;
}

const KEY_BITS = 3072;
/** Stores take no app whose certificate ends while it may still be updated. */
const HOLDS_YEARS = 100;
const SERIAL_BYTES = 16;

/** @param owner what the certificate calls whoever signs */
export async function newSigningKey(owner: string, at: Date): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem('CERTIFICATE', certificateOf(privateKey, owner, at)),
  };
}

function certificateOf(key: KeyObject, owner: string, at: Date): Buffer {
  const until = new Date(at);
  until.setUTCFullYear(at.getUTCFullYear() + HOLDS_YEARS);
  const algorithm = sequence(SHA256_WITH_RSA, der(NULL));
  const name = sequence(der(SET, sequence(COMMON_NAME, der(UTF8_STRING, Buffer.from(owner)))));
  const toBeSigned = sequence(
    der(VERSION, der(INTEGER, Buffer.of(2))),
    der(INTEGER, positive(randomBytes(SERIAL_BYTES))),
    algorithm,
    name,
    sequence(time(at), time(until)),
    name,
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', toBeSigned, key);
  return sequence(toBeSigned, algorithm, der(BIT_STRING, Buffer.of(0), signature));
}

// DER, as far as a certificate needs it (X.690): a tag, the length of what follows, and that.
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const NULL = 0x05;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
const VERSION = 0xa0;
/** 1.2.840.113549.1.1.11 and 2.5.4.3. */
const SHA256_WITH_RSA = der(OBJECT_ID, Buffer.from('2a864886f70d01010b', 'hex'));
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'));

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 | bytes.length), bytes, content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(SEQUENCE, ...parts);
}

/** The shortest way to write a number above 0: neither a sign nor a zero in front. */
function positive(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[0] = ((copy[0] ?? 0) & 0x7f) | 0x40;
  return copy;
}

/** Years from 2050 on have another form. */
function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/\D/g, '').slice(0, 14);
  return at.getUTCFullYear() < 2050
    ? der(UTC_TIME, Buffer.from(`${digits.slice(2)}Z`))
    : der(GENERALIZED_TIME, Buffer.from(`${digits}Z`));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
