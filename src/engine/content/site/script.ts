import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** The script at `module`, with what it imports, as browsers of the last years run it. */
export function bundled(module: URL): Buffer {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(module)],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`Nothing came of ${module.href}`);
  return Buffer.from(file.contents);
}
