import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** The site that a browser shows while a passkey is made or used. */
interface Site {
  readonly origin: string;
  readonly rpId: string;
}

/** What a browser sends of a passkey, as JSON. */
export type Signed = Readonly<Record<string, unknown>>;

/** A passkey of an authenticator in software: a key of P-256 that counts what it signs. */
export class SoftwarePasskey {
  readonly id: string;
  counter = 0;
  private readonly site: Site;
  private readonly privateKey: KeyObject;
  private readonly coseKey: Buffer;

  constructor(site: Site, id = randomBytes(16).toString('base64url')) {
    this.site = site;
    this.id = id;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.coseKey = map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y, 'base64url'))],
    ]);
  }

  /** Answers what asks for a new passkey; with `isAttested` its maker vouches for it, in bytes that say nothing. */
  register(challenge: string, site: Partial<Site> = {}, isAttested = false): Signed {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const data = this.data(0x41, { ...this.site, ...site });
    const authData = Buffer.concat([data, Buffer.alloc(16), length, id, this.coseKey]);
    const attestation = map([
      [text('fmt'), text(isAttested ? 'android-key' : 'none')],
      [text('attStmt'), map(isAttested ? [[text('x5c'), list([bytes(id)])]] : [])],
      [text('authData'), bytes(authData)],
    ]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', challenge, site).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Signs a challenge; the counter goes on by one unless stated. */
  sign(challenge: string, site: Partial<Site> = {}, counter = this.counter + 1): Signed {
    this.counter = counter;
    const client = this.clientData('webauthn.get', challenge, site);
    const data = this.data(0x01, { ...this.site, ...site });
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.privateKey).toString('base64url'),
    });
  }

  private answer(response: Signed): Signed {
    const { id } = this;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string, { origin }: Partial<Site>): Buffer {
    const data = { type, challenge, origin: origin ?? this.site.origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data));
  }

  private data(flags: number, { rpId }: Site): Buffer {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(this.counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.of(flags), counted]);
  }
}

/** The few forms of CBOR (RFC 8949) that authenticators use. */
function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.of((major << 5) | count);
  if (count < 256) return Buffer.of((major << 5) | 24, count);
  return Buffer.of((major << 5) | 25, count >> 8, count & 255);
}

const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer =>
  Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
const list = (values: readonly Buffer[]): Buffer =>
  Buffer.concat([head(4, values.length), ...values]);
const map = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);
