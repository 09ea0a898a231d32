import { randomFillSync, scryptSync } from 'node:crypto';
import { expect } from 'chai';
import { hashPassword, isPassword } from '#server/domain/accounts/password.ts';

const random = (bytes: Uint8Array) => randomFillSync(bytes);

/** Returns a hash as it would be with these costs; `how` is its beginning, which names them. */
function hashOf(password: string, how: string, cost: { N: number; r: number; p: number }): string {
  const salt = Buffer.alloc(16, 7);
  const key = scryptSync(password, salt, 32, { ...cost, maxmem: 2 ** 30 });
  return `${how}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

describe('what is stored of a password', () => {
  it('is made by scrypt with a salt of its own, at costs of at least N 2¹⁴, r 8, p 5', async () => {
    const stored = await hashPassword('correct horse', random);
    expect(stored).not.to.include('correct horse');
    const [how = '', salt = '', key = ''] = stored.split('$');
    const [name, N = 0, r = 0, p = 0] = how.split(',').map((part) => Number(part) || part);
    expect(name).to.equal('scrypt');
    expect(N).to.be.at.least(16_384);
    expect(r).to.be.at.least(8);
    expect(p).to.be.at.least(5);
    expect(Buffer.from(salt, 'base64url')).to.have.lengthOf(16);
    const cost = { N: Number(N), r: Number(r), p: Number(p) };
    const made = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, cost);
    expect(key).to.equal(made.toString('base64url'));
    expect(await hashPassword('correct horse', random)).not.to.equal(stored);
  });

  it('opens at the costs that it names, whatever those of new ones are', async () => {
    const dearer = hashOf('correct horse', 'scrypt,32768,8,2', { N: 32_768, r: 8, p: 2 });
    expect(await isPassword('correct horse', dearer)).to.equal(true);
    expect(await isPassword('wrong horse', dearer)).to.equal(false);
  });

  it('opens when it is from before costs were named', async () => {
    const old = hashOf('correct horse', 'scrypt', { N: 16_384, r: 8, p: 5 });
    expect(await isPassword('correct horse', old)).to.equal(true);
    expect(await isPassword('wrong horse', old)).to.equal(false);
  });

  it('opens to nobody when it is damaged', async () => {
    for (const damaged of ['', 'scrypt', 'scrypt$$', 'scrypt,16384,8,5$AAAA$', '$$$'])
      expect(await isPassword('correct horse', damaged), damaged).to.equal(false);
  });
});
