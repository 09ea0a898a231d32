import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const TEXT = readFileSync('docs/security.md', 'utf8');
const STATES = ['held', 'partly', 'not yet', 'not applicable'] as const;
const ROW =
  /^\| (?<id>\d+\.\d+\.\d+) +\| (?<level>[12]) +\|[^|]+\| (?<state>[a-z ]+?) +\| (?<evidence>.*?) +\|$/gm;

/** The requirements that `docs/security.md` lists. */
const rows = [...TEXT.matchAll(ROW)].map(({ groups }) => groups as Record<string, string>);

/** Each test file that `evidence` names, with the titles in quotes behind it. */
function namedIn(evidence: string) {
  return evidence
    .replaceAll('\\_', '_')
    .split(/(?=`tests\/)/)
    .filter((part) => part.startsWith('`tests/'))
    .map((part) => {
      const [, file = ''] = /^`([^`]+)`/.exec(part) ?? [];
      return { file, titles: [...part.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title) };
    });
}

describe('docs/security.md', () => {
  it('names tests that there are, by words of their titles', () => {
    const missing = rows.flatMap(({ id = '', evidence = '' }) =>
      namedIn(evidence).flatMap(({ file, titles }) => {
        if (!existsSync(file)) return [`${id}: ${file}`];
        // A template's values are not in the source of the title.
        const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
        const isThere = (title: string) =>
          title.split('…').every((part) => source.includes(part.trim()));
        return titles
          .filter((title) => !isThere(title))
          .map((title) => `${id}: ${file}, "${title}"`);
      }),
    );
    expect(missing).to.deep.equal([]);
  });

  it('counts its lines rightly', () => {
    const counted = (state: string | null, level: string | null) =>
      rows.filter((row) => (state ?? row.state) === row.state && (level ?? row.level) === row.level)
        .length;
    const line = (name: string, state: string | null) =>
      [name, counted(state, '1'), counted(state, '2'), counted(state, null)].join(' | ');
    const found = [...TEXT.matchAll(/^\| ([a-z ]+?) +\| (\d+) +\| (\d+) +\| (\d+) +\|$/gm)];
    expect(found.map(([, ...cells]) => cells.join(' | '))).to.deep.equal([
      ...STATES.map((state) => line(state, state)),
      line('all', null),
    ]);
    const untested = rows.filter(
      ({ state, evidence = '' }) => state === 'held' && namedIn(evidence).length === 0,
    );
    expect(TEXT).to.include(`${String(untested.length)} of them name no test`);
  });
});
