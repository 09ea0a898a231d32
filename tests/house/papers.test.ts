import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';

/** Covers the papers, and the comments and titles of `src`, `tests` and `bench` that cite them. */

/** Folders that a clone does not have. */
const ELSEWHERE = new Set(['.git', 'node_modules', 'dist', 'var', 'coverage', 'test-results']);

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !ELSEWHERE.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
}

/** Every file of a clone, by its path from the top. */
const files: ReadonlySet<string> = new Set(filesIn('.'));

const folders: ReadonlySet<string> = new Set(
  [...files].flatMap((file) => file.split('/').map((_, n, parts) => parts.slice(0, n).join('/'))),
);

/** All paths in one text, one a line, so that one expression can search them. */
const paths = [...files, ...folders].join('\n');

const isPaper = (file: string): boolean =>
  file.endsWith('.md') && (!file.includes('/') || file.startsWith('docs/'));
const isCode = (file: string): boolean =>
  /^(src|tests|bench)\/.*\.(ts|tsx|css|sql|smali)$/.test(file);

const textOf = (file: string): string => readFileSync(file, 'utf8');
const papers = [...files].filter(isPaper).sort();
const code = [...files].filter(isCode).sort();

/** A paper without its fenced code, which cites nothing. */
const proseOf = (file: string): string => textOf(file).replaceAll(/^```[^]*?^```/gm, '');

/** The fragment that leads to `heading` on the pages of a repository's host. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll('`', '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (file: string): readonly string[] =>
  [...proseOf(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Says why `target`, a relative link of `paper`, leads nowhere; null where it leads somewhere. */
function brokenLink(paper: string, target: string): string | null {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? paper : normalize(join(dirname(paper), path)).replace(/(?<=.)\/$/, '');
  if (!files.has(file) && !folders.has(file)) return `${paper}: ${target}`;
  if (anchor === undefined || anchorsOf(file).includes(anchor)) return null;
  return `${paper}: ${target} has no such heading`;
}

function linksOf(paper: string): readonly string[] {
  return [...proseOf(paper).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** In a cited path `<x>`, `NNN` and `*` stand for any name, and braces for one of several. */
function patternOf(path: string): RegExp {
  const source = path
    .replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{([^}]+)\}/g, (_, all: string) => `(${all.replaceAll(',', '|')})`)
    .replaceAll('**', '.+')
    .replaceAll(/(?<![.\]])\*|<\w+>|NNN/g, '[^/\\n]+');
  return new RegExp(`^(.*/)?${source}$`, 'm');
}

/** A paper may leave out the beginning of a path, so the end of one is enough. */
const isThere = (path: string): boolean => patternOf(path.replace(/\/$/, '')).test(paths);

