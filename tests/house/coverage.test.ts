import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { coverage, notShown, SECTIONS } from '../tools/coverage.ts';

const quoted = (title: string): string[] =>
  ["'", '"', '`'].map((quote) => `${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`);

/** That each test also ran and passed is looked at when all have: `npm test`. */
describe('what the specification says a person can see', () => {
  const rows = coverage();

  it('has rows for each of its sections', () => {
    const sections = new Set(rows.map(({ section }) => section));
    expect([...sections]).to.have.members([...SECTIONS]);
  });

  it('is said once', () => {
    const facts = rows.map(({ section, fact }) => `${section} ${fact}`);
    expect(facts.filter((fact, at) => facts.indexOf(fact) !== at)).to.deep.equal([]);
  });

  it('has a test in each row that is there', () => {
    const missing = rows.filter(({ file, title }) => {
      const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return !quoted(title).some((text) =>
        new RegExp(`\\b(it|test)\\(\\s*${escaped(text)}`).test(source),
      );
    });
    expect(missing).to.deep.equal([]);
  });

  it('is not shown by a test that did not pass', () => {
    const [row] = rows;
    if (row === undefined) throw new Error('There is no row');
    const { title } = row;
    const file = row.file.includes('.browser.') ? null : row.file;
    const ended = (failure: string | null) => notShown([row], [{ file, title, failure }]);
    expect(notShown([row], [])).to.deep.equal([row]);
    expect(ended('It is red')).to.deep.equal([row]);
    expect(ended(null)).to.deep.equal([]);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
