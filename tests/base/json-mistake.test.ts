import { expect } from 'chai';
import fc from 'fast-check';
import { jsonMistakeIn, placeIn } from '#base/json-mistake.ts';

describe('a mistake in JSON', () => {
  it('is where the text stops being JSON', () => {
    const mistakes: readonly [text: string, at: number][] = [
      ['', 0],
      ['{', 1],
      ['{"a": 1,}', 8],
      ['{"a" 1}', 5],
      ['[1 2]', 3],
      ['{"a": small}', 6],
      ['["open]', 1],
      ['{} {}', 3],
      ['[1, ]', 4],
      ["{'a': 1}", 1],
    ];
    for (const [text, at] of mistakes) expect(jsonMistakeIn(text), text).to.equal(at);
  });

  it('is in no JSON, however it is written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, spaces) => {
        expect(jsonMistakeIn(JSON.stringify(value, null, spaces))).to.equal(null);
      }),
    );
  });

  it('is found wherever the browser finds one', () => {
    const isJson = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const signs = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"a"', '"\\u00e9"', '"\\x"', '"\n"', '"\u007f"'],
      ...['1', '-', '01', '1.5', '1.', '2E+9', 'true', 'null', 'nul', ' ', '\n', '\u00a0'],
    );
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(jsonMistakeIn(text) === null, text).to.equal(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is told by line and column, of characters as people count them', () => {
    expect(placeIn('{', 0)).to.deep.equal({ line: 1, column: 1 });
    expect(placeIn('{\n  "😀": x', 10)).to.deep.equal({ line: 2, column: 8 });
  });
});
