import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { coverageText, notShown, requirementSections } from '../tools/coverage.ts';
import type { Note } from '../tools/notes.ts';

/** That each test named there also ran and passed is looked at when all have: `npm test`. */
describe('docs/coverage.md', () => {
  it('is what the titles of the tests say', () => {
    const isFresh = readFileSync('docs/coverage.md', 'utf8') === coverageText();
    expect(isFresh, 'It is stale: npm run coverage writes it').to.equal(true);
  });

  it('has a row for each requirement, in their order', () => {
    const ids = requirementSections().flatMap(({ requirements }) => requirements);
    const text = readFileSync('docs/spec/requirements.md', 'utf8');
    const wanted = [...text.matchAll(/\*\*R(\d+)\*\*/g)].map(([, id]) => Number(id));
    expect(ids.map(({ id }) => id)).to.deep.equal(wanted);
  });

  it('is not borne out by a test that did not run, did not pass each time, or is another one', () => {
    const file = 'tests/a.test.ts';
    const test = { requirement: 57, file, titles: ['tasks', 'show …, once'], hasRealServer: false };
    const ended = (...notes: readonly Partial<Note>[]) =>
      notShown(
        [test],
        notes.map((note) => ({ file, titles: ['tasks', 'show a, once'], failure: null, ...note })),
      );
    expect(ended({})).to.deep.equal([]);
    expect(ended()).to.deep.equal([test]);
    expect(ended({}, { failure: 'It is red' })).to.deep.equal([test]);
    expect(ended({ file: 'tests/b.test.ts' })).to.deep.equal([test]);
    expect(ended({ titles: ['lists', 'show a, once'] })).to.deep.equal([test]);
    expect(ended({ titles: ['tasks', 'show a, twice'] })).to.deep.equal([test]);
    expect(ended({ titles: ['show a, once'] })).to.deep.equal([test]);
  });
});