/** The files that a paper names: other papers, and paths in backticks that look like ours. */
function pathsIn(paper: string): readonly string[] {
  const prose = proseOf(paper);
  const quoted = [...prose.matchAll(/`([\w.<>*{},@/-]+)`/g)]
    .map(([, path = '']) => path)
    .filter(
      (path) =>
        /^(src|tests|docs|bench|public|\.ci|\.github|\.vscode)\//.test(path) ||
        /^[\w<*.][\w.<>*{},@/-]*\.(ts|tsx|sql|css|smali|mjs)$/.test(path),
    );
  const named = [...prose.matchAll(/(?<![\w/*.-])[\w/.-]+\.md\b/g)].map(([path]) =>
    path.replace(/^(?:\.\.?\/)+/, ''),
  );
  return [...quoted, ...named];
}

// Sections -----------------------------------------------------------------------------------------

const SPEC = 'docs/spec';
const specs = readdirSync(SPEC).map((name) => name.replace(/\.md$/, ''));

const sections = new Map(
  specs.map((spec) => [
    spec,
    new Set(
      [...textOf(`${SPEC}/${spec}.md`).matchAll(/^#{2,4} (\d+(?:\.\d+)*)/gm)].map(([, n]) => n),
    ),
  ]),
);
/** After `faults` a number is that of a section or of a fault. */
const isSection = (spec: string, number: string): boolean =>
  sections.get(spec)?.has(number) === true || (spec === 'faults' && faults.has(number));

/** Rules have names, such as P2 or W60, which begin a sentence or a row of the domain. */
const rules: ReadonlySet<string | undefined> = new Set(
  [...textOf(`${SPEC}/domain.md`).matchAll(/^(?:\| |- )\**([A-Z]\d+)\**(?= )/gm)].map(
    ([, name]) => name,
  ),
);
const requirements: ReadonlySet<string | undefined> = new Set(
  [...textOf(`${SPEC}/requirements.md`).matchAll(/^- \*\*R(\d+)\*\*/gm)].map(([, n]) => n),
);
const faults: ReadonlySet<string | undefined> = new Set(
  [...textOf(`${SPEC}/faults.md`).matchAll(/^\| (\d+) /gm)].map(([, n]) => n),
);
const decisions: ReadonlySet<number> = new Set(
  readdirSync('docs/decisions').map((name) => Number(name.slice(0, 3))),
);

/** A citation may continue on the next line of a comment, so the signs between lines go. */
const inOneLine = (text: string): string =>
  text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/|--|#)?\s*/g, ' ');

const NUMBER = String.raw`\d+(?:\.\d+)*(?![\w-]|\.\d)`;
const CITES = new RegExp(
  String.raw`\b(${specs.join('|')})(?:\.md)? (${NUMBER}(?:(?:,| and| to| or) ${NUMBER})*)`,
  'g',
);

/** A comment names rules in parentheses, and the title of a test in brackets. */
const RULES = /[([](?:domain [\d.]+,? )?([A-Z]\d{1,2}(?:(?:, |–)[A-Z]\d{1,2})*)[)\]]/g;
const FAMILIES = new Set([...rules].map((name) => name?.[0]));

/** Lists the citations in `file` of what is not in `docs/spec` and `docs/decisions`. */
function unresolvedIn(file: string): readonly string[] {
  const text = inOneLine(isPaper(file) ? proseOf(file) : textOf(file));
  const cited = (pattern: RegExp, isKnown: (name: string) => boolean): string[] =>
    [...text.matchAll(pattern)].flatMap(([all, name = '']) =>
      isKnown(name) ? [] : [`${file}: ${all}`],
    );
  return [
    ...[...text.matchAll(CITES)].flatMap(([, spec = '', numbers = '']) =>
      numbers
        .split(/, | and | to | or /)
        .flatMap((number) => (isSection(spec, number) ? [] : [`${file}: ${spec} ${number}`])),
    ),
    ...cited(/\bdomain ([A-Z]\d+)\b/g, (name) => rules.has(name)),
    ...cited(RULES, (names) =>
      names.split(/, |–/).every((name) => rules.has(name) || !FAMILIES.has(name[0])),
    ),
    ...cited(/\(([a-z]+) \d+\.\d+\)/g, (name) => sections.has(name)),
    ...cited(/\bfault (\d+)\b/g, (name) => faults.has(name)),
    ...cited(/\b(?:requirement |R)(\d+)\b/g, (name) => requirements.has(name)),
    ...cited(/\bdecision (\d+)\b/gi, (name) => decisions.has(Number(name))),
  ];
}

describe('the papers', () => {
  it('link to files and headings that are in the repository', () => {
    const broken = papers.flatMap((paper) =>
      linksOf(paper).flatMap((target) => brokenLink(paper, target) ?? []),
    );
    expect(broken).to.deep.equal([]);
  });

  it('name files that are in the repository', () => {
    const missing = papers.flatMap((paper) =>
      pathsIn(paper).flatMap((path) => (isThere(path) ? [] : [`${paper}: ${path}`])),
    );
    expect(missing).to.deep.equal([]);
  });

  it('are all listed in docs/README.md', () => {
    const listed = linksOf('docs/README.md').map((target) => normalize(join('docs', target)));
    const wanted = papers.filter((paper) => paper !== 'docs/README.md');
    expect(listed.filter(isPaper)).to.include.members(wanted);
  });

  it('cite sections, rules, requirements, faults and decisions that there are', () => {
    expect(papers.flatMap(unresolvedIn)).to.deep.equal([]);
  });
});

describe('comments and titles of tests', () => {
  it('cite sections, rules, faults and decisions that there are', () => {
    expect(code.flatMap(unresolvedIn)).to.deep.equal([]);
  });

  it('name papers that are in the repository', () => {
    const missing = code.flatMap((file) =>
      [...textOf(file).matchAll(/\bdocs\/[\w./-]*\w/g)].flatMap(([path]) =>
        files.has(path) || folders.has(path) ? [] : [`${file}: ${path}`],
      ),
    );
    expect(missing).to.deep.equal([]);
  });
});
