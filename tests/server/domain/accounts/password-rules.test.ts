import { expect } from 'chai';
import { mistakeOfPassword } from '#server/domain/accounts/password-rules.ts';
import { hashPassword, isPassword } from '#server/domain/accounts/password.ts';

describe('[F15] [wire 2] a password that somebody wants', () => {
  const refused = (password: string, email = 'Ana.Hill@Lake.test') =>
    mistakeOfPassword(password, email, null);

  it('has 8 to 200 characters', () => {
    expect(refused('short 7')).to.equal('identity.error.passwordShort');
    expect(refused('😀'.repeat(7))).to.equal('identity.error.passwordShort');
    expect(refused('a long one')).to.equal(null);
    expect(refused('long '.repeat(40))).to.equal(null);
    expect(refused(`${'long '.repeat(40)}r`)).to.equal('identity.error.passwordLong');
  });

  it('is measured before it is composed, which takes long for a long one [F1]', async () => {
    const marks = 'e\u0301\u0323'.repeat(5_000);
    const normalize = Reflect.get(String.prototype, 'normalize');
    const composed: number[] = [];
    String.prototype.normalize = function (this: string, form?: string) {
      composed.push(this.length);
      return normalize.call(this, form);
    };
    try {
      expect(refused(marks)).to.equal('identity.error.passwordLong');
      expect(refused('e\u0301'.repeat(8))).to.equal('identity.error.passwordCommon');
      expect(refused('e\u0301\u0323 a '.repeat(40))).to.equal(null);
      const hash = await hashPassword('', (bytes) => bytes);
      expect(await isPassword('', hash)).to.equal(true);
      expect(await isPassword(marks, hash)).to.equal(false);
    } finally {
      String.prototype.normalize = normalize;
    }
    expect(composed.filter((length) => length > 800)).to.deep.equal([]);
  });

  for (const common of ['password', 'PassWord', '12345678', 'Michelle', 'qwerty123', '        '])
    it(`is none of the commonest: not "${common}"`, () => {
      expect(refused(common)).to.equal('identity.error.passwordCommon');
    });

  for (const own of ['ana.hill@lake.test', 'ANA.HILL@LAKE.TEST', 'Ana.Hill', 'ana.hill!1'])
    it(`is not the address or its name: not "${own}"`, () => {
      expect(refused(own)).to.equal('identity.error.passwordOwn');
    });

  for (const product of ['Slipway2026', '!!slipway'])
    it(`is not the name of the product: not "${product}"`, () => {
      expect(refused(product)).to.equal('identity.error.passwordOwn');
    });

  for (const good of ['correct horse', 'slipway-demo', '29471038', 'nn 8392 0174'])
    it(`may be "${good}"`, () => {
      expect(refused(good, 'nn@lake.test')).to.equal(null);
    });
});
