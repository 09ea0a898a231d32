import { expect } from 'chai';
import { compareFolded, fold, isolated, wordsOf } from '#base/unicode.ts';

describe('the fold of a text', () => {
  it('forgets case, accents and the width of letters', () => {
    for (const text of ['Élan', 'ELAN', 'e\u0301lan', 'Ｅｌａｎ'])
      expect(fold(text)).to.equal('elan');
    expect(fold('İzmir')).to.equal('izmir');
    expect(fold('ﬁlm ①')).to.equal('film 1');
  });

  it('keeps what it does not know to be the same: letters of other scripts, symbols, blanks', () => {
    expect(fold('Straße')).to.equal('straße');
    expect(fold('한국어')).to.equal('한국어'.normalize('NFKD'));
    expect(fold(' a  b ')).to.equal(' a  b ');
    expect(fold('%_')).to.equal('%_');
    expect(fold('')).to.equal('');
  });

  it('is its own fold, for every character there is', () => {
    const unstable: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const once = fold(String.fromCodePoint(point));
      if (fold(once) !== once) unstable.push(point.toString(16));
    }
    expect(unstable).to.deep.equal([]);
  });

  it('orders by code point, where JavaScript would order by halves of characters', () => {
    expect(compareFolded('\uFF5E', '😀')).to.be.lessThan(0);
    expect(['😀', '\uFF5E'].sort()).to.deep.equal(['😀', '\uFF5E']);
    expect(compareFolded('a', 'ab')).to.be.lessThan(0);
    expect(compareFolded('ab', 'a')).to.be.greaterThan(0);
    expect(compareFolded('', '')).to.equal(0);
    expect(compareFolded('a', 'a')).to.equal(0);
  });
});

describe('the words of a search', () => {
  it('are folded, stand between blanks of any kind, and count once', () => {
    expect(wordsOf(' Lakeside\u00a0\t\u3000FRANÇAIS lakeside ')).to.deep.equal([
      'lakeside',
      'francais',
    ]);
    expect(wordsOf('%_ a\0b')).to.deep.equal(['%_', 'a', 'b']);
  });

  it('are none where nothing is left of it', () => {
    for (const blank of ['', ' \n', '\u0301', '\0']) expect(wordsOf(blank)).to.deep.equal([]);
  });

  it('are the first ten', () => {
    const words = Array.from({ length: 11 }, (_, i) => `w${String(i)}`);

    expect(wordsOf(['w0', ...words].join(' '))).to.deep.equal(words.slice(0, 10));
  });
});

describe('a name among words of ours', () => {
  it('is isolated where something of it is written from right to left', () => {
    for (const name of ['قصص', 'River קיץ', 'ﷺ'])
      expect(isolated(name)).to.equal(`\u2068${name}\u2069`);
  });

  it('stays as it is otherwise', () => {
    for (const name of ['', 'River (2)', 'Ñandú', '川', '😀'])
      expect(isolated(name)).to.equal(name);
  });
});
