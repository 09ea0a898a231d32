import { createHash } from 'node:crypto';
import {
  existsSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import CompressionPlugin from 'compression-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import TerserPlugin from 'terser-webpack-plugin';
import webpack from 'webpack';
import LicensePlugin from 'webpack-license-plugin';
import type { Compiler, Configuration } from 'webpack';

const root = dirname(fileURLToPath(import.meta.url));
const output = join(root, 'dist');
const stamp = join(output, '.built-from');

/** Sign-in and download pages, built sites, mails and help are the server's: the app goes without their texts. */
const OF_THE_SERVER = /^(downloads|identity|mail|help|site)\./;
/** What only screens say that come late: in files of their own, see `ui/text/late-texts.ts`. */
const LATE =
  /^(account|activity|admin|builds|charts|consent|directory|invitations|org|organization-membership|requestAccess|roles|users(?!\.noName$)|bell|fields|problems|rules|changes\.(author|command|comment|definition|group|groupMembership|groups|invite|membership|lost|notification|organization|organizationStore|product|productDefinition|products|project|projectImport|reviewer|role|state|store|storeType|upon|user|version|view|workflowDefinition)|commands|developers|files|flow|forms\.[a-z-]+|health|languages|login|mailKinds|nextStep|notifications|openSource|palette|profile|projectFilters|projectImport|products|project\.(authorForm|firstSteps|operations\.(allowDownloads|automaticBuilds|isPublic)|products|reviewerForm|settings)|projectTable\.emptyOf|projects\.bulk\.(buildModal|notYours)|repository|shortcuts|signOut|states|tasks|status\.(changed|notActive|notFound|required|verify)|system|types|values|views(?!\.(mine|shared|sharedIn|showMore)$)|workflow)\.|^changes\.(archiveInstead|back|builtUpon|confirm|conflict|dependants|details|discard|empty|export|heldBy|invite|keepMine|merge|noServer|offline|send|signIn|takeTheirs|typed|undone|unreadable|inviteOwner|renewInvite|withdraw(Owner)?Invite)|^forms\.(changed(By|Meanwhile)|discard|keepEditing|leave(Text)?|notYetSaved|nothingChanged|required)$|^project\.(archivedMeans|add(Author|Reviewer)?|authors|created|description|details|edit|group|language|name|newProject|onlyGroup|owner|products|public|type|reviewers|settings|move(Text|Title)?|no(Authors|Reviewers)|personRemoved|remove(Author|Reviewer)|whose|needs(AppBuilder|NameAndLanguage)|no(AuthorLeft|AvailableGroups)|ownerWhyNot|privateMeans|publicMeans|sameName|settingsWhyNot)$|^(badges\.[a-z]+\.sentence|columns\.defaults|changes\.goneOwn|common\.(cancel|edit|noResults|save|show(All|Less))|errors\.(server[A-Z][a-z]+|forbiddenForAllOrgs|notAuthorized|userForbidden|friendlyForbidden|groupRequired|invalidProjectSelection|notAMemberOfOrg|orgMembershipRequired)|header\.emptyNotifications|projects\.bulk\.(build|selectAll)|projectTable\.(ascending|descending|empty|emptySearch|sortBy)|status\.home|switcher\.search|updated)$/;

/** What `/open-source` lists: what the build took in, and what the server is made of. */
const OPEN_SOURCE = 'open-source.json';

/** The folders of the packages that package.json names, the server's with them. */
function ownDependencies(): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies).map((name) => join(root, 'node_modules', name));
}

/** Some packages under the MIT licence come without its text, which is to go with them. */
function withLicenseTexts(packages: readonly ListedPackage[]): string {
  const mit = readFileSync(join(root, 'LICENSE'), 'utf8');
  const texts = packages.map((listed) => {
    const { name, license, licenseText, author = `The authors of ${name}` } = listed;
    const isWithout = license === 'MIT' && (licenseText ?? '').trim() === '';
    const ofTheirs = mit.replace(/^Copyright .*$/m, `Copyright (c) ${author}`);
    return isWithout ? { ...listed, licenseText: ofTheirs } : listed;
  });
  return JSON.stringify(texts);
}

interface ListedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string | null;
  readonly licenseText?: string | null;
  readonly author?: string;
}

