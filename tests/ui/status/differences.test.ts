import { expect } from 'chai';
import fc from 'fast-check';
import { differencesOf, isMuchInCommon, shareInCommon } from '#ui/status/differences.tsx';

const join = (before: string, after: string, without: 'added' | 'gone'): string =>
  differencesOf(before, after, 'en-US')
    .filter(({ is }) => is !== without)
    .map(({ text }) => text)
    .join('');

describe('differences of two texts', () => {
  it('are whole words, with what stayed between them', () => {
    expect(differencesOf('the red house', 'the blue house', 'en-US')).to.deep.equal([
      { is: 'same', text: 'the ' },
      { is: 'gone', text: 'red' },
      { is: 'added', text: 'blue' },
      { is: 'same', text: ' house' },
    ]);
  });

  it('are none between equal texts', () => {
    expect(differencesOf('the same', 'the same', 'en-US')).to.deep.equal([
      { is: 'same', text: 'the same' },
    ]);
  });

  it('find words where no spaces stand between them', () => {
    const changed = differencesOf('ฉันรักแมว', 'ฉันรักหมา', 'th').filter(({ is }) => is !== 'same');
    expect(changed.map(({ text }) => text)).to.deep.equal(['แมว', 'หมา']);
  });

  it('give both texts back, whatever they are', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ' ', '\n', 'é'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(join(before, after, 'added')).to.equal(before);
        expect(join(before, after, 'gone')).to.equal(after);
      }),
    );
  });

  it('of very long texts are all that lies between, without ado', () => {
    const long = (word: string) =>
      Array.from({ length: 4_000 }, (_, i) => word + String(i)).join(' ');
    const found = differencesOf(`Begin ${long('a')} end`, `Begin ${long('b')} end`, 'en-US');
    expect(found.map(({ is }) => is)).to.deep.equal(['same', 'gone', 'added', 'same']);
  });
});

describe('what two texts have in common', () => {
  const share = (before: string, after: string) => shareInCommon(before, after, 'en-US');

  it('is all of equal texts, and nothing of texts without a word of each other', () => {
    expect(share('the red house', 'the red house')).to.equal(1);
    expect(share('the red house', 'a blue boat')).to.equal(0);
    expect(share('', '')).to.equal(1);
    expect(share('', 'a blue boat')).to.equal(0);
  });

  it('is counted in words of both, without spaces and stops', () => {
    // Two of three words stay, on either side.
    expect(share('the red house.', 'the blue house!')).to.be.closeTo(2 / 3, 1e-9);
    // Three words of three and of nine.
    const longer = 'the red house, which my brother built by hand';
    expect(share('the red house', longer)).to.be.closeTo(6 / 12, 1e-9);
  });

  it('counts words of languages that put no spaces between them', () => {
    expect(shareInCommon('ฉันรักแมว', 'ฉันรักหมา', 'th')).to.be.closeTo(2 / 3, 1e-9);
  });

  it('is enough to mark single words where much stayed, and too little where texts share only small words', () => {
    const was = 'Field recordings of the birds that sing at dawn, made in the valley in spring.';
    const edited =
      'Field recordings of all the birds that sing at dawn, made in the valley in May.';
    const other = 'Changed on the bus: what one heard at noon of a market in the city.';
    expect(isMuchInCommon(was, edited, 'en-US')).to.equal(true);
    expect(isMuchInCommon(was, other, 'en-US')).to.equal(false);
  });
});
