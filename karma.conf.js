import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';

/** Mocha in a browser: the shared folders, and what only runs there. */
export default async (config) => {
  const { BROWSER_FLAGS, findBrowser } = await tsImport(
    './tests/support/browser.ts',
    import.meta.url,
  );
  const { configuration } = await tsImport('./webpack.config.ts', import.meta.url);

  const { noteTest } = await tsImport('./tests/tools/notes.ts', import.meta.url);

  const browser = await findBrowser();
  process.env.CHROME_BIN = browser.path;
  Object.assign(process.env, browser.env);

  /** The server that browser tests talk to; `npm test` starts it and names it here. */
  const server = process.env.SLIPWAY_TEST_URL;
  const proxies =
    server === undefined
      ? {}
      : Object.fromEntries(['/api', '/hubs', '/oidc'].map((path) => [path, `${server}${path}`]));

  const built = configuration('development');
  const isForTests = (plugin) =>
    ['DefinePlugin', 'MiniCssExtractPlugin'].includes(plugin.constructor.name);

  /** Notes how each test ended; the lines are another reporter's. */
  function Notes() {
    this.adapters = [];
    this.onSpecComplete = (_browser, { success, skipped, suite, description, log, mocha }) => {
      if (skipped) return;
      const titles = [...suite, description];
      noteTest({ file: mocha.file ?? null, titles, failure: success ? null : log.join('\n') });
    };
  }

  config.set({
    frameworks: ['mocha', 'webpack'],
    plugins: [
      'karma-mocha',
      'karma-webpack',
      'karma-chrome-launcher',
      { 'reporter:notes': ['type', Notes] },
    ],
    files: [
      { pattern: 'tests/index.ts', watched: false },
      { pattern: 'public/assets/**', included: false, watched: false },
    ],
    proxies: { ...proxies, '/assets/': '/base/public/assets/' },
    preprocessors: { 'tests/index.ts': ['webpack'] },
    webpack: {
      mode: 'development',
      devtool: 'inline-source-map',
      resolve: built.resolve,
      module: built.module,
      plugins: built.plugins.filter(isForTests),
      output: { path: join(tmpdir(), `slipway-karma-${process.pid}`) },
    },
    browsers: ['Found'],
    customLaunchers: { Found: { base: 'ChromeHeadless', flags: BROWSER_FLAGS } },
    client: {
      /** Paths of the files to run; none: all. */
      wanted: (process.env.SLIPWAY_TEST_FILES ?? '').split(',').filter((path) => path !== ''),
      mocha: {
        timeout: 20_000,
        forbidOnly: true,
        grep: process.env.SLIPWAY_TEST_GREP,
        expose: ['file'],
      },
    },
    reporters: ['dots', 'notes'],
    logLevel: config.LOG_WARN,
    browserNoActivityTimeout: 120_000,
    singleRun: true,
    autoWatch: false,
  });
};
