import { expect } from 'chai';
import { isPlain, isTooLong } from '#rules/valid/length.ts';
import { asLine, normalise, wellFormed } from '#rules/valid/normal.ts';
import { brokenValue, isEmail } from '#rules/valid/value.ts';
import { readImport } from '#rules/valid/import-file.ts';
import { attributesOf, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Attribute } from '#schema/define.ts';
import { NOW } from '../support/records.ts';

/** Every attribute of the schema that has a limit; numbers that can be chosen have no length. */
const LIMITED = typeNames.flatMap((type) =>
  attributesOf(type).flatMap(([name, attribute]) =>
    attribute.limit === null || typeof attribute.choices?.[0] === 'number'
      ? []
      : [[type, name, attribute] as const],
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

  it('of each text of a list, of a choice and of a moment is judged first too [F1]', () => {
    const kinds = new Set(LIMITED.map(([, , { kind }]) => kind));
    expect([...kinds]).to.include.members(['list', 'choice', 'instant']);
    for (const [type, name, attribute] of LIMITED) {
      if (attribute.kind !== 'list') continue;
      const texts = ['Author', 'e\u0301'.repeat(1_000)];
      expect(normalise(type, { [name]: texts }, NOW)[name]).to.equal(texts);
      expect(ruleOf(type, name, attribute, texts), `${type} ${name}`).to.equal('too-long');
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

  it('of a run of dots does not matter to telling an email address [F1]', () => {
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

describe('a long text', () => {
  /** Counts how many texts of that length were searched for marks while `act` ran. */
  const searches = (length: number, act: () => void): number => {
    // The engine asks for this method wherever an expression is tested, once it was replaced.
    const exec = Reflect.get(RegExp.prototype, 'exec');
    let count = 0;
    RegExp.prototype.exec = function (this: RegExp, text: string) {
      if (text.length >= length && this.source.includes('\\p{M}')) count += 1;
      return exec.call(this, text);
    };
    try {
      act();
    } finally {
      RegExp.prototype.exec = exec;
    }
    return count;
  };
  const importData = LIMITED.find(([type]) => type === 'projectImport')?.[2];
  const marked = `a${'\u0301'.repeat(30)}`;

  it('is searched for marks once on its way, however often it is normalised and checked [F1]', () => {
    if (importData === undefined) throw new Error('A file of projects has no field');
    const text = `x${'\u0628\u0650'.repeat(200_000)}`;
    const count = searches(100_000, () => {
      const { importData: stored } = normalise('projectImport', { importData: text }, NOW);
      for (let n = 0; n < 3; n += 1) brokenValue('importData', importData, stored);
    });
    expect(count).to.equal(1);
  });

  it('that is no file of projects any more is not searched at all [F1] [wire 15.2]', () => {
    if (importData === undefined) throw new Error('A file of projects has no field');
    const text = marked.repeat(17_000);
    const count = searches(100_000, () => {
      const { importData: stored } = normalise('projectImport', { importData: text }, NOW);
      expect(brokenValue('importData', importData, stored)).to.deep.equal({
        field: 'importData',
        rule: 'too-long',
        meta: { limit: 524_288 },
      });
    });
    expect(count).to.equal(0);
  });

  it('inside a file of projects is refused before it is searched [F1]', () => {
    const text = marked.repeat(4_000);
    const file = { Projects: [{ Name: text, Language: 'en', Description: text }] };
    let found: unknown;
    const count = searches(100_000, () => {
      found = readImport(JSON.stringify(file)).mistakes.map(({ rule, meta }) => [rule, meta.at]);
    });
    expect(found).to.deep.equal([
      ['too-long', '/Projects/0/Name'],
      ['too-long', '/Projects/0/Description'],
    ]);
    expect(count).to.equal(0);
  });

  it('in a list counts with the others: 500 members are the most [F1]', () => {
    const names = { limit: 250 };
    expect(isTooLong(names, Array<string>(500).fill('Author'))).to.equal(false);
    expect(isTooLong(names, Array<string>(501).fill('Author'))).to.equal(true);
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

  it('may have 30 marks on each letter, however many letters there are', () => {
    const letters = `a${'\u0301'.repeat(30)}`.repeat(1_000);
    expect(isPlain(letters)).to.equal(true);
    expect(isPlain(`${letters}\u0301`)).to.equal(false);
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
