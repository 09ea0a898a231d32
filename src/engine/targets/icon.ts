import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import opentype from 'opentype.js';
import sharp from 'sharp';
import type { AppFile } from '../content/app-file.ts';
import { textFor } from '../content/app-file.ts';
import { onColor } from '#base/colour.ts';
import type { Log } from '../build/log.ts';

/** Pictures of an app, as PNGs of any size. */
export interface Icon {
  /** Draws it with clear corners where the picture has them. */
  plain(sidePx: number): Promise<Buffer>;
  /**
   * Draws it on the app's colour to the edges, with nothing in the fifth that devices may cut away.
   */
  maskable(sidePx: number): Promise<Buffer>;
  /**
   * Draws it on nothing, with the room around it that phones move and cut it in over the app's
   * colour.
   */
  front(sidePx: number): Promise<Buffer>;
}

const LARGEST_BYTES = 8 * 1024 * 1024;
const LARGEST_SIDE_PX = 4_096;
const SMALLEST_SIDE_PX = 48;
/** Every device shows this share of the side of a maskable icon. */
const SAFE = 0.8;
/** Phones show this share of the side of a front at most. */
const SHOWN = 2 / 3;
/** A generated letter fills this share of the safe part. */
const LETTER = 0.55;
const CORNER = 0.22;
/** The bytes that every PNG begins with. */
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const CLEAR = '#00000000';
const FONT = '@fontsource/lato/files/lato-latin-700-normal.woff';
/** The mark for names in other scripts, on a square of 6: a page with a folded corner. */
const PAGE = 'M1 0h2.6L5 1.4V6H1ZM3.6 0v1.4H5M2 3h2M2 4.4h2';

/** The icon that `app.json` names in the content at `folder`, else one with the app's initial. */
export async function iconOf(folder: string, app: AppFile, log: Log): Promise<Icon> {
  const picture = app.icon === null ? null : await pictureAt(folder, app.icon, log);
  return picture === null ? initialOf(app) : fromPicture(picture, app.color);
}

async function pictureAt(folder: string, path: string, log: Log): Promise<Buffer | null> {
  const refuse = (why: string) => {
    log.remark(`The icon ${path} ${why}; a plain one is used.`);
    return null;
  };
  const inside = posix.normalize(path);
  if (inside.startsWith('..') || inside.startsWith('/')) return refuse('is not in the content');
  const found = await stat(join(folder, inside)).catch(() => null);
  if (found?.isFile() !== true) return refuse('is not there');
  if (found.size > LARGEST_BYTES) return refuse('is larger than 8 MiB');
  const bytes = await readFile(join(folder, inside));
  // Strangers' bytes reach no reader of another format.
  if (!bytes.subarray(0, PNG.length).equals(PNG)) return refuse('cannot be read as PNG');
  try {
    // Read from the header, so that no memory is taken for a picture that is too large.
    const { width, height } = await sharp(bytes).metadata();
    if (Math.max(width, height) > LARGEST_SIDE_PX)
      return refuse('has more than 4096 pixels a side');
    if (Math.min(width, height) < SMALLEST_SIDE_PX) return refuse('has less than 48 pixels a side');
    return await sharp(bytes).png().toBuffer();
  } catch {
    return refuse('cannot be read as PNG');
  }
}

/** The picture, whole and in the middle of the square. */
function fromPicture(picture: Buffer, color: string): Icon {
  const draw = (side: number, share: number, background: string) => {
    const inner = Math.max(1, Math.round(side * share));
    const before = Math.floor((side - inner) / 2);
    const after = side - inner - before;
    return sharp(picture)
      .resize({ width: inner, height: inner, fit: 'contain', background: CLEAR })
      .extend({ top: before, left: before, bottom: after, right: after, background: CLEAR })
      .flatten(background === CLEAR ? false : { background })
      .png()
      .toBuffer();
  };
  return {
    plain: (side) => draw(side, 1, CLEAR),
    maskable: (side) => draw(side, SAFE, color),
    front: (side) => draw(side, SAFE * SHOWN, CLEAR),
  };
}

async function initialOf({ names, color, language }: AppFile): Promise<Icon> {
  const mark = await markOf(textFor(names, language) ?? '', onColor(color));
  const draw = (side: number, share: number, background: string) => {
    const place = `translate(0.5 0.5) scale(${share})`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="${side}" height="${side}">${background}<g transform="${place}">${mark}</g></svg>`;
    return sharp(Buffer.from(svg)).png().toBuffer();
  };
  const square = (corner: number) => `<rect width="1" height="1" rx="${corner}" fill="${color}"/>`;
  return {
    plain: (side) => draw(side, LETTER, square(CORNER)),
    maskable: (side) => draw(side, LETTER * SAFE, square(0)),
    front: (side) => draw(side, LETTER * SAFE * SHOWN, ''),
  };
}

/** SVG around 0, one high: the first letter of `name` where that is Latin, else a page. */
async function markOf(name: string, ink: string): Promise<string> {
  const [, letter] = /^[^\p{L}\p{N}]*([A-Z0-9])/u.exec(name.normalize('NFKD').toUpperCase()) ?? [];
  if (letter === undefined)
    return `<path transform="scale(${1 / 6}) translate(-3 -3)" d="${PAGE}" fill="none" stroke="${ink}" stroke-width="0.6" stroke-linejoin="round"/>`;
  const font = await readFile(createRequire(import.meta.url).resolve(FONT));
  const path = opentype.parse(new Uint8Array(font).buffer).getPath(letter, 0, 0, 1);
  const { x1, y1, x2, y2 } = path.getBoundingBox();
  const scale = 1 / Math.max(x2 - x1, y2 - y1);
  const place = `scale(${scale}) translate(${-(x1 + x2) / 2} ${-(y1 + y2) / 2})`;
  return `<path transform="${place}" d="${path.toPathData(4)}" fill="${ink}"/>`;
}