const textsThat =
  (isWanted: (key: string) => boolean) =>
  (file: string): Readonly<Record<string, string>> => {
    const texts = JSON.parse(file) as Readonly<Record<string, string>>;
    return Object.fromEntries(Object.entries(texts).filter(([key]) => isWanted(key)));
  };

/**
 * What a build may take its time for: the server sends these as they are, a seventh smaller than what
 * it could compress while somebody waits.
 */
const BROTLI = {
  algorithm: 'brotliCompress',
  filename: '[path][base].br',
  include: /^static\//,
  exclude: /\.(woff2?|png)$/,
  threshold: 1_024,
} as const;

/** How TypeScript becomes JavaScript, here and in the browser tests. */
export const moduleRules: webpack.RuleSetRule[] = [
  {
    test: /\.tsx?$/,
    loader: 'esbuild-loader',
    options: { target: 'es2022', jsx: 'automatic', tsconfigRaw: {} },
  },
  // Orbit does not say so itself: none of its modules does anything by being loaded.
  { test: /node_modules\/@orbit\//, sideEffects: false },
  {
    test: /src\/text\/.*\.json$/,
    type: 'json',
    oneOf: [
      { resourceQuery: /late/, parser: { parse: textsThat((key) => LATE.test(key)) } },
      { parser: { parse: textsThat((key) => !LATE.test(key) && !OF_THE_SERVER.test(key)) } },
    ],
  },
  { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
  { test: /\.(woff2?|ttf|eot|svg|png)$/, type: 'asset/resource' },
];

/**
 * What SignalR, oidc-client-ts and i18next tell logs that are off, and what packages warn developers
 * of, React Router by functions of its own: calls of these are left out. Errors are still told.
 */
const UNHEARD = [
  'console.log',
  'console.warn',
  'this._logger.log',
  'this._logger.debug',
  'this._logger.info',
  'this.logger.log',
  'this.logger.warn',
  'this.logger.deprecate',
  'this.logger.once',
  'baseLogger.deprecate',
  'warning',
  'warningOnce',
];

/** Its package offers by name only the build that warns developers; this one lies beside it. */
const router = join(root, 'node_modules/react-router/dist/production');
const QUIET_ROUTER = {
  'react-router$': join(router, 'index.mjs'),
  'react-router/dom$': join(router, 'dom-export.mjs'),
};

/**
 * Of react-orbitjs the source that its package brings, without the helpers for browsers from before
 * classes; our components have no statics that it could copy to what it wraps around them.
 */
const LEAN_ORBITJS = {
  'react-orbitjs$': join(root, 'node_modules/react-orbitjs/src/index.js'),
  'hoist-non-react-statics$': join(root, 'src/data/react/no-statics.ts'),
};

/** What older versions of React need to be given, ours has. */
const LEAN_REACT = { 'use-sync-external-store/shim$': join(root, 'node_modules/react/index.js') };

/** What SignalR brings for browsers without `fetch`, and for a reconnection that nobody asks for. */
const signalr = realpathSync(join(root, 'node_modules/@microsoft/signalr/dist/esm'));
const LEAN_SIGNALR = {
  [join(signalr, 'XhrHttpClient.js')]: false as const,
  [join(signalr, 'MessageBuffer.js')]: false as const,
};

/** The file of a module of Orbit, as webpack resolves it. */
const orbitModule = (path: string): string =>
  realpathSync(join(root, 'node_modules/@orbit', `${path}.js`));

/**
 * Of Orbit's cache on IndexedDB the app takes the database and its transactions (`CopyCache`): its
 * queries and transforms are never run, nor are live queries, buffers and validation of either cache.
 * The store's records are set and removed in bulk (`RecordStore.apply`), never by transforms.
 */
const LEAN_ORBIT = {
  ...Object.fromEntries(
    [
      'operators/async-query-operators',
      'operators/async-transform-operators',
      'operators/async-inverse-transform-operators',
      'operators/sync-transform-operators',
      'operators/sync-inverse-transform-operators',
      'operation-processors/async-cache-integrity-processor',
      'operation-processors/async-schema-consistency-processor',
      'operation-processors/async-schema-validation-processor',
      'operation-processors/sync-cache-integrity-processor',
      'operation-processors/sync-schema-consistency-processor',
      'operation-processors/sync-schema-validation-processor',
      'live-query/async-live-query',
      'live-query/sync-live-query',
      'simple-record-transform-buffer',
    ].map((name) => [orbitModule(`record-cache/dist/modules/${name}`), false as const]),
  ),
  [orbitModule('records/dist/modules/record-operation')]: false as const,
  ...Object.fromEntries(
    [
      'immutable/dist/modules/immutable-map',
      'records/dist/modules/record-transform-builder',
      'records/dist/modules/record-validators/record-validator-builder',
    ].map((name) => [orbitModule(name), join(root, 'src/base/lean-orbit.ts')]),
  ),
};

/** Production by default; with `mode` development the same files, unminified, with source maps. */
export function configuration(mode: 'production' | 'development' = 'production'): Configuration {
  const isProduction = mode === 'production';
  return {
    mode,
    context: root,
    target: ['web', 'es2022'],
    entry: { client: './src/client.tsx' },
    devtool: isProduction ? false : 'source-map',
    output: {
      path: output,
      publicPath: '/',
      // What every page needs to begin with is called `first`: the size check sums these.
      filename: 'static/first.[name].[contenthash:8].js',
      chunkFilename: 'static/[name].[contenthash:8].js',
      assetModuleFilename: 'static/[name].[contenthash:8][ext]',
      clean: { keep: /^\.built-from$/ },
    },
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      alias: isProduction
        ? { ...QUIET_ROUTER, ...LEAN_REACT, ...LEAN_SIGNALR, ...LEAN_ORBITJS, ...LEAN_ORBIT }
        : {},
    },
    module: { rules: moduleRules },
    optimization: {
      minimizer: [
        new TerserPlugin({
          extractComments: false,
          parallel: 2,
          // Further looks find what the one before has laid bare: 1.7 kB of the first load. Functions
          // that have statements stay functions: written out at each call they take 0.1 kB more. Statements
          // stay statements: joined by commas they take 0.1 kB more.
          terserOptions: {
            ecma: 2022,
            module: true,
            compress: {
              ...{ passes: 4, inline: 1, sequences: false },
              // What the calls below leave are reads that do nothing: nothing here is read for its effect.
              ...{ pure_funcs: UNHEARD, pure_getters: true },
            },
          },
        }),
        new CssMinimizerPlugin({ parallel: 2 }),
      ],
      splitChunks: {
        chunks: 'all',
        // A late part's own packages come in one file with it, which is smaller.
        cacheGroups: { defaultVendors: { test: /node_modules/, chunks: 'initial', priority: -10 } },
      },
      runtimeChunk: 'single',
      // Exports get the shortest names that are free, not ones that stay when others come or go: 1.7 kB
      // of the first load less.
      mangleExports: isProduction && 'size',
      moduleIds: false,
    },
    performance: false,
    plugins: [
      // Three digits are enough, and 0.4 kB of the first load less than four.
      new webpack.ids.DeterministicModuleIdsPlugin({ maxLength: 3, fixedLength: true }),
      new webpack.DefinePlugin({ 'process.env.NODE_ENV': JSON.stringify(mode) }),
      new MiniCssExtractPlugin({
        filename: 'static/first.[name].[contenthash:8].css',
        chunkFilename: 'static/[name].[contenthash:8].css',
      }),
      new HtmlWebpackPlugin({ template: 'public/index.html', scriptLoading: 'module' }),
      new CopyPublicFiles(),
      new LonePages(),
      new LicensePlugin({
        outputFilename: 'packages.json',
        includePackages: ownDependencies,
        additionalFiles: { [OPEN_SOURCE]: withLicenseTexts },
      }),
      new ServiceWorker(mode),
      ...(isProduction ? [new CompressionPlugin(BROTLI)] : []),
    ],
  };
}

/** Puts what lies in `public/` beside the built files, the page's template apart. */
class CopyPublicFiles {
  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('CopyPublicFiles', (compilation) => {
      compilation.hooks.processAssets.tap({ name: 'CopyPublicFiles', stage: -2_000 }, () => {
        for (const file of filesBelow(join(root, 'public'))) {
          const name = relative(join(root, 'public'), file);
          if (name === 'index.html') continue;
          compilation.emitAsset(name, new webpack.sources.RawSource(readFileSync(file)));
        }
      });
    });
  }
}

