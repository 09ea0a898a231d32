import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, resourceOf, toOnesOf, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Verb, WritePhase } from '#schema/define.ts';

/** When a person may set a field of `type`; blank: never. */
function whenSet(type: TypeName, write: WritePhase): string {
  const { verbs } = resourceOf(type);
  const isSet = (verb: Verb & WritePhase) =>
    verbs.includes(verb) && (write === 'always' || write === verb);
  return [isSet('create') ? 'created' : '', isSet('update') ? 'changed' : '']
    .filter((when) => when !== '')
    .join(', ');
}

/** What `docs/input.md` says of the fields of `type` that a person may set, one line each. */
function linesOf(type: TypeName): readonly string[] {
  const fields = [
    ...attributesOf(type).map(([name, field]) => {
      const { kind, choices, limit } = field;
      const what = choices?.map((choice) => `\`${choice}\``).join(' ') ?? kind;
      return { name, field, what, most: choices === null ? (limit ?? '') : '' };
    }),
    ...toOnesOf(type).map(([name, field]) => {
      return { name, field, what: `one of the ${wireTypeOf(field.to)}`, most: '' };
    }),
  ];
  return fields.flatMap(({ name, field: { write, mustHave }, what, most }) => {
    const when = whenSet(type, write);
    const needed = mustHave ? 'yes' : '';
    return when === ''
      ? []
      : [`| ${wireFieldOf(type, name)} | ${what} | ${most} | ${needed} | ${when} |`];
  });
}

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
      .map((type) => [wireTypeOf(type), linesOf(type).map(plain)])
      .filter(([, lines]) => lines?.length !== 0);
    expect(found).to.deep.equal(expected);
  });
});
