import { configure } from '@testing-library/react';
import { config } from 'chai';

/** Everything that runs in a browser: shared code as in Node, and the `.browser` tests. */
interface Context {
  (path: string): unknown;
  keys(): string[];
}
interface Karma {
  readonly config: { readonly wanted: readonly string[] };
}
interface WebpackMeta {
  webpackContext(folder: string, options: { recursive: boolean; regExp: RegExp }): Context;
}

// Karma writes out what differs, and never ends where that is an element of the page.
config.showDiff = false;

// What a slow machine shows late is shown all the same: only what never comes fails.
configure({ asyncUtilTimeout: 8_000 });

const context = (import.meta as unknown as WebpackMeta).webpackContext('./', {
  recursive: true,
  regExp:
    /^\.\/(base|schema|rules|protocol|text|session|data|ui|screens)\/(?!.*\.node\.test).*\.test\.tsx?$/,
});
const { wanted } = (globalThis as unknown as { readonly __karma__: Karma }).__karma__.config;
for (const path of context.keys()) {
  const file = path.replace('./', 'tests/');
  if (wanted.length > 0 && !wanted.includes(file)) continue;
  // Mocha does so for each file that it loads itself: from now on tests know that they are in this one.
  mocha.suite.emit('pre-require', globalThis, file, mocha);
  context(path);
}
