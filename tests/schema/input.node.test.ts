import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { wireTypeOf } from '#protocol/names.ts';
import { typeNames } from '#schema/index.ts';
import { inputRowsOf } from '../support/input-rows.ts';

/** A row of a table without the blanks that only align it. */
const plain = (row: string): string => row.replace(/\s+/g, ' ').trim();

describe('docs/input.md', () => {
  it('lists every field that a person may set, with its kind, its length and when it is set', () => {
    const documented = readFileSync('docs/input.md', 'utf8').split(/^### /m).slice(1);
    const found = documented.map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const rows = lines.map(plain);
      return [heading, rows.filter((line) => /^\| (?!-|Field )/.test(line))];
    });
    const expected = typeNames
      .map((type) => [wireTypeOf(type), inputRowsOf(type).map(plain)])
      .filter(([, lines]) => lines?.length !== 0);
    expect(found).to.deep.equal(expected);
  });
});
