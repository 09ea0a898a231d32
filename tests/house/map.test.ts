import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';

const readme = readFileSync('README.md', 'utf8');

/** The modules that the table of a README names. */
function modulesIn(path: string): string[] {
  const rows = readFileSync(path, 'utf8').matchAll(/^\| `([a-z/]+)`\s+\|/gm);
  return [...rows].map(([, module = '']) => module).sort();
}

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

describe("the README's map", () => {
  it('names every folder of src, and no other', () => {
    expect(modulesIn('README.md')).to.deep.equal(foldersIn('src'));
  });

  for (const area of ['data', 'screens', 'server'])
    it(`of src/${area} names every module in its README, and no other`, () => {
      const named = modulesIn(`src/${area}/README.md`);
      expect(named.filter((module) => !module.includes('/'))).to.deep.equal(
        foldersIn(`src/${area}`),
      );
      for (const module of named)
        expect(existsSync(`src/${area}/${module}`), module).to.equal(true);
    });

  it('leaves the README at 120 lines or fewer', () => {
    expect(readme.split('\n').length).to.be.at.most(120);
  });
});
