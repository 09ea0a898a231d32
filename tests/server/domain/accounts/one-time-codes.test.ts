import { expect } from 'chai';
import {
  addressOfSecret,
  inBase32,
  newSecret,
  stepOfCode,
} from '#server/domain/accounts/one-time-codes.ts';
import { oneTimeCode } from '../../../support/one-time-code.ts';

/** The secret and the last six digits of RFC 6238, appendix B, by the seconds since 1970. */
const SECRET = inBase32(Buffer.from('12345678901234567890'));
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('[wire 2.5] a one-time code', () => {
  it('is that of RFC 6238', () => {
    for (const [seconds, code] of VECTORS) {
      expect(stepOfCode(SECRET, code, seconds * 1_000)).to.equal(Math.floor(seconds / 30));
      expect(oneTimeCode(SECRET, seconds * 1_000), 'the one of the tests').to.equal(code);
    }
  });

  it('names the half minute whose code it is, up to one before and after', () => {
    const [, code] = VECTORS[3];
    const step = Math.floor(VECTORS[3][0] / 30);
    const at = (steps: number) => stepOfCode(SECRET, code, (step + steps) * 30_000);
    expect([-2, -1, 0, 1, 2].map(at)).to.deep.equal([null, step, step, step, null]);
  });

  it('is none of another secret, nor what is no code', () => {
    const secret = newSecret((bytes) => bytes.fill(7));
    expect(stepOfCode(secret, VECTORS[0][1], 59_000)).to.equal(null);
    for (const text of ['', '1', '28708', '2870822', '28708x'])
      expect(stepOfCode(SECRET, text, 59_000), text).to.equal(null);
  });

  it('has a secret of 160 random bits, in an address that apps read', () => {
    const secret = newSecret((bytes) => bytes.map((_, i) => i));
    expect(secret).to.equal('AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT');
    const address = new URL(addressOfSecret(secret, 'ana@here.test'));
    expect(address.protocol + address.host + address.pathname).to.equal(
      'otpauth:totp/Slipway:ana%40here.test',
    );
    expect(Object.fromEntries(address.searchParams)).to.deep.equal({
      issuer: 'Slipway',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
