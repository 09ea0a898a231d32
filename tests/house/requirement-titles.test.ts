import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { requirementSections } from '../tools/coverage.ts';
import { hasRealServer, showingTestsIn, testFiles } from '../tools/requirement-titles.ts';

describe('ids of requirements in titles of tests', () => {
  it('are those of requirements that there are, and stand where they are found', () => {
    const all = requirementSections().flatMap(({ requirements }) => requirements);
    const known = new Set(all.map(({ id }) => id));
    const lost = testFiles().flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const found = showingTestsIn(file, text, false).map(({ requirement }) => requirement);
      return [...text.matchAll(/\[[^\]\n]*\bR\d+[^\]\n]*\]/g)]
        .flatMap(([tag]) => [...tag.matchAll(/\bR(\d+)/g)].map(([, id]) => Number(id)))
        .filter((id) => !known.has(id) || !found.includes(id))
        .map((id) => `${file}: R${id}`);
    });
    expect(lost).to.deep.equal([]);
  });

  it('are found at the end of a title, beside other tags, and on what is around it', () => {
    const id = (number: number): string => `R${number}`;
    const text = `describe('tasks [${id(56)}]', () => {
      it('wait [fault 4] [${id(60)}, ${id(62)}]', () => {});
      for (const way of ways) it(\`go by \${way} [${id(56)}]\`, () => {});
      it('say [${id(61)}] nothing', () => {});
    });
    test.describe('lists', () => test('load [${id(66)}]', () => /a/.test('b [${id(67)}]')));
    it('shows none', () => {});`;
    const found = showingTestsIn('a.test.ts', text, false);
    expect(found.map(({ requirement, titles }) => [requirement, titles.at(-1)])).to.deep.equal([
      [56, `wait [fault 4] [${id(60)}, ${id(62)}]`],
      [60, `wait [fault 4] [${id(60)}, ${id(62)}]`],
      [62, `wait [fault 4] [${id(60)}, ${id(62)}]`],
      [56, `go by … [${id(56)}]`],
      [56, `say [${id(61)}] nothing`],
      [66, `load [${id(66)}]`],
    ]);
  });

  it('tell by the imports of the file whether a real server is behind a test', () => {
    expect(hasRealServer('tests/end-to-end/layout.spec.ts')).to.equal(true);
    expect(hasRealServer('tests/server/consent.test.ts')).to.equal(true);
    expect(hasRealServer('tests/server/domain/workflow/machines.test.ts')).to.equal(false);
    expect(hasRealServer('tests/screens/tasks/tasks.browser.test.tsx')).to.equal(false);
  });
});
