import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import webpack from 'webpack';
import { configuration } from '../../webpack.config.ts';

/**
 * Bundles our own sync layer as the app holds it: what the rest of `src` imports from `src/data`, all
 * that it needs of `src/data`, late parts too, and nothing from elsewhere. `npm run size` weighs it.
 */
const source = resolve('src');
const output = resolve('node_modules/.cache/sync-layer');

/** Every browser file that is not itself part of the sync layer. */
const outside = readdirSync(source, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !/^(data|server)[/.]/.test(file.slice(source.length + 1)));

/** By module of `src/data`, what is imported from it; `*`: all, by what loads it late. */
const wanted = new Map<string, Set<string>>();
for (const file of outside) {
  const text = readFileSync(file, 'utf8');
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
}

function visit(node: ts.Node): void {
  if (ts.isImportDeclaration(node)) note(node.moduleSpecifier, valuesOf(node));
  else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    note(node.arguments[0], ['*']);
  else ts.forEachChild(node, visit);
}

function valuesOf({ importClause }: ts.ImportDeclaration): string[] {
  const names = importClause?.namedBindings;
  const isType = importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  if (isType || names === undefined || !ts.isNamedImports(names)) return [];
  return names.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

function note(module: ts.Node | undefined, names: readonly string[]): void {
  if (module === undefined || !ts.isStringLiteral(module) || names.length === 0) return;
  if (!module.text.startsWith('#data/')) return;
  wanted.set(module.text, new Set([...(wanted.get(module.text) ?? []), ...names]));
}

mkdirSync(output, { recursive: true });
writeFileSync(
  join(output, 'entry.js'),
  [...wanted]
    .map(([module, names]) => {
      const all = names.has('*') ? '*' : `{ ${[...names].join(', ')} }`;
      return `export ${all} from ${JSON.stringify(module.replace('#data', join(source, 'data')))};\n`;
    })
    .join(''),
);

const { resolve: resolved, module, optimization } = configuration('production');
const stats = await new Promise<webpack.Stats | undefined>((done, fail) => {
  webpack(
    {
      mode: 'production',
      entry: { 'sync-layer': join(output, 'entry.js') },
      output: { path: output, module: true, library: { type: 'module' } },
      experiments: { outputModule: true },
      externalsType: 'module',
      externals: ({ request }, decide) => {
        const isOurs = /^(\.|\/|#data\/)/.test(request);
        if (isOurs) decide();
        else decide(undefined, request);
      },
      ...(resolved === undefined ? {} : { resolve: resolved }),
      // What is loaded late from within the layer is weighed with it, in the one file.
      module: { ...module, parser: { javascript: { dynamicImportMode: 'eager' } } },
      optimization: { minimizer: optimization?.minimizer ?? [] },
      performance: false,
    },
    (error, result) => {
      if (error === null) done(result);
      else fail(error);
    },
  );
});
if (stats?.hasErrors() !== false) throw new Error(stats?.toString({ preset: 'errors-only' }));
