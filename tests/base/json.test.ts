import { expect } from 'chai';
import { parseJson } from '#base/json.ts';

const nested = (deep: number): string => '['.repeat(deep) + ']'.repeat(deep);

describe('reading JSON that somebody else wrote', () => {
  it('takes objects and lists 50 deep in each other, and no deeper [F17]', () => {
    expect(parseJson(nested(50))).to.be.an('array');
    expect(() => parseJson(nested(51))).to.throw(SyntaxError);
    expect(() => parseJson(`{"a":${nested(50)}}`)).to.throw(SyntaxError);
    expect(() => parseJson(nested(400_000))).to.throw(SyntaxError);
  });

  it('counts what is inside of each other, not how much there is', () => {
    const wide = Array.from({ length: 1_000 }, () => ({ a: [{}] }));
    expect(parseJson(JSON.stringify(wide))).to.deep.equal(wide);
    expect(parseJson('"[[[["')).to.equal('[[[[');
  });
});
