import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';

const readme = readFileSync('README.md', 'utf8');

const foldersOnDisk = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

const foldersOnTheMap = [...readme.matchAll(/^\| `([a-z]+)`\s+\|/gm)].map((hit) => hit[1]).sort();

describe("the README's map", () => {
  it('names every folder of src, and no other', () => {
    expect(foldersOnTheMap).to.deep.equal(foldersOnDisk);
  });

  it('leaves the README at 120 lines or fewer', () => {
    expect(readme.split('\n').length).to.be.at.most(120);
  });
});
