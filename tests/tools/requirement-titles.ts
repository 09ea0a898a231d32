import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A test, and a requirement whose id ends its title or that of a `describe` around it. */
export interface ShowingTest {
  /** The number of the requirement: 57 for `[R57]`. */
  readonly requirement: number;
  readonly file: string;
  /** Its own title after those of each `describe` around it; what varies in them is `…`. */
  readonly titles: readonly string[];
  readonly hasRealServer: boolean;
}

/** The numbers in the brackets that end `title`; other tags may stand beside them. */
function requirementsIn(title: string): number[] {
  const tags = /(?:\s*\[[^\]]*\])+$/.exec(title)?.[0] ?? '';
  return [...tags.matchAll(/\bR(\d+)\b/g)].map(([, id]) => Number(id));
}

/** The tests in `text`, the source of `file`, which show a requirement, once for each. */
export function showingTestsIn(file: string, text: string, hasRealServer: boolean): ShowingTest[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: ShowingTest[] = [];
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const name = ts.isCallExpression(node)
      ? TITLED.get(node.expression.getText(source))
      : undefined;
    const titles = name === undefined ? around : [...around, titleOf(node as ts.CallExpression)];
    if (name === 'test')
      for (const requirement of new Set(titles.flatMap(requirementsIn)))
        found.push({ requirement, file, titles, hasRealServer });
    ts.forEachChild(node, (child) => {
      visit(child, titles);
    });
  };
  visit(source, []);
  return found;
}

/** The calls that have a title. */
const TITLED: ReadonlyMap<string, 'test' | 'describe'> = new Map([
  ['it', 'test'],
  ['test', 'test'],
  ['describe', 'describe'],
  ['test.describe', 'describe'],
]);

function titleOf({ arguments: [title] }: ts.CallExpression): string {
  if (title !== undefined && ts.isStringLiteralLike(title)) return title.text;
  if (title === undefined || !ts.isTemplateExpression(title)) return '…';
  return [title.head.text, ...title.templateSpans.map(({ literal }) => literal.text)].join('…');
}

/** What starts a server or opens a database: a test that imports it has a real one behind it. */
const SERVERS = new Set(['tests/support/server.ts', 'tests/support/database.ts']);

/** Whether a real server stands behind the tests in `file`, as told by its imports. */
export function hasRealServer(file: string, seen = new Set<string>()): boolean {
  if (SERVERS.has(file)) return true;
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  return ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName))
    .some((imported) => imported.startsWith('tests/') && hasRealServer(imported, seen));
}

/** The files of tests, sorted. */
export const testFiles = (): string[] =>
  readdirSync('tests', { encoding: 'utf8', recursive: true })
    .filter((name) => /\.(test|spec)\.tsx?$/.test(name))
    .map((name) => join('tests', name))
    .sort();

/** All tests which show a requirement, in the order of their files. */
export const showingTests = (): ShowingTest[] =>
  testFiles().flatMap((file) =>
    showingTestsIn(file, readFileSync(file, 'utf8'), hasRealServer(file)),
  );
