import type { Arrow, Box, Point } from './arrows.ts';

/** The words beside an arrow, and their place. */
export interface Label {
  readonly lines: readonly string[];
  /** The left edge of the box that it fills. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

type Area = Pick<Label, 'x' | 'y' | 'width' | 'height'>;
type Line = readonly [Point, Point];

export const LINE_HEIGHT = 15;
/** Wide letters run a little over; lines that are crossed shine through less than letters do. */
const LETTER_WIDTH = 6.3;
const GAP = 6;
const LANE = 10;
const LETTERS_IN_GUTTER = 26;
const LETTERS_AT_EDGE = 17;
/**
 * The letters that fit between a box and the one below, where half of both and the gutter beside
 * them are free.
 */
const LETTERS_BELOW = 28;
/** The letters that fit between two arrows, up and down. */
const LETTERS_BETWEEN = 16;

/**
 * Finds a place beside each arrow for what is said of it: clear of boxes and of other labels, and of
 * lines as far as can be. The same always finds the same.
 */
export function labelsOf(
  arrows: readonly Arrow[],
  boxes: readonly Box[],
  say: (arrow: Arrow) => readonly string[],
): ReadonlyMap<Arrow, Label> {
  const lines = arrows.flatMap(({ points }) => linesOf(points));
  const placed = new Map<Arrow, Label>();
  const edge = Math.min(...boxes.map(({ x }) => x));
  const costOf = (label: Area) =>
    100 * boxes.filter((box) => overlap(label, box)).length +
    40 * [...placed.values()].filter((other) => overlap(label, other)).length +
    lines.filter((line) => overlap(label, areaOf(line))).length +
    (label.x < 0 ? 100 : 0);
  // Those that have the fewest places to choose from come first.
  const all = arrows
    .map((arrow) => {
      const text = say(arrow).flatMap((words) => wrapped(words, roomFor(arrow, arrows, edge)));
      const size = {
        width: Math.max(0, ...text.map(({ length }) => length)) * LETTER_WIDTH,
        height: text.length * LINE_HEIGHT,
      };
      const spots = spotsOf(arrow, size).map((spot) => ({ ...spot, ...size, lines: text }));
      return { arrow, spots };
    })
    .toSorted((a, b) => a.spots.length - b.spots.length);
  for (const { arrow, spots } of all) {
    const [first, ...others] = spots;
    if (first === undefined) throw new Error('Beside every arrow there is a place');
    const best = others.reduce((one, other) => (costOf(other) < costOf(one) ? other : one), first);
    placed.set(arrow, best);
  }
  return placed;
}

/** Says how many letters a line beside the arrow may have. */
function roomFor(arrow: Arrow, all: readonly Arrow[], edge: number): number {
  const { points, kind, from, to } = arrow;
  if (points.some(({ x }) => x < edge)) return LETTERS_AT_EDGE;
  const [a, b] = points;
  if (kind !== 'straight' || a?.x !== b?.x) return LETTERS_IN_GUTTER;
  const isPair = all.some((other) => other.from === to && other.to === from);
  return isPair ? LETTERS_BETWEEN : LETTERS_BELOW;
}

type Spot = Pick<Label, 'x' | 'y' | 'anchor'>;
type Size = Pick<Label, 'width' | 'height'>;

/** The best first. */
function spotsOf({ points, kind }: Arrow, size: Size): readonly Spot[] {
  const [a, b, c, d] = points;
  if (a === undefined || b === undefined) return [];
  if (kind === 'straight') return a.y === b.y ? across(a, b, size) : upright(a, b, size);
  if (c === undefined || d === undefined) return [];
  if (kind === 'loop') {
    const y = (b.y + c.y) / 2 - size.height / 2;
    // A lane may run past it.
    return [b.x, b.x + (b.x < a.x ? -LANE : LANE)].map((x) =>
      b.x < a.x ? leftOf(x, y, size) : rightOf(x, y),
    );
  }
  const isDown = b.y < c.y;
  const source = along(a, b, isDown, size);
  return [...source, ...upright(b, c, size), ...along(d, c, !isDown, size)];
}

const rightOf = (x: number, y: number): Spot => ({ x: x + GAP, y, anchor: 'start' });
const leftOf = (x: number, y: number, { width }: Size): Spot => ({
  x: x - GAP - width,
  y,
  anchor: 'end',
});

/**
 * Places a label above a line to the right and below one to the left, so that pairs do not meet.
 */
function across(a: Point, b: Point, { width, height }: Size): readonly Spot[] {
  const x = (a.x + b.x) / 2 - width / 2;
  const above: Spot = { x, y: a.y - GAP / 2 - height, anchor: 'middle' };
  const below: Spot = { x, y: a.y + GAP / 2, anchor: 'middle' };
  return a.x < b.x ? [above, below] : [below, above];
}

/** Places a label beside a vertical line: in the middle, then near its ends. */
function upright(a: Point, b: Point, size: Size): readonly Spot[] {
  const isDown = a.y < b.y;
  return [0.5, 0.25, 0.75].flatMap((part) => {
    const y = a.y + (b.y - a.y) * part - size.height / 2;
    const spots = [rightOf(a.x, y), leftOf(a.x, y, size)];
    return isDown ? spots : spots.toReversed();
  });
}

/** Places a label on the line that leaves a box, on the side away from where it turns to. */
function along(a: Point, b: Point, isTurningDown: boolean, size: Size): readonly Spot[] {
  const { x, anchor } = b.x < a.x ? leftOf(a.x, 0, size) : rightOf(a.x, 0);
  const above = a.y - GAP / 2 - size.height;
  const below = a.y + GAP / 2;
  return (isTurningDown ? [below, above] : [above, below]).map((y) => ({ x, y, anchor }));
}

function linesOf(points: readonly Point[]): readonly Line[] {
  return points.slice(1).flatMap((point, n) => {
    const before = points[n];
    return before === undefined ? [] : [[before, point] as const];
  });
}

function areaOf([a, b]: Line): Area {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}

export function overlap(a: Area, b: Area): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Breaks words into lines of at most so many letters; a longer word has a line of its own. */
export function wrapped(words: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
