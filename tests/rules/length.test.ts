import { expect } from 'chai';
import { isPlain, isTooLong } from '#rules/valid/length.ts';
import { asLine, normalise, wellFormed } from '#rules/valid/normal.ts';
import { brokenValue, isEmail } from '#rules/valid/value.ts';
import { readImport } from '#rules/valid/import-file.ts';
import { attributesOf, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Attribute } from '#schema/define.ts';
import { NOW } from '../support/records.ts';

/** Every attribute of the schema that has a limit. */
const LIMITED = typeNames.flatMap((type) =>
  attributesOf(type).flatMap(([name, attribute]) =>
    attribute.limit === null ? [] : [[type, name, attribute] as const],
  ),
);

const ruleOf = (type: TypeName, name: string, attribute: Attribute, value: unknown) =>
  brokenValue(name, attribute, normalise(type, { [name]: value }, NOW)[name])?.rule ?? null;

describe('the length of a text', () => {
  it('is judged before anything else looks at the text, in every field of the schema [F1] [wire 15.2]', () => {
    for (const [type, name, attribute] of LIMITED) {
      const limit = attribute.limit ?? 0;
      const text = ` ${'e\u0301 \n'.repeat(limit)}`;
      expect(normalise(type, { [name]: text }, NOW)[name], `${type} ${name}`).to.equal(text);
      expect(brokenValue(name, attribute, text), `${type} ${name}`).to.deep.equal({
        field: name,
        rule: 'too-long',
        meta: { limit },
      });
    }
  });

  it('counts what is stored: a name of decomposed letters may have as many as one of composed ones', () => {
    const [, , name] =
      LIMITED.find(([type, field]) => type === 'project' && field === 'name') ?? [];
    if (name === undefined) throw new Error('A project has no name');

    expect(ruleOf('project', 'name', name, 'e\u0301'.repeat(250))).to.equal(null);
    expect(ruleOf('project', 'name', name, 'e\u0301'.repeat(251))).to.equal('too-long');
    expect(isTooLong(name, 'a'.repeat(1_000))).to.equal(false);
    expect(isTooLong(name, 'a'.repeat(1_001))).to.equal(true);
  });

  it('of a run of spaces inside a line does not matter to making it one line [F1]', () => {
    expect(asLine(`a${' '.repeat(1_000_000)}b`)).to.have.length(1_000_002);
    expect(asLine(` a \t\n\r\n  b\u2028c `)).to.equal('a b c');
  });

  it('of a run of dots does not matter to telling an e-mail address [F1]', () => {
    expect(isEmail(`a@${'.'.repeat(1_000_000)}@`)).to.equal(false);
    const addresses = ['a@b.c', 'a@b..c', 'a.b@c.d', 'a@.b.c', 'ä@ö.ü'];
    const others = [
      '',
      '@',
      'a@b',
      'a@.b',
      'a@b.',
      'a@b@c.d',
      'a b@c.d',
      'a@b.c d',
      '@b.c',
      'a@..',
    ];
    expect(addresses.filter((text) => !isEmail(text))).to.deep.equal([]);
    expect(others.filter((text) => isEmail(text))).to.deep.equal([]);
  });
});

describe('text that cannot be stored as it is', () => {
  const odd = {
    'U+0000': 'a\0b',
    'the first half of a character': 'a\ud83d',
    'the second half of a character': '\ude00a',
    'more than 30 marks on one letter': `e${'\u0301\u0323'.repeat(16)}`,
  };

  for (const [what, text] of Object.entries(odd))
    it(`is refused and never changed in silence: ${what} [issue 14-10]`, () => {
      expect(isPlain(text)).to.equal(false);
      expect(wellFormed(text)).to.equal(text);
      for (const [type, name, attribute] of LIMITED)
        if ((attribute.limit ?? 0) >= text.length && attribute.choices === null)
          expect(ruleOf(type, name, attribute, text), `${type} ${name}`).to.equal('type');
      expect(
        attributesOf('organizationMembershipInvite').flatMap(([name, attribute]) =>
          name === 'roleNames'
            ? [ruleOf('organizationMembershipInvite', name, attribute, [text])]
            : [],
        ),
      ).to.deep.equal(['type']);
    });

  it('is refused inside a file of projects too, with its place [issue 14-10]', () => {
    const file = { Projects: [{ Name: 'a\0b', Language: 'en', 'Odd\0key': 1 }] };
    const { mistakes, file: read } = readImport(JSON.stringify(file));

    expect(mistakes.map(({ rule, meta }) => [rule, meta.at])).to.deep.equal([
      ['type', '/Projects/0/Name'],
    ]);
    expect(read.unknown).to.deep.equal(['/Projects/0/…']);
  });

  it('is none that people write: emoji, many marks on a letter, right to left, tabs and breaks', () => {
    const texts = ['😀 👩‍👩‍👧', 'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤', 'سلام', 'a\tb\nc', '\ufeffa', 'ཀྵྨྱྂ', ''];
    expect(texts.filter((text) => !isPlain(text))).to.deep.equal([]);
  });
});
