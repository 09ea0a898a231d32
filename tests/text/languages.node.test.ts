import { expect } from 'chai';
import { problems, rules } from '#protocol/problem.ts';
import english from '#text/en-US.json' with { type: 'json' };
import spanish from '#text/es-419.json' with { type: 'json' };
import french from '#text/fr-FR.json' with { type: 'json' };

const languages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'en-US': english,
  'es-419': spanish,
  'fr-FR': french,
};
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(String).sort();

describe('the texts', () => {
  for (const [language, texts] of Object.entries(languages)) {
    it(`have every key in ${language}, and no other [R18, R410]`, () => {
      expect(Object.keys(texts)).to.deep.equal(Object.keys(english));
    });

    it(`have the same placeholders in ${language} as in English`, () => {
      for (const [key, text] of Object.entries(texts))
        expect(placeholders(text), key).to.deep.equal(
          placeholders((english as Readonly<Record<string, string>>)[key] ?? ''),
        );
    });

    it(`say something for every key in ${language} [R18]`, () => {
      const blank = Object.entries(texts).filter(([, text]) => text.trim() === '');
      expect(blank).to.deep.equal([]);
    });

    it(`say why for every Problem and every rule in ${language}`, () => {
      const wanted = [
        ...Object.keys(problems).map((code) => `problems.${code}`),
        ...rules.map((rule) => `rules.${rule}`),
      ];
      expect(wanted.filter((key) => texts[key] === undefined)).to.deep.equal([]);
    });
  }

  it('are listed in one order', () => {
    const keys = Object.keys(english);
    expect(keys).to.deep.equal([...keys].sort());
  });
});
