import { expect } from 'chai';
import { acceptedLanguagesIn, languageOf } from '#text/say.ts';

describe('the languages that a browser asks for', () => {
  it('are told in the order of how well they are liked', () => {
    const accepted = 'de;q=0.2, FR-ca, es;q=0.5, en;q=0';
    expect(acceptedLanguagesIn(accepted)).to.deep.equal(['fr-ca', 'es', 'de']);
    expect(languageOf(accepted)).to.equal('fr-FR');
    expect(languageOf(undefined)).to.equal('en-US');
  });

  it('are the first 50 of a header: no browser has more, and each costs a look at all that an app has', () => {
    const many = Array.from({ length: 8_000 }, (_, i) => `x${String(i)}`);
    expect(acceptedLanguagesIn(many.join(','))).to.deep.equal(many.slice(0, 50));
  });
});
