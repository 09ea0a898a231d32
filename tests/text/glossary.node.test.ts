import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import english from '#text/en-US.json' with { type: 'json' };
import french from '#text/fr-FR.json' with { type: 'json' };
import spanish from '#text/es-419.json' with { type: 'json' };

type Texts = Readonly<Record<string, string>>;

const languages: Readonly<Record<string, Texts>> = {
  'en-US': english,
  'es-419': spanish,
  'fr-FR': french,
};

/** Returns the rows of the table of `docs/glossary.md` whose first column is called `first`. */
function tableOf(first: string): string[][] {
  const lines = readFileSync('docs/glossary.md', 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${first} `));
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Returns the keys of the texts in which `word` stands, in whatever case, as whole words. */
function keysWith(texts: Texts, word: string): string[] {
  const pattern = new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'iu');
  return Object.entries(texts).flatMap(([key, text]) => (pattern.test(text) ? [key] : []));
}

describe('the glossary of what people read', () => {
  const words = tableOf('English');
  const avoided = tableOf('Language');

  it('has a word for each thing in each language, and the texts use it', () => {
    expect(words.length).to.be.above(15);
    for (const row of words)
      for (const [n, texts] of Object.values(languages).entries()) {
        const word = row[n] ?? '';
        expect(word).to.not.equal('');
        const uses = Object.values(texts).filter((text) => text.toLowerCase().includes(word));
        expect(uses, word).to.not.deep.equal([]);
      }
  });

  it('names words to avoid, and no text has one', () => {
    expect(avoided.length).to.be.above(15);
    expect(Object.keys(languages)).to.include.members(avoided.map(([language = '']) => language));
    const found = avoided.flatMap(([language = '', word = '']) =>
      keysWith(languages[language] ?? {}, word).map((key) => `${language} ${key}: ${word}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('finds a word whatever its case, and no part of one', () => {
    const texts = { a: 'Somebody came', b: 'somebodyish', c: 'nobody' };
    expect(keysWith(texts, 'somebody')).to.deep.equal(['a']);
  });
});
