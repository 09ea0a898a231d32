/** Everything that runs in a browser: shared code as in Node, and the `.browser` tests. */
interface Context {
  (path: string): unknown;
  keys(): string[];
}
interface WebpackMeta {
  webpackContext(folder: string, options: { recursive: boolean; regExp: RegExp }): Context;
}

const context = (import.meta as unknown as WebpackMeta).webpackContext('./', {
  recursive: true,
  regExp:
    /^\.\/(base|schema|rules|protocol|text|session|data|ui|screens)\/(?!.*\.node\.test).*\.test\.tsx?$/,
});
context.keys().forEach((path) => context(path));
