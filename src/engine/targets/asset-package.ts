import type { SiteFile } from '../content/files.ts';
import { textFor } from '../content/app-file.ts';
import { digestsOf } from './digests.ts';
import { pack } from './pack.ts';
import { previewFile } from './preview.ts';
import type { BuildTarget } from './target.ts';
import { builtFile, fileStem, json } from './write.ts';

/** The place of a package's content, beside its manifest. */
const CONTENT = 'content/';

/** A zip for apps that show others' content, with a manifest they can check it by. */
export const assetPackage: BuildTarget = async (work) => {
  const { app, name, order, site, log } = work;
  const files: SiteFile[] = [
    ...site.files.map(({ path, from }) => ({ path: `${CONTENT}${path}`, from })),
    { path: 'icon.png', from: await work.icon.plain(512) },
  ];
  const filename = `${fileStem(name, order.version.name)}-assets.zip`;
  log.say(`Packing ${files.length} files with their checksums into ${filename}`);
  const manifest = json({
    format: 1,
    id: order.environment.PRODUCT_ID ?? null,
    name,
    names: byLanguage(site.languages, (language) => textFor(app.names, language)),
    descriptions: byLanguage(site.languages, (language) => textFor(app.descriptions, language)),
    version: order.version.name,
    versionCode: order.version.code,
    created: order.at,
    defaultLanguage: app.language,
    languages: site.languages,
    color: app.color,
    icon: 'icon.png',
    start: `${CONTENT}index.html`,
    files: (await digestsOf(files)).map(({ path, sizeBytes, sha256 }) => ({
      path,
      size: sizeBytes,
      sha256,
    })),
  });
  const file = builtFile(work, 'asset-package', filename);
  await pack(
    file.path,
    [...files, { path: 'manifest.json', from: Buffer.from(manifest) }],
    order.at,
  );
  return [file, await previewFile(work, 'asset-preview', files)];
};

function byLanguage(
  languages: readonly string[],
  of: (language: string) => string | null,
): Readonly<Record<string, string>> {
  return Object.fromEntries(languages.map((language) => [language, of(language) ?? '']));
}