/** Bundles `src/{name}.ts` by itself into `{name}.js`, whatever the app's own files are called. */
function bundleAlone(compiler: Compiler, name: string): void {
  compiler.hooks.make.tapPromise(name, async (compilation) => {
    const child = compilation.createChildCompiler(name, { filename: `${name}.js` }, [
      new webpack.webworker.WebWorkerTemplatePlugin(),
      new webpack.EntryPlugin(compiler.context, `./src/${name}.ts`, { name }),
    ]);
    await new Promise<void>((done, fail) => {
      child.runAsChild((error) => {
        if (error === null) done();
        else fail(error);
      });
    });
  });
}

/** The scripts of the server's pages, which have nothing else of the app. */
class LonePages {
  apply(compiler: Compiler): void {
    bundleAlone(compiler, 'download-page');
    bundleAlone(compiler, 'download-door');
    bundleAlone(compiler, 'passkey-page');
    bundleAlone(compiler, 'password-page');
  }
}

/** Bundles `src/service-worker.ts` by itself and tells it which files make up the app. */
class ServiceWorker {
  readonly mode: 'production' | 'development';

  constructor(mode: 'production' | 'development') {
    this.mode = mode;
  }

  apply(compiler: Compiler): void {
    bundleAlone(compiler, 'service-worker');

    compiler.hooks.thisCompilation.tap('ServiceWorker', (compilation) => {
      compilation.hooks.processAssets.tap({ name: 'ServiceWorker', stage: 5_000 }, (assets) => {
        const shell = Object.keys(assets).filter((name) => this.belongsToTheShell(name));
        const files = shell.map((name) => ({
          url: `/${name}`,
          revision: name.startsWith('static/') ? null : hashOf(assets[name]?.source() ?? ''),
        }));
        const worker = assets['service-worker.js'];
        if (worker === undefined) return;
        const source = worker.source().toString().replace('self.__FILES__', JSON.stringify(files));
        compilation.updateAsset('service-worker.js', new webpack.sources.RawSource(source));
      });
    });
  }

