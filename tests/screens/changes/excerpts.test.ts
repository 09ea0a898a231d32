import { expect } from 'chai';
import fc from 'fast-check';
import { excerptOf, excerptsOf } from '#screens/changes/excerpts.ts';

const LONG = 'Field recordings of the birds that sing at dawn, made in the valley in spring.';

describe('an excerpt of a text [screens 3.5]', () => {
  it('is the whole of a short text, in one line', () => {
    expect(excerptOf('Songs\n of  the field.', 40)).to.equal('Songs of the field.');
  });

  it('ends where the room ends, and says that there is more', () => {
    expect(excerptOf(LONG, 16)).to.equal('Field recordings…');
  });

  it('cuts through no character that is made of several signs', () => {
    const family = '👨‍👩‍👧';
    expect(excerptOf(family.repeat(4), 2)).to.equal(`${family}${family}…`);
    expect(excerptOf('é'.normalize('NFD').repeat(3), 2)).to.equal(
      `${'é'.normalize('NFD').repeat(2)}…`,
    );
  });

  it('begins, of two versions, shortly before they differ', () => {
    const later = LONG.replace('spring', 'autumn');
    expect(excerptsOf(LONG, later, 40)).to.deep.equal([
      '…the valley in spring.',
      '…the valley in autumn.',
    ]);
  });

  it('begins at the beginning where two versions differ there, or are short', () => {
    expect(excerptsOf('Songs of the field.', 'Songs of the lake.', 40)).to.deep.equal([
      'Songs of the field.',
      'Songs of the lake.',
    ]);
    expect(excerptsOf(LONG, `Old f${LONG.slice(1)}`, 16)).to.deep.equal([
      'Field recordings…',
      'Old field record…',
    ]);
  });

  it('shows the difference also in a text without spaces', () => {
    const [was, is] = excerptsOf('ก'.repeat(100), `${'ก'.repeat(90)}ข${'ก'.repeat(9)}`, 40);
    expect(was).not.to.equal(is);
    expect(is).to.include('ข');
  });

  it('never shows two different texts as the same', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n'), { maxLength: 120 });
    const oneLine = (all: readonly string[]) => all.join('').trim().replace(/\s+/g, ' ');
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(oneLine(before) !== oneLine(after));
        const [was, is] = excerptsOf(before.join(''), after.join(''), 40);
        expect(was).not.to.equal(is);
      }),
    );
  });
});
