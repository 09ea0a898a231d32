import { expect } from 'chai';
import fc from 'fast-check';
import { differencesOf } from '#ui/status/differences.tsx';

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
