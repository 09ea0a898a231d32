import { join, relative, sep } from 'node:path';
import { LOG_FILE } from './build/log-file.ts';

/** A file of the bundled engine as the database keeps it. */
export interface StoredFile {
  readonly type: string;
  /** The path in `DATA_DIR`, with slashes. */
  readonly path: string;
  readonly contentType: string;
  /** Lower-case hexadecimal, of a file that was published; missing in what earlier versions did. */
  readonly sha256?: string;
}

/**
 * The places in `DATA_DIR` where the bundled engine keeps things, and the addresses that it gives
 * for them.
 */
export interface EnginePaths {
  /** Content of a project, one file for each upload. */
  repository(project: number): string;
  /** The folder of the `taken`-th attempt at a build. */
  build(id: number, taken: number): string;
  builds(id: number): string;
  /** The log of that attempt, from its beginning on. */
  log(id: number, taken: number): string;
  published(release: number): string;
  /** Gives the path as the database keeps it. */
  stored(absolute: string): string;
  absolute(stored: string): string;
}

export function enginePathsIn(dataDir: string): EnginePaths {
  const build = (id: number, taken: number) => join(dataDir, 'builds', String(id), String(taken));
  return {
    repository: (project) => join(dataDir, 'repositories', String(project)),
    build,
    log: (id, taken) => join(build(id, taken), 'out', LOG_FILE),
    builds: (id) => join(dataDir, 'builds', String(id)),
    published: (release) => join(dataDir, 'published', String(release)),
    stored: (absolute) => relative(dataDir, absolute).split(sep).join('/'),
    absolute: (stored) => join(dataDir, ...stored.split('/')),
  };
}

const SCHEME = 'bundled:/';

/** Nothing answers at it: whoever serves the file finds it by this. */
export const urlOf = (stored: string): string =>
  SCHEME + stored.split('/').map(encodeURIComponent).join('/');

export const repositoryUrl = (project: number): string => urlOf(`repositories/${project}`);

/** Null for an address of another engine. */
export function projectAt(url: string): number | null {
  const [, id] = /^bundled:\/repositories\/([1-9]\d{0,14})$/.exec(url) ?? [];
  return id === undefined ? null : Number(id);
}

/** Returns the attempt at a build that made the file at an address; null: no build did. */
export function attemptAt(url: string): { readonly build: number; readonly taken: number } | null {
  const [, build, taken] = /^bundled:\/builds\/([1-9]\d{0,14})\/([1-9]\d{0,14})\//.exec(url) ?? [];
  return build === undefined ? null : { build: Number(build), taken: Number(taken) };
}
