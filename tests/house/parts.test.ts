import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

/** Covers `tests/parts/parts-page.tsx`, which `npm run parts` shows. */

const CONTEXT_OR_AROUND_ALL = /Context$|^Speech$/;

describe('the page of all parts', () => {
  it('shows every component of src/ui', () => {
    const files = readdirSync('src/ui', { recursive: true, encoding: 'utf8' });
    const components = files
      .filter((path) => path.endsWith('.tsx'))
      .flatMap((path) => [
        ...readFileSync(`src/ui/${path}`, 'utf8').matchAll(
          /^export (?:function|const) ([A-Z]\w*[a-z]\w*)/gm,
        ),
      ])
      .map(([, name = '']) => name)
      .filter((name) => !CONTEXT_OR_AROUND_ALL.test(name));
    const page = readFileSync('tests/parts/parts-page.tsx', 'utf8');
    const shown = [...page.matchAll(/^ {2}([A-Z]\w+): \(\) =>/gm)].map(([, name]) => name);

    expect(shown.sort()).to.deep.equal(components.sort());
  });
});
