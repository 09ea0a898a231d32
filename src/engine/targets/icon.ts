import { readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { PNG } from 'pngjs';
import type { AppFile } from '../content/app-file.ts';
import { textFor } from '../content/app-file.ts';
import { channelsOf, onColor } from '#base/colour.ts';
import type { Log } from '../build/log.ts';
import { markOf } from './glyph.ts';

/** Pictures of an app, as PNGs of any size. */
export interface Icon {
  /** Draws it with clear corners where the picture has them. */
  plain(sidePx: number): Buffer;
  /**
   * Draws it on the app's colour to the edges, with nothing in the fifth that devices may cut away.
   */
  maskable(sidePx: number): Buffer;
  /**
   * Draws it on nothing, with the room around it that phones move and cut it in over the app's
   * colour.
   */
  front(sidePx: number): Buffer;
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

/** The icon that `app.json` names in the content at `folder`, else one with the app's initial. */
export async function iconOf(folder: string, app: AppFile, log: Log): Promise<Icon> {
  const picture = app.icon === null ? null : await pictureAt(folder, app.icon, log);
  return picture === null ? initialOf(app) : fromPicture(picture, app.color);
}

async function pictureAt(folder: string, path: string, log: Log): Promise<PNG | null> {
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
  // Read from the header, so that no memory is taken for a picture that is too large.
  const [width, height] =
    bytes.length < 24 ? [0, 0] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (Math.max(width, height) > LARGEST_SIDE_PX) return refuse('has more than 4096 pixels a side');
  if (Math.min(width, height) < SMALLEST_SIDE_PX) return refuse('has less than 48 pixels a side');
  try {
    return PNG.sync.read(bytes);
  } catch {
    return refuse('cannot be read as PNG');
  }
}

type Color = readonly [red: number, green: number, blue: number, alpha: number];
const CLEAR: Color = [0, 0, 0, 0];

/** The colour at a point, from 0 to 1 both ways; `soft` is the size of a pixel. */
type Paint = (x: number, y: number, soft: number) => Color;

function fromPicture(picture: PNG, color: string): Icon {
  const paint = sampled(picture);
  return {
    plain: (side) => draw(side, paint),
    maskable: (side) => draw(side, over(inset(paint, SAFE), filled(color))),
    front: (side) => draw(side, inset(paint, SAFE * SHOWN)),
  };
}

function initialOf({ names, color, language }: AppFile): Icon {
  const mark = markOf(textFor(names, language) ?? '');
  const ink = channelsOf(onColor(color));
  const letter: Paint = (x, y, soft) => {
    const inside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
    return [...ink, inside ? mark(x, y, soft) * 255 : 0];
  };
  const rounded: Paint = (x, y, soft) => [...channelsOf(color), 255 * cornered(x, y, soft)];
  return {
    plain: (side) => draw(side, over(inset(letter, LETTER), rounded)),
    maskable: (side) => draw(side, over(inset(letter, LETTER * SAFE), filled(color))),
    front: (side) => draw(side, inset(letter, LETTER * SAFE * SHOWN)),
  };
}

const filled =
  (color: string): Paint =>
  () => [...channelsOf(color), 255];

/** Says how much of a square with round corners covers the point. */
function cornered(x: number, y: number, soft: number): number {
  const [dx, dy] = [x, y].map((at) => Math.max(0, Math.abs(at - 0.5) - 0.5 + CORNER));
  const distance = Math.hypot(dx ?? 0, dy ?? 0);
  return Math.min(1, Math.max(0, (CORNER - distance) / soft + 0.5));
}

/** `paint` at `share` of its size, in the middle. */
const inset =
  (paint: Paint, share: number): Paint =>
  (x, y, soft) =>
    paint((x - 0.5) / share + 0.5, (y - 0.5) / share + 0.5, soft / share);

const over =
  (top: Paint, bottom: Paint): Paint =>
  (x, y, soft) => {
    const [above, below] = [top(x, y, soft), bottom(x, y, soft)];
    const cover = above[3] / 255;
    const alpha = cover + (below[3] / 255) * (1 - cover);
    const mixed = (i: 0 | 1 | 2) =>
      alpha === 0 ? 0 : (above[i] * cover + (below[i] * below[3] * (1 - cover)) / 255) / alpha;
    return [mixed(0), mixed(1), mixed(2), alpha * 255];
  };

/** The picture, whole and in the middle of the square; each point is the mean of what it covers. */
function sampled(picture: PNG): Paint {
  const { width, height } = picture;
  const side = Math.max(width, height);
  const [left, top] = [(side - width) / 2, (side - height) / 2];
  return (x, y, soft) => {
    const reach = Math.max(0.5, (soft * side) / 2);
    return meanOf(
      picture,
      span(x * side - left, reach, width),
      span(y * side - top, reach, height),
    );
  };
}

/** The mean colour of some pixels; clear ones count by how little they show. */
function meanOf({ width, data }: PNG, columns: Span, rows: Span): Color {
  const sum: [number, number, number] = [0, 0, 0];
  let cover = 0;
  for (let row = rows.from; row < rows.to; row += 1)
    for (let column = columns.from; column < columns.to; column += 1) {
      const at = (row * width + column) * 4;
      const alpha = data[at + 3] ?? 0;
      for (const i of [0, 1, 2] as const) sum[i] += (data[at + i] ?? 0) * alpha;
      cover += alpha;
    }
  if (cover === 0) return CLEAR;
  const [red, green, blue] = sum;
  return [red / cover, green / cover, blue / cover, cover / (columns.size * rows.size)];
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** Counts those outside the picture too. */
  readonly size: number;
}

/** The whole pixels within `reach` of `at`. */
function span(at: number, reach: number, end: number): Span {
  const from = Math.round(at - reach);
  const to = Math.max(from + 1, Math.round(at + reach));
  return { from: Math.max(0, from), to: Math.min(end, to), size: to - from };
}

function draw(side: number, paint: Paint): Buffer {
  const png = new PNG({ width: side, height: side });
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      const color = paint((column + 0.5) / side, (row + 0.5) / side, 1 / side);
      for (let i = 0; i < 4; i += 1)
        png.data[(row * side + column) * 4 + i] = Math.round(color[i] ?? 0);
    }
  // Trying every filter for each line takes ten times as long.
  return PNG.sync.write(png, { filterType: 4 });
}