  private belongsToTheShell(name: string): boolean {
    if (/service-worker|\.map$|\.(eot|ttf|woff|br)$|LICENSE/.test(name)) return false;
    return (
      [OPEN_SOURCE, 'index.html'].includes(name) ||
      /^(static|icons)\//.test(name) ||
      name.endsWith('.webmanifest')
    );
  }
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** A digest of everything a build is made from, so that a start builds only when it must. */
function sources(): string {
  const inputs = ['src', 'public'].flatMap((folder) => filesBelow(join(root, folder)));
  const files = [...inputs, join(root, 'package-lock.json'), join(root, 'webpack.config.ts')];
  const digest = createHash('sha256');
  for (const file of files) {
    if (file.startsWith(join(root, 'src', 'server'))) continue;
    digest.update(relative(root, file)).update(readFileSync(file));
  }
  return digest.digest('hex');
}

/** Builds the app into `dist/` unless what is there was made from the same files. */
export async function build({ ifStale }: { ifStale: boolean }): Promise<void> {
  const wanted = sources();
  const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (ifStale && isFresh && existsSync(join(output, 'index.html'))) return;

  const seconds = -performance.now() / 1_000;
  process.stderr.write('Building the app …\n');
  const stats = await new Promise<webpack.Stats>((done, fail) => {
    webpack(configuration(), (error, result) => {
      if (error !== null || result === undefined) fail(error ?? new Error('Nothing was built'));
      else done(result);
    });
  });
  if (stats.hasErrors()) {
    process.stderr.write(`${stats.toString({ preset: 'errors-only' })}\n`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(stamp, wanted);
  const took = (seconds + performance.now() / 1_000).toFixed(1);
  process.stderr.write(`Built in ${took} s\n`);
}

const isMain =
  process.argv[1] !== undefined &&
  statSync(process.argv[1]).isFile() &&
  process.argv[1] === fileURLToPath(import.meta.url);
if (isMain) await build({ ifStale: process.argv.includes('--if-stale') });

export default configuration();
