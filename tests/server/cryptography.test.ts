import { createPrivateKey, randomFillSync, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newSigningKey } from '#engine/android/certificate.ts';
import { keysOf } from '#server/domain/accounts/keys.ts';
import { testDatabase } from '../support/database.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join('src', name));

/** Each thing that `pattern` catches in the source, once. */
function found(pattern: RegExp): string[] {
  const all = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, what = '']) => what),
  );
  return [...new Set(all)].sort();
}

/** Returns where `pattern` stands in the source. */
const places = (pattern: RegExp) =>
  sources.filter((path) => pattern.test(readFileSync(path, 'utf8')));

describe('the cryptography of the product', () => {
  it('hashes with the SHA-2 family alone, but to look a password up where lists have SHA-1', () => {
    expect(found(/\b(?:createHash|createHmac|hkdfSync|sign)\('([^']+)'/g)).to.deep.equal([
      'sha1',
      'sha256',
      'sha512',
    ]);
    expect(places(/'sha1'/)).to.deep.equal(['src/server/domain/accounts/breached-passwords.ts']);
    expect(found(/subtle\.digest\('([^']+)'/g)).to.deep.equal(['SHA-256']);
  });

  it('encrypts with AES-256-GCM alone, in one place', () => {
    expect(places(/createCipheriv\(/)).to.deep.equal(['src/server/db/secrets.ts']);
    expect(found(/'((?:aes|des|rc4|chacha20|camellia)-[^']+)'/g)).to.deep.equal(['aes-256-gcm']);
    expect(places(/subtle\.encrypt|publicEncrypt|privateDecrypt/)).to.deep.equal([]);
  });

  it('takes key pairs of at least 128 bits of strength: P-256, and RSA of 3072 bits', async () => {
    const { privateKey, certificate } = await newSigningKey('Somebody', new Date());
    expect(createPrivateKey(privateKey).asymmetricKeyDetails?.modulusLength).to.be.at.least(3_072);
    const { publicKey } = new X509Certificate(certificate);
    expect(publicKey.asymmetricKeyType).to.equal('rsa');
    const { db } = await testDatabase();
    const { signing } = await keysOf(db, (bytes) => randomFillSync(bytes));
    for (const { kty, crv, alg } of signing)
      expect({ kty, crv, alg }).to.deep.equal({ kty: 'EC', crv: 'P-256', alg: 'ES256' });
    expect(found(/generateKeyPair\)?\('([^']+)'/g)).to.deep.equal(['ES256', 'rsa']);
  });

  it('makes one-time codes with SHA-1, as RFC 6238 has it and apps for them expect, and nothing else', () => {
    expect(found(/algorithm: '([^']+)'/g)).to.deep.equal(['SHA1']);
    expect(places(/algorithm: 'SHA1'/)).to.deep.equal([
      'src/server/domain/accounts/one-time-codes.ts',
    ]);
  });

  it('is that of Node, of the browser, of jose and of oidc-provider, and otpauth: no other library, none of its own', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const known =
      /crypt|cipher|hash|sha\d|aes|rsa|jwt|jose|oidc|otp|forge|nacl|sodium|argon|elliptic/i;
    expect(Object.keys(dependencies).filter((name) => known.test(name))).to.deep.equal([
      'jose',
      'oidc-client-ts',
      'oidc-provider',
      'otpauth',
    ]);
  });

  it('takes nothing that must not be guessed from Math.random', () => {
    expect(places(/Math\.random/)).to.deep.equal([]);
  });

  it('believes no certificate that Node does not', () => {
    expect(places(/rejectUnauthorized|TLS_REJECT|checkServerIdentity/)).to.deep.equal([]);
  });

  it('is listed whole in docs/protection.md', () => {
    const listed = readFileSync('docs/protection.md', 'utf8');
    const source = readFileSync('src/server/db/secret-places.ts', 'utf8');
    const columns = [...source.matchAll(/^ {2}(\w+): \{ column: '(\w+)'/gm)];
    expect(columns).not.to.deep.equal([]);
    for (const [, table = '', column = ''] of columns)
      expect(listed).to.include(`\`${table}.${column}\``);
    for (const name of ['AES-256-GCM', 'SHA-256', 'ES256', 'RSA', 'scrypt', 'HKDF', 'HMAC'])
      expect(listed).to.include(name);
  });
});
