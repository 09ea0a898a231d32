import { fileURLToPath } from 'node:url';
import webpack from 'webpack';
import WebpackDevServer from 'webpack-dev-server';
import { configuration } from '../../webpack.config.ts';

/**
 * A page with every part of `src/ui`, in light and dark and in every language: `npm run parts`. It is
 * built as the app is, shows changes at once, and is no part of the app.
 */

const built = configuration('development');
const isForPages = new Set(['DefinePlugin', 'MiniCssExtractPlugin', 'HtmlWebpackPlugin']);
const compiler = webpack({
  ...built,
  entry: fileURLToPath(new URL('../parts/parts-page.tsx', import.meta.url)),
  experiments: { topLevelAwait: true },
  plugins: (built.plugins ?? []).filter((plugin) => isForPages.has(plugin?.constructor.name ?? '')),
});

const port = Number(process.env.PORT ?? 7_000);
const server = new WebpackDevServer(
  { port, static: 'public', client: { logging: 'warn' } },
  compiler,
);
await server.start();
process.stdout.write(`The parts are at http://localhost:${String(port)}\n`);
