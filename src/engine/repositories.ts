import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { newId } from '#base/id.ts';
import type { Clock, Random } from '#base/id.ts';
import type { EnginePaths } from './engine-paths.ts';

/** One upload of a project's content. */
export interface Content {
  /** Counted from 1 in each project; grows with every upload. */
  readonly number: number;
  readonly path: string;
  readonly sizeBytes: number;
}

/** An upload as it lies on the disk. */
export interface KeptContent extends Content {
  readonly project: number;
  /** The moment of the upload, in ms. */
  readonly at: number;
}

/** Decides whether an upload is kept. @returns what `keep` returns */
type Admit = (sizeBytes: number, keep: () => Promise<number>) => Promise<number>;

/** The content that people uploaded to the projects of the bundled engine. */
export interface Repositories {
  newest(project: number): Promise<Content | null>;
  /** Lists all that is kept of `projects`. */
  kept(projects: ReadonlySet<number>): Promise<readonly KeptContent[]>;
  remove(project: number, number: number): Promise<void>;
  content(project: number, number: number): string;
  /**
   * Removes what uploads left behind whose server ended, for it counts nowhere.
   *
   * @param before in ms since 1970: what was written since then stays
   */
  removeParts(before: number): Promise<void>;
  /**
   * Keeps a zip file as the newest, whole or not at all. What `check` throws about the file is
   * thrown on, and nothing is kept.
   *
   * @param admit gets the size of the checked file, and has to call `keep`, which is over at once,
   *   if it may be kept
   */
  add(
    project: number,
    bytes: AsyncIterable<Uint8Array>,
    check?: (path: string) => Promise<unknown>,
    admit?: Admit,
  ): Promise<Content>;
}

export function openRepositories(paths: EnginePaths, clock: Clock, random: Random): Repositories {
  const contentOf = (project: number, number: number) =>
    join(paths.repository(project), `${number}.zip`);

  const newest = async (project: number): Promise<Content | null> => {
    const number = Math.max(0, ...(await numbersIn(paths.repository(project))));
    if (number === 0) return null;
    const path = contentOf(project, number);
    return { number, path, sizeBytes: (await stat(path)).size };
  };

  const projects = async (): Promise<number[]> => {
    const folders = await readdir(dirname(paths.repository(0))).catch(() => []);
    return folders.filter((name) => /^\d+$/.test(name)).map(Number);
  };

  const keptOf = async (project: number): Promise<KeptContent[]> => {
    const kept: KeptContent[] = [];
    for (const number of await numbersIn(paths.repository(project))) {
      const path = contentOf(project, number);
      const found = await stat(path).catch(() => null);
      if (found === null) continue;
      kept.push({ project, number, path, sizeBytes: found.size, at: found.mtimeMs });
    }
    return kept;
  };

  return {
    newest,
    kept: async (wanted) => {
      // Few of many projects may have content, and each that has it has a folder.
      const kept: KeptContent[] = [];
      for (const project of await projects())
        if (wanted.has(project)) kept.push(...(await keptOf(project)));
      return kept;
    },
    removeParts: async (before) => {
      for (const project of await projects())
        await removePartsIn(paths.repository(project), before);
    },
    remove: (project, number) => rm(contentOf(project, number), { force: true }),
    content: contentOf,
    add: async (
      project,
      bytes,
      check = () => Promise.resolve(),
      admit: Admit = (_, keep) => keep(),
    ) => {
      const folder = paths.repository(project);
      await mkdir(folder, { recursive: true });
      const part = join(folder, `${newId(clock, random)}.part`);
      try {
        // It is there before it can be refused: nothing makes it after it was removed.
        const handle = await open(part, 'wx', 0o600);
        await pipeline(bytes, handle.createWriteStream());
        await check(part);
        await flushToDisk(part);
        const { size: sizeBytes } = await stat(part);
        const number = await admit(sizeBytes, () => linkAsNext(part, folder));
        await flushToDisk(folder);
        const path = contentOf(project, number);
        return { number, path, sizeBytes };
      } finally {
        await rm(part, { force: true });
      }
    },
  };
}

async function numbersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  return names.flatMap((name) => {
    const [, number] = /^(\d+)\.zip$/.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

async function removePartsIn(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.part')) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < before) await rm(path, { force: true });
  }
}

/** A link, unlike a rename, never replaces what another upload has put there meanwhile. */
async function linkAsNext(part: string, folder: string): Promise<number> {
  for (;;) {
    const number = 1 + Math.max(0, ...(await numbersIn(folder)));
    try {
      await link(part, join(folder, `${number}.zip`));
      return number;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
  }
}

/** Makes a file, or the names in a folder, survive a power cut. */
async function flushToDisk(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
