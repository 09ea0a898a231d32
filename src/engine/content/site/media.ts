import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extname } from 'node:path/posix';
import type { Log } from '../../build/log.ts';
import type { SiteFile } from '../files.ts';
import { APP_FILE, isMarkdown } from '../kind.ts';

const SOUNDS = ['.mp3', '.m4a', '.aac', '.ogg', '.oga', '.opus', '.wav', '.flac'];
const VIDEOS = ['.mp4', '.m4v', '.webm', '.ogv'];
const PICTURES = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.svg'];
const OTHERS = ['.pdf', '.vtt', '.txt', '.csv', '.epub'];
const KNOWN = new Set([...SOUNDS, ...VIDEOS, ...PICTURES, ...OTHERS]);

/** Finds what acts in a drawing without its white space, which browsers skip inside addresses. */
const ACTS =
  /<([^<>:/=]+:)?(script|foreignobject|iframe|embed|object|handler|listener)|(java|vb)script:|<!entity|xml-stylesheet|data:(text|image\/svg|application)|&#|xhtml/i;
const LISTENS = /[\s"'/]on[a-z]+\s*=/i;

const endOf = (path: string): string => extname(path).toLowerCase();

export const isSound = (path: string): boolean => SOUNDS.includes(endOf(path));
export const isVideo = (path: string): boolean => VIDEOS.includes(endOf(path));

/**
 * The files beside Markdown pages that go into their site. Only kinds that browsers show without
 * running anything: pages and scripts are the renderer's alone.
 */
export async function mediaAmong(
  folder: string,
  paths: readonly string[],
  log: Log,
): Promise<readonly SiteFile[]> {
  const taken: SiteFile[] = [];
  for (const path of paths) {
    if (isMarkdown(path) || path === APP_FILE) continue;
    const from = join(folder, path);
    if (!KNOWN.has(endOf(path)))
      log.remark(`${path} is left out: it is not a picture, sound, video or document.`);
    else if (endOf(path) === '.svg' && mayAct(await readFile(from)))
      log.remark(`${path} is left out: a drawing must not hold scripts or other documents.`);
    else taken.push({ path, from });
  }
  return taken;
}

/**
 * Says whether a drawing could do more than be seen when it is opened by itself. It looks for words
 * rather than structure, since XML has many ways to write the same; a drawing has no use for any of
 * them.
 */
function mayAct(drawing: Buffer): boolean {
  const source = drawing.toString('utf8');
  // Another encoding would hide what is looked for.
  if (drawing.includes(0) || /<\?xml[^>]+encoding\s*=\s*["'](?!utf-8)/i.test(source)) return true;
  return ACTS.test(source.replace(/[\s\p{Cc}]+/gu, '')) || LISTENS.test(source);
}
