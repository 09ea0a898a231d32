import { readFileSync } from 'node:fs';

/** Areas of `src` whose own folders are modules; each has a README with a table of them. */
export const DIVIDED_AREAS = ['data', 'screens', 'server'] as const;

/**
 * Returns the table of modules in the README of `area` of `src`, or in the one at the top for `''`:
 * each module, and those that it may import.
 */
export function moduleTableOf(area: string): Readonly<Record<string, readonly string[]>> {
  const path = area === '' ? 'README.md' : `src/${area}/README.md`;
  const rows = readFileSync(path, 'utf8').matchAll(/^\| `([a-z/]+)`\s+\|.*\|([^|]*)\|$/gm);
  return Object.fromEntries(
    [...rows].map(([, module = '', others = '']) => [module, others.match(/[a-z/]+/g) ?? []]),
  );
}

/** Returns the table of entries in CONTRIBUTING: of an area, what others may import. */
export function entryTable(): Readonly<Record<string, readonly string[]>> {
  const rows = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `([a-z]+)`\s+\| ([^|]*)\|$/gm);
  return Object.fromEntries(
    [...rows].map(([, area = '', entries = '']) => [
      area,
      [...entries.matchAll(/`([^`]+)`/g)].map(([, entry = '']) => entry),
    ]),
  );
}
