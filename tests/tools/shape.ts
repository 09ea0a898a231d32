/**
 * `npm run shape` prints how the files of `src` hang together, imports of types included: circles,
 * modules that import each other, folders with too many files, names of types exported twice, and
 * how many files lie within two imports of a screen. It exits with 1 when a limit is passed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { DIVIDED_AREAS, moduleTableOf } from './module-tables.ts';

const SRC = resolve('src');
const MOST_FILES_OF_A_FOLDER = 20;
/** Folders of one kind, where the next file is like the one before. */
const LISTS = new Set([
  'schema',
  'rules/valid',
  'server/db/migrations',
  'server/http/api/calls',
  'server/domain/effects',
]);
/** Modules by the tables of the READMEs, those that lie in another one first. */
const MODULES = ['', ...DIVIDED_AREAS]
  .flatMap((area) => Object.keys(moduleTableOf(area)).map((name) => join(area, name)))
  .sort((a, b) => b.length - a.length);
/** Starts of the two lists whose size is watched, and the most files within two value imports. */
const STARTS: readonly (readonly [string, number])[] = [
  ['screens/projects/project-list.tsx', 25],
  ['screens/tasks/tasks-page.tsx', 20],
];

interface Import {
  readonly to: string;
  readonly isType: boolean;
}

interface SourceFile {
  readonly path: string;
  readonly imports: readonly Import[];
  /** Interfaces, type aliases and classes that it exports under their own name. */
  readonly types: readonly string[];
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesOf(path);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

function read(path: string): SourceFile {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const types: string[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean) => {
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return;
    const to = resolved(path, specifier.text);
    if (to !== null) imports.push({ to, isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], true);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const statement of file.statements)
    if (
      (ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isClassDeclaration(statement)) &&
      statement.name !== undefined &&
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
    )
      types.push(statement.name.text);
  return { path: relative(SRC, path), imports, types };
}

/** An import that leaves nothing in the program that runs: of types, or of a part loaded later. */
function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { namedBindings } = clause;
  return (
    clause.name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.length > 0 &&
    namedBindings.elements.every((element) => element.isTypeOnly)
  );
}

function resolved(from: string, specifier: string): string | null {
  if (!/\.tsx?$/.test(specifier)) return null;
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? relative(SRC, join(dirname(from), specifier)) : null;
}

function moduleOf(path: string): string {
  return MODULES.find((module) => path.startsWith(`${module}/`)) ?? 'entries';
}

/** Groups of nodes each of which reaches every other one (Tarjan), larger than one. */
function circles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const lowest = (node: string, other: number) => {
    low.set(node, Math.min(low.get(node) ?? other, other));
  };
  const visit = (node: string): void => {
    const number = order.size;
    order.set(node, number);
    low.set(node, number);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) {
        visit(next);
        lowest(node, low.get(next) ?? number);
      } else if (stack.includes(next)) lowest(node, order.get(next) ?? number);
    }
    if (low.get(node) !== number) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found.sort((a, b) => b.length - a.length);
}

function within(files: ReadonlyMap<string, SourceFile>, start: string, steps: number): Set<string> {
  const reached = new Set<string>([start]);
  for (let step = 0; step < steps; step += 1)
    for (const path of [...reached])
      for (const { to, isType } of files.get(path)?.imports ?? []) if (!isType) reached.add(to);
  reached.delete(start);
  return reached;
}

function report(title: string, lines: readonly string[], most = 0): boolean {
  const isFine = lines.length <= most;
  process.stdout.write(`${isFine ? 'ok  ' : 'FAIL'} ${title}: ${String(lines.length)}\n`);
  if (!isFine) for (const line of lines) process.stdout.write(`       ${line}\n`);
  return isFine;
}

function main(): void {
  const files = new Map(filesOf(SRC).map((path) => [relative(SRC, path), read(path)]));
  const all = [...files.values()];

  const byFile = new Map(all.map(({ path, imports }) => [path, new Set(imports.map((i) => i.to))]));
  const byModule = new Map<string, Set<string>>();
  for (const { path, imports } of all)
    for (const { to } of imports)
      if (moduleOf(to) !== moduleOf(path))
        byModule.set(moduleOf(path), (byModule.get(moduleOf(path)) ?? new Set()).add(moduleOf(to)));

  const pairs = [...byModule].flatMap(([from, others]) =>
    [...others]
      .filter((to) => from < to && byModule.get(to)?.has(from) === true)
      .map((to) => `${from} and ${to}`),
  );
  const folders = new Map<string, number>();
  for (const { path } of all) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  const crowded = [...folders].filter(
    ([folder, count]) => count > MOST_FILES_OF_A_FOLDER && !LISTS.has(folder),
  );
  const names = new Map<string, string[]>();
  for (const { path, types } of all)
    for (const name of types) names.set(name, [...(names.get(name) ?? []), path]);

  const results = [
    report(
      'circles of files',
      circles(byFile).map((circle) => `${String(circle.length)}: ${circle.join(' ')}`),
    ),
    report('pairs of modules that import each other', pairs),
    report(
      'circles of modules',
      circles(byModule).map((circle) => circle.join(' ')),
    ),
    report(
      `folders with more than ${String(MOST_FILES_OF_A_FOLDER)} files`,
      crowded.map(([folder, count]) => `${folder}: ${String(count)}`),
    ),
    report(
      'names of types exported twice',
      [...names]
        .filter(([, paths]) => paths.length > 1)
        .map(([name, paths]) => `${name}: ${paths.join(' ')}`),
    ),
    ...STARTS.map(([start, most]) => {
      if (!files.has(start)) throw new Error(`There is no src/${start}`);
      const reached = [...within(files, start, 2)].sort();
      return report(
        `files within two imports of ${start} (${String(most)} at most)`,
        reached,
        most,
      );
    }),
  ];
  if (results.includes(false)) process.exitCode = 1;
}

main();
