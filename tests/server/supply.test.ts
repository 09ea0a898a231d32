import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface Part {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

const REGISTRY = 'https://registry.npmjs.org/';

describe('the parts of others that the product is made of', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, Part>>;
  };
  const parts = Object.entries(packages).filter(([path]) => path !== '');

  it('are listed whole, with the exact version of each', () => {
    expect(parts.length).to.be.greaterThan(100);
    for (const [path, { version }] of parts) expect(version, path).to.match(/^\d+\.\d+\.\d+/);
  });

  it('come from npm’s registry alone, and are known by their digest', () => {
    const strange = parts.filter(
      ([, { resolved, integrity, link }]) =>
        link === true ||
        !(resolved ?? REGISTRY).startsWith(REGISTRY) ||
        !(integrity ?? '').startsWith('sha512-'),
    );
    expect(strange.map(([path]) => path)).to.deep.equal([]);
  });
});
