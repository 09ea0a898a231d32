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

const FORM = /_(zero|one|two|few|many|other)$/;
/** The form of a number that a counted text is for; null: it counts nothing. */
const formOf = (key: string): string | null => FORM.exec(key)?.[1] ?? null;
const withoutForm = (key: string): string => key.replace(FORM, '');

describe('the texts', () => {
  for (const [language, texts] of Object.entries(languages)) {
    it(`have every key in ${language}, and no other [R18, R410]`, () => {
      const keys = (of: object) => [...new Set(Object.keys(of).map(withoutForm))];
      expect(keys(texts)).to.deep.equal(keys(english));
    });

    it(`have each form of a number that ${language} has, and no other [R18]`, () => {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const wanted = Object.keys(english).flatMap((key) =>
        key.endsWith('_other') ? forms.map((form) => `${withoutForm(key)}_${form}`) : [],
      );
      const there = Object.keys(texts).filter((key) => withoutForm(key) !== key);
      expect(there.sort()).to.deep.equal(wanted.sort());
    });

    it(`say the number itself in each form of ${language} that stands for several numbers`, () => {
      const rules = new Intl.PluralRules(language);
      const mute = Object.entries(texts).filter(([key, text]) => {
        const form = formOf(key);
        if (form === null || text.includes('{{count}}')) return false;
        const numbers = [0, 1, 2, 3, 1_000_000].filter((n) => rules.select(n) === form);
        const isSaid = (texts[`${withoutForm(key)}_other`] ?? '').includes('{{count}}');
        return isSaid && numbers.length > 1;
      });
      // Of none there is no import, so French says here of one alone what it would say of none.
      expect(mute.map(([key]) => key)).to.deep.equal(
        language === 'fr-FR' ? ['projectImport.products_one'] : [],
      );
    });

    it(`have the same placeholders in ${language} as in English`, () => {
      const all: Readonly<Record<string, string>> = english;
      for (const [key, text] of Object.entries(texts)) {
        const there = all[key] ?? all[`${withoutForm(key)}_other`] ?? '';
        expect(placeholders(text), key).to.deep.equal(placeholders(there));
      }
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

  for (const [language, texts] of Object.entries(languages))
    it(`name the button of the mail to reviewers in a line of its own in ${language}`, () => {
      const button = texts['commands.email-reviewers'] ?? '';
      const lines = Object.entries(texts)
        .filter(([key]) => /^forms\..*\.instructions$/.test(key))
        .flatMap(([, text]) => text.split('\n'))
        .filter((line) => line.includes(button));
      // Where nobody reviews the line is left out, and nothing else may go with it.
      expect(lines.length).to.equal(4);
      for (const line of lines) expect(line).to.match(/^\d\. [^.]*\.$/);
    });

  it('count nothing where the server says them: it puts numbers in, and chooses no form', () => {
    const ofServer = /^(identity|mail|notifications|downloads|help|site)\./;
    const counted = Object.keys(english).filter(
      (key) => ofServer.test(key) && formOf(key) !== null,
    );
    expect(counted).to.deep.equal([]);
  });

  it('are listed in one order', () => {
    const keys = Object.keys(english);
    expect(keys).to.deep.equal([...keys].sort());
  });
});
