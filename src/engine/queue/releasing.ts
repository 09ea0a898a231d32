import { copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { filePaths } from '#protocol/file-paths.ts';
import { sha256Of } from '../targets/digests.ts';
import type { EngineDatabase } from '../host.ts';
import type { RunBuildTask } from './build-worker.ts';
import type { EnginePaths, StoredFile } from '../engine-paths.ts';
import type { BuildTaskResult, BuildTask } from './build-queue.ts';

interface ReleasingParts {
  readonly db: EngineDatabase;
  readonly publicUrl: string;
  readonly paths: EnginePaths;
}

interface Wanted {
  /** The product. */
  readonly request: string;
  readonly channel: string;
  readonly targets: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly result: string | null;
  readonly files: readonly StoredFile[];
}

/**
 * The stores that the bundled engine can publish to: each is a place among Slipway's own downloads.
 */
const STORES: ReadonlySet<string> = new Set(['google-play', 's3-bucket', 'rclone']);

/** The types that people come for; the first that there is has the link. */
const MAIN = ['apk', 'asset-package', 'pwa', 'html', 'aab'];

/** Copies what a build made to where it stays whatever becomes of the build, and links to it. */
export function releasing({ db, publicUrl, paths }: ReleasingParts): RunBuildTask {
  return async (task, signal) => {
    signal.throwIfAborted();
    const wanted = await wantedIn(db, task);
    const refusal = refusalOf(wanted);
    if (refusal !== null) return refusal;

    const folder = paths.published(task.id);
    // A folder of its own until it is whole: a file there is never half a file.
    const drafts = Array.from({ length: task.taken }, (_, i) => `${folder}.${i + 1}`);
    for (const each of drafts) await rm(each, { recursive: true, force: true });
    const draft = `${folder}.${task.taken}`;
    const files: StoredFile[] = [];
    const lines = [`Channel ${wanted.channel}, ${wanted.targets.join(' ')}`];
    for (const file of publishable(wanted)) {
      signal.throwIfAborted();
      const name = basename(file.path);
      const sha256 = await copyWhole(paths.absolute(file.path), join(draft, file.type), name);
      files.push({ ...file, path: paths.stored(join(folder, file.type, name)), sha256 });
      lines.push(`Published ${file.type} ${name}`);
    }
    const publishLink = linkTo(publicUrl, wanted);
    lines.push(publishLink, '');
    await writeFile(join(draft, 'console.txt'), lines.join('\n'), { mode: 0o600 });
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
    const console: StoredFile = {
      type: 'consoleText',
      path: paths.stored(join(folder, 'console.txt')),
      contentType: 'text/plain; charset=utf-8',
    };
    return { result: 'SUCCESS', error: null, files: [...files, console], publishLink };
  };
}

async function wantedIn(db: EngineDatabase, { id }: BuildTask): Promise<Wanted> {
  const [row] = await db.read((tx) =>
    tx.query(
      sql<Wanted>`select job.request_id as request, release.channel, release.targets,
          release.environment, build.result, build.files
        from engine_releases release join engine_builds build on build.id = release.build_id
        join engine_jobs job on job.id = build.job_id where release.id = ${id}`,
    ),
  );
  if (row === undefined) throw new Error(`There is no release ${id}`);
  return row;
}

function refusalOf(wanted: Wanted): BuildTaskResult | null {
  const strange = wanted.targets.find((target) => !STORES.has(target));
  const error =
    wanted.result !== 'SUCCESS'
      ? 'Only a build that succeeded can be published.'
      : strange !== undefined
        ? `The bundled engine does not publish to ${strange}.`
        : publishable(wanted).length === 0
          ? 'The build made nothing that could be published.'
          : null;
  return error === null ? null : { result: 'FAILURE', error, files: [] };
}

const hidden = (file: StoredFile): boolean => file.type === 'consoleText';
const isApp = (file: StoredFile): boolean => file.type === 'apk' || file.type === 'aab';

function publishable({ files, environment }: Wanted): readonly StoredFile[] {
  const isWithoutApp = environment.PUBLISH_NO_APK === '1';
  return files.filter((file) => !hidden(file) && !(isWithoutApp && isApp(file)));
}

/** The page of an app in a store, else the page of its main file (requirements 2.14). */
function linkTo(publicUrl: string, wanted: Wanted): string {
  const types = publishable(wanted).map(({ type }) => type);
  const product = encodeURIComponent(wanted.request);
  if (wanted.targets.includes('google-play') && types.includes('play-listing-manifest'))
    return `${publicUrl}/downloads/apk/${product}/published`;
  const main = MAIN.find((type) => types.includes(type)) ?? types[0] ?? '';
  return `${publicUrl}${filePaths.downloadPage(wanted.request, main)}`;
}

/** Returns the copy's SHA-256, so that nobody who asks for the file's page has to read it. */
async function copyWhole(from: string, folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const to = join(folder, name);
  await copyFile(from, to);
  const handle = await open(to);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  return sha256Of(to);
}
