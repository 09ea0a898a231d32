import { readFile } from 'node:fs/promises';
import { textFor } from '../content/app-file.ts';
import { byPath, wayUp } from '../content/files.ts';
import type { SiteFile } from '../content/files.ts';
import { directionOf } from '#base/language-tag.ts';
import { bundled } from '../content/site/script.ts';
import { digestsOf } from './digests.ts';
import { headOf } from './head.ts';
import { pack } from './pack.ts';
import type { BuildTarget, BuildInput } from './target.ts';
import { builtFile, fileStem, json } from './write.ts';

/** The paths of the parts of an installable app; pwa-register.ts names the worker too. */
const MANIFEST = 'app.webmanifest';
const WORKER = 'app-worker.js';
const REGISTER = 'app-register.js';
const ICON_SIDES_PX = [192, 512];
const PAGE = /\.html?$/i;
/** Byte order marks of UTF-16: tags cannot be added to such a page byte by byte. */
const UTF_16 = /^(\xff\xfe|\xfe\xff)/;
const REGISTERS = /serviceWorker\s*\??\.\s*register\s*\(/;
const REVISION_DIGITS = 16;
/** The part of a name that launchers show, in characters. */
const SHORT_NAME = 12;

/** The site as an app that can be installed and opens without a network. */
export const pwa: BuildTarget = async (work) => {
  const { order, log } = work;
  const files = (await isAppAlready(work)) ? work.site.files : await installable(work);
  const filename = `${fileStem(work.name, order.version.name)}-pwa.zip`;
  log.say(`Packing ${files.length} files into ${filename}`);
  const file = builtFile(work, 'pwa', filename);
  await pack(file.path, files, order.at);
  return [file];
};

/** A site with a manifest and a worker of its own stays as it is: two workers would take turns. */
async function isAppAlready({ site, log }: BuildInput): Promise<boolean> {
  let [hasManifest, hasWorker] = [false, false];
  for (const file of site.files) {
    if (file.path === REGISTER || !/\.(html?|m?js)$/i.test(file.path)) continue;
    const source = await textOf(file);
    hasWorker ||= REGISTERS.test(source);
    hasManifest ||= file.path === 'index.html' && headOf(source).manifest !== null;
  }
  if (hasManifest && hasWorker)
    log.say('The site has a web manifest and a service worker of its own; it is taken as it is.');
  return hasManifest && hasWorker;
}

async function installable(work: BuildInput): Promise<readonly SiteFile[]> {
  const { site, icon } = work;
  const own = new Map<string, Buffer>();
  for (const side of ICON_SIDES_PX) {
    own.set(iconPath(side, 'any'), await icon.plain(side));
    own.set(iconPath(side, 'maskable'), await icon.maskable(side));
  }
  own.set(MANIFEST, Buffer.from(json(manifestOf(work))));
  own.set(REGISTER, bundled(new URL('./pwa-register.ts', import.meta.url)));
  const files: SiteFile[] = [...own].map(([path, from]) => ({ path, from }));
  // A site that was built here before brings these files along: the new ones take their place.
  for (const file of site.files) {
    if (own.has(file.path) || file.path === WORKER) continue;
    files.push(PAGE.test(file.path) ? await linked(file, work) : file);
  }
  files.sort(byPath);
  return [...files, { path: WORKER, from: await workerFor(files) }].sort(byPath);
}

type Purpose = 'any' | 'maskable';

const iconPath = (side: number, purpose: Purpose): string =>
  purpose === 'any' ? `app-icons/${side}.png` : `app-icons/${purpose}-${side}.png`;

function manifestOf({ app, name }: BuildInput): object {
  const { language, color } = app;
  const description = textFor(app.descriptions, language);
  const icons = ICON_SIDES_PX.flatMap((side) =>
    (['any', 'maskable'] as const).map((purpose) => ({
      src: iconPath(side, purpose),
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose,
    })),
  );
  return {
    id: './',
    name,
    short_name: name.length <= SHORT_NAME ? name : firstWords(name),
    ...(description === null ? {} : { description }),
    lang: language,
    dir: directionOf(language),
    start_url: './',
    scope: './',
    display: 'standalone',
    theme_color: color,
    background_color: '#ffffff',
    icons,
  };
}

/** Whole words that fit below an icon; at least one, which the device shortens itself. */
function firstWords(name: string): string {
  return name.split(/\s+/).reduce((all, word) => {
    const longer = `${all} ${word}`;
    return longer.length <= SHORT_NAME ? longer : all;
  });
}

/** `page` with the links to manifest, icon and worker in its head. */
async function linked(page: SiteFile, { log }: BuildInput): Promise<SiteFile> {
  const source = await textOf(page);
  if (UTF_16.test(source)) {
    log.remark(`${page.path} is in UTF-16 and cannot be opened as an app by itself.`);
    return page;
  }
  const { at, manifest } = headOf(source);
  const top = wayUp(page.path);
  const tags = [
    `<link rel="manifest" href="${top}${MANIFEST}">`,
    `<link rel="icon" type="image/png" sizes="192x192" href="${top}${iconPath(192, 'any')}">`,
    `<link rel="apple-touch-icon" href="${top}${iconPath(192, 'maskable')}">`,
  ];
  const script = `<script src="${top}${REGISTER}" defer></script>`;
  if (source.includes(`${REGISTER}"`)) return page;
  const added = manifest === null ? [...tags, script] : [script];
  return {
    path: page.path,
    from: Buffer.from(source.slice(0, at) + added.join('') + source.slice(at), 'latin1'),
  };
}

async function workerFor(files: readonly SiteFile[]): Promise<Buffer> {
  const list = (await digestsOf(files)).map(({ path, sha256 }) => [
    path,
    sha256.slice(0, REVISION_DIGITS),
  ]);
  return Buffer.concat([
    Buffer.from(`self.APP_FILES=${JSON.stringify(list)};\n`),
    bundled(new URL('./pwa-worker.ts', import.meta.url)),
  ]);
}

/** One character a byte, so that a page of any encoding comes out with the bytes it had. */
async function textOf({ from }: SiteFile): Promise<string> {
  return (typeof from === 'string' ? await readFile(from) : from).toString('latin1');
}
