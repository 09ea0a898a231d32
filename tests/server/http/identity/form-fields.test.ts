import { expect } from 'chai';
import { formFieldsIn } from '#server/http/identity/form-fields.ts';

describe('the fields of a form of the sign-in pages', () => {
  it('are those that were sent once', () => {
    expect(formFieldsIn('a=1&b=&a=2&c=%C3%A9+x&d&d&d')).to.deep.equal({ b: '', c: 'é x' });
    expect(formFieldsIn('')).to.deep.equal({});
    expect(Object.entries(formFieldsIn('__proto__=1'))).to.deep.equal([['__proto__', '1']]);
  });

  it('are read at once, however often one is repeated and however many there are', () => {
    const MANY = 200_000;
    expect(formFieldsIn('a&'.repeat(MANY))).to.deep.equal({});
    const all = Array.from({ length: MANY }, (_, i) => `f${String(i)}=1`).join('&');
    expect(Object.keys(formFieldsIn(all))).to.have.length(MANY);
  });
});
