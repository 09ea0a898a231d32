import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { DIVIDED_AREAS, entryTable, moduleTableOf } from '../tools/module-tables.ts';

const readme = readFileSync('README.md', 'utf8');

function modulesIn(area: string): string[] {
  return Object.keys(moduleTableOf(area)).sort();
}

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

describe("the README's map", () => {
  it('names every folder of src, and no other', () => {
    expect(modulesIn('')).to.deep.equal(foldersIn('src'));
  });

  for (const area of DIVIDED_AREAS)
    it(`of src/${area} names every module in its README, and no other`, () => {
      const named = modulesIn(area);
      expect(named.filter((module) => !module.includes('/'))).to.deep.equal(
        foldersIn(`src/${area}`),
      );
      for (const module of named)
        expect(existsSync(`src/${area}/${module}`), module).to.equal(true);
    });

  it('names as entries only what is there and what others import', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.tsx?$/.test(path),
    );
    for (const [area, entries] of Object.entries(entryTable())) {
      const others = files
        .filter((path) => !path.startsWith(`${area}/`))
        .map((path) => readFileSync(`src/${path}`, 'utf8'))
        .join('\n');
      for (const entry of entries) {
        expect(existsSync(`src/${area}/${entry}`), entry).to.equal(true);
        expect(others, `an import of ${area}/${entry}`).to.include(`${area}/${entry}`);
      }
    }
  });

  it('leaves the README at 120 lines or fewer', () => {
    expect(readme.split('\n').length).to.be.at.most(120);
  });
});
