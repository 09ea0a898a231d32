import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readAppFile, textFor } from '../content/app-file.ts';
import { CONTENT_LIMITS, readArchive, unpack } from '../content/archive.ts';
import { filesBelow } from '../content/files.ts';
import { APP_FILE, kindOf } from '../content/kind.ts';
import { renderPages } from '../content/site/render.ts';
import type { BuiltSite } from '../content/site/render.ts';
import { ownName } from '#base/language-tag.ts';
import type { AppFile } from '../content/app-file.ts';
import { BuildFailure } from './failure.ts';
import type { Log } from './log.ts';
import type { BuildOrder, BuiltFile } from './order.ts';
import { iconOf } from '../targets/icon.ts';
import { targets } from '../targets/targets.ts';
import { previewFile } from '../targets/preview.ts';
import type { BuildTarget, BuildInput } from '../targets/target.ts';
import { builtFile, json, writeOut } from '../targets/write.ts';

/**
 * Builds what `order` asks for, in its folder.
 *
 * @param made called with files as soon as they are finished
 * @throws BuildFailure, ContentRefused when it cannot be built
 */
export async function build(
  order: BuildOrder,
  log: Log,
  made: (files: readonly BuiltFile[]) => void,
): Promise<void> {
  const wanted = wantedTargets(order.targets);
  log.phase(`Building ${wanted.map(([name]) => name).join(', ')}, version ${order.version.name}`);
  const work = await prepare(order, log);
  for (const [name, target] of wanted) {
    log.phase(`Making ${name}`);
    made(await target(work));
  }
  made(await describe(work));
  log.phase('Done');
}

function wantedTargets(names: readonly string[]): (readonly [string, BuildTarget])[] {
  if (names.length === 0) throw new BuildFailure('The order names no target.');
  return [...new Set(names)].map((name) => {
    const target = targets.get(name);
    if (target !== undefined) return [name, target] as const;
    const known = [...targets.keys()].join(', ');
    throw new BuildFailure(`There is no target ${JSON.stringify(name)}; there are ${known}.`);
  });
}

async function prepare(order: BuildOrder, log: Log): Promise<BuildInput> {
  const content = join(order.folder, 'content');
  const out = join(order.folder, 'out');
  await mkdir(out, { recursive: true });
  await mkdir(content, { recursive: true });
  const kind = await readArchive(order.content, CONTENT_LIMITS, async (files, zip) => {
    const found = kindOf(files.map(({ path }) => path));
    log.phase(`Unpacking ${files.length} files`);
    await unpack(zip, files, content);
    return found;
  });
  const app = await readAppFile(content, order.environment, log);
  const site =
    kind === 'pages' ? await madeFrom(content, order, app, log) : await takenFrom(content, app);
  const icon = await iconOf(content, app, log);
  return { order, app, name: textFor(app.names, app.language) ?? '', site, icon, out, log };
}

async function madeFrom(
  content: string,
  order: BuildOrder,
  app: AppFile,
  log: Log,
): Promise<BuiltSite> {
  const paths = (await filesBelow(content)).map(({ path }) => path);
  return renderPages(content, paths, join(order.folder, 'site'), app, log);
}

/** A site that brings its own pages is packed as it is, without what only the build reads. */
async function takenFrom(content: string, app: AppFile): Promise<BuiltSite> {
  const files = (await filesBelow(content)).filter(({ path }) => path !== APP_FILE);
  return {
    files,
    languages: [app.language],
    pages: files.filter(({ path }) => /\.html?$/i.test(path)).length,
    mayLoadMore: true,
  };
}

/** Describes every build in a file of its own. */
async function describe(work: BuildInput): Promise<readonly BuiltFile[]> {
  const { app, name, order, site } = work;
  const lines = [
    name,
    `Version ${order.version.name} (${order.version.code})`,
    `Built ${order.at}`,
    `Languages: ${site.languages.map((language) => `${ownName(language)} (${language})`).join(', ')}`,
    `Pages: ${site.pages}`,
    ...(app.license === null ? [] : [`Licence: ${app.license}`]),
  ];
  await writeOut(work, 'about.txt', `${lines.join('\n')}\n`);
  await writeOut(
    work,
    'version.json',
    json({ version: order.version.name, versionCode: order.version.code }),
  );
  const isSite = order.targets.some((target) => ['html', 'pwa', 'apk'].includes(target));
  return [
    builtFile(work, 'about', 'about.txt'),
    builtFile(work, 'version', 'version.json'),
    ...(isSite ? [await previewFile(work, 'preview', site.files)] : []),
  ];
}
