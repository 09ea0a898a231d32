import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Pieces of a file and what stands there instead. */
export type Lines = readonly (readonly [from: string, to: string])[];

/**
 * The environment in which a Node process loads `file` with other lines than are on the disk, to see
 * whether a test notices. Nothing in the tree changes. Give the one to the next for several files.
 *
 * @throws Error where a line is not there exactly once
 */
export function replaceLines(
  file: string,
  lines: Lines,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return loadInstead(file, replaced(file, readFileSync(file, 'utf8'), lines), env);
}

/** The environment in which a Node process loads `source` where it asks for `file`. */
export function loadInstead(
  file: string,
  source: string,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const path = resolve(file);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-replaced-'));
  const copy = join(folder, basename(path));
  const preload = join(folder, 'preload.mjs');
  writeFileSync(copy, source);
  writeFileSync(preload, preloadOf(path, copy));
  const options = `${env.NODE_OPTIONS ?? ''} --import ${pathToFileURL(preload).href}`;
  return { ...env, NODE_OPTIONS: options.trim() };
}

/** `source` with other lines. @throws Error where one is not there exactly once */
function replaced(file: string, source: string, lines: Lines): string {
  return lines.reduce((text, [from, to]) => {
    const times = text.split(from).length - 1;
    if (times !== 1) throw new Error(`${file} holds ${times} times, not once: ${from}`);
    return text.replace(from, () => to);
  }, source);
}

/** Hands the copy to whoever loads `path`, by import or by require; the module keeps its address. */
function preloadOf(path: string, copy: string): string {
  const [from, to] = [pathToFileURL(path).href, pathToFileURL(copy).href];
  const hooks = `export const load = (url, context, next) => {
    const [file, query] = url.split('?');
    if (file !== ${JSON.stringify(from)}) return next(url, context);
    return next(${JSON.stringify(to)} + (query === undefined ? '' : '?' + query), context);
  };`;
  return `
    import fs from 'node:fs';
    import { register, syncBuiltinESMExports } from 'node:module';
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) {
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
      const read = fs.readFileSync;
      fs.readFileSync = (file, ...options) =>
        read(file === ${JSON.stringify(path)} ? ${JSON.stringify(copy)} : file, ...options);
      syncBuiltinESMExports();
    }`;
}
