import { pack } from './pack.ts';
import type { BuildTarget } from './target.ts';
import { builtFile, fileStem } from './write.ts';

/** The site as a zip, to be put on any server or opened from a folder. */
export const html: BuildTarget = async (work) => {
  const { order, site, log } = work;
  const filename = `${fileStem(work.name, order.version.name)}-html.zip`;
  const file = builtFile(work, 'html', filename);
  log.say(`Packing ${site.files.length} files into ${filename}`);
  await pack(file.path, site.files, order.at);
  return [file];
};
