import { readFileSync } from 'node:fs';
import type { Note } from './notes.ts';
import { showingTests } from './requirement-titles.ts';
import type { ShowingTest } from './requirement-titles.ts';

interface Requirement {
  readonly id: number;
  readonly sentence: string;
}

interface Section {
  readonly heading: string;
  readonly requirements: readonly Requirement[];
}

/** The sections of `docs/spec/requirements.md` that have requirements. */
export function requirementSections(): Section[] {
  const text = readFileSync('docs/spec/requirements.md', 'utf8');
  return text
    .split(/^#{2,3} /m)
    .slice(1)
    .map((part) => ({
      heading: part.split('\n')[0] ?? '',
      requirements: [...part.matchAll(/^- \*\*R(\d+)\*\* (.+(?:\n {2}.+)*)/gm)].map(
        ([, id, words = '']) => ({ id: Number(id), sentence: firstSentence(words) }),
      ),
    }))
    .filter(({ requirements }) => requirements.length > 0);
}

/** A requirement in short: without what stands after its first sentence, and after the arrow. */
function firstSentence(words: string): string {
  const [line = ''] = words.replaceAll(/\s+/g, ' ').split(' → ');
  return /^.+?[.!?]["”)]*(?= [\p{Lu}_`"“/]|$)/u.exec(line)?.[0] ?? line;
}

/** What `docs/coverage.md` is to say. */
export function coverageText(): string {
  const tests = showingTests();
  const sections = requirementSections();
  const all = sections.flatMap(({ requirements }) => requirements);
  const shown = all.filter(({ id }) => tests.some(({ requirement }) => requirement === id));
  const parts = sections.map(({ heading, requirements }) => {
    const rows = requirements.map(({ id, sentence }) => {
      const own = tests.filter(({ requirement }) => requirement === id);
      return row(`R${id}`, inCell(sentence), own.map(inWords).join('<br>') || '—', server(own));
    });
    return [`## ${heading}\n`, ...HEADER, ...rows].join('\n');
  });
  return `${[head(shown.length, all.length), ...parts].join('\n\n')}\n`;
}

const head = (
  shown: number,
  all: number,
): string => `# The requirements, and the tests that show them

Written by \`npm run coverage\` and not by hand: each requirement of \`docs/spec/requirements.md\` by its first sentence,
and the tests whose titles, or those of a \`describe\` around them, end with its id, such as \`[R57]\`. _Real server_ says
whether a started server or a database stands behind one of them, as their imports tell. \`npm test\` ends by looking
whether each test that is named here ran and passed.

Tests show ${shown} of the ${all} requirements${shown === all ? '' : `; ${all - shown} have none yet`}.`;

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const HEADER = [
  row('Id', 'Requirement', 'Shown by', 'Real server'),
  row('---', '---', '---', '---'),
];

const inCell = (words: string): string => words.replaceAll(/[|<]/g, String.raw`\$&`);

/** A test as it is named there, without the tags before and after its titles. */
function inWords({ file, titles }: ShowingTest): string {
  const words = titles.map((title) => title.replaceAll(/^(\[[^\]]*\]\s*)+|(\s*\[[^\]]*\])+$/g, ''));
  return `\`${file}\`: ${inCell(words.join(' '))}`;
}

const server = (tests: readonly ShowingTest[]): string =>
  tests.length === 0 ? '—' : tests.some(({ hasRealServer }) => hasRealServer) ? 'yes' : 'no';

/** The tests that are not among those that ran, or did not pass each time. */
export function notShown(tests: readonly ShowingTest[], notes: readonly Note[]): ShowingTest[] {
  return tests.filter(({ file, titles }) => {
    const pattern = patternOf(titles);
    const own = notes.filter((note) => note.file === file && pattern.test(note.titles.join('\n')));
    return own.length === 0 || own.some(({ failure }) => failure !== null);
  });
}

/** Matches the titles that were noted, one a line; `…` stands for words that a source does not say. */
function patternOf(titles: readonly string[]): RegExp {
  const words = titles.join('\n').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${words.replaceAll('…', '.*')}$`);
}
