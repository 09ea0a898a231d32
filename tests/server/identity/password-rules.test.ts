import { expect } from 'chai';
import { mistakeOfPassword } from '#server/identity/password-rules.ts';

describe('[F15] [wire 2] a password that somebody wants', () => {
  const refused = (password: string, email = 'Ana.Hill@Lake.test') =>
    mistakeOfPassword(password, email);

  it('has 8 to 200 characters', () => {
    expect(refused('short 7')).to.equal('identity.error.passwordShort');
    expect(refused('😀'.repeat(7))).to.equal('identity.error.passwordShort');
    expect(refused('a long one')).to.equal(null);
    expect(refused('long '.repeat(40))).to.equal(null);
    expect(refused(`${'long '.repeat(40)}r`)).to.equal('identity.error.passwordLong');
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
