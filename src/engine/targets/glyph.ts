type Point = readonly [x: number, y: number];

/** Letters and digits as strokes on a grid 4 wide and 6 high; strokes are parted by a bar. */
const STROKES: Readonly<Record<string, string>> = {
  A: '0,6 2,0 4,6|0.7,4 3.3,4',
  B: '0,6 0,0 2.6,0 3.6,0.8 3.6,2.1 2.6,3 0,3|2.6,3 4,4 4,5.1 2.8,6 0,6',
  C: '4,1.2 2.8,0 1.2,0 0,1.4 0,4.6 1.2,6 2.8,6 4,4.8',
  D: '0,0 0,6 2.4,6 4,4.4 4,1.6 2.4,0 0,0',
  E: '4,0 0,0 0,6 4,6|0,3 3.2,3',
  F: '4,0 0,0 0,6|0,3 3.2,3',
  G: '4,1.2 2.8,0 1.2,0 0,1.4 0,4.6 1.2,6 2.8,6 4,4.8 4,3.2 2.4,3.2',
  H: '0,0 0,6|4,0 4,6|0,3 4,3',
  I: '2,0 2,6',
  J: '3.4,0 3.4,4.8 2.4,6 1.2,6 0.2,4.9',
  K: '0,0 0,6|4,0 0,3.6|1.4,2.4 4,6',
  L: '0.4,0 0.4,6 4,6',
  M: '0,6 0,0 2,3.4 4,0 4,6',
  N: '0,6 0,0 4,6 4,0',
  O: '1.2,0 2.8,0 4,1.4 4,4.6 2.8,6 1.2,6 0,4.6 0,1.4 1.2,0',
  P: '0,6 0,0 2.8,0 4,1 4,2.4 2.8,3.4 0,3.4',
  Q: '1.2,0 2.8,0 4,1.4 4,4.6 2.8,6 1.2,6 0,4.6 0,1.4 1.2,0|2.6,4.4 4.2,6.2',
  R: '0,6 0,0 2.8,0 4,1 4,2.4 2.8,3.4 0,3.4|2,3.4 4,6',
  S: '3.9,1.1 2.8,0 1.2,0 0.1,0.9 0.1,2 1,2.8 3,3.2 3.9,4 3.9,5.1 2.8,6 1.2,6 0.1,4.9',
  T: '0,0 4,0|2,0 2,6',
  U: '0,0 0,4.6 1.2,6 2.8,6 4,4.6 4,0',
  V: '0,0 2,6 4,0',
  W: '-0.4,0 0.8,6 2,1.8 3.2,6 4.4,0',
  X: '0,0 4,6|4,0 0,6',
  Y: '0,0 2,3 4,0|2,3 2,6',
  Z: '0,0 4,0 0,6 4,6',
  0: '1.2,0 2.8,0 4,1.4 4,4.6 2.8,6 1.2,6 0,4.6 0,1.4 1.2,0',
  1: '0.8,1.2 2.2,0 2.2,6|0.8,6 3.6,6',
  2: '0.1,1.2 1.2,0 2.8,0 3.9,1.2 3.9,2.2 0,6 4,6',
  3: '0.2,0.9 1.2,0 2.8,0 3.8,0.9 3.8,2.1 2.8,2.9 1.6,2.9|2.8,2.9 4,3.8 4,5 2.8,6 1.2,6 0,5',
  4: '3,6 3,0 0,4.2 4,4.2',
  5: '3.8,0 0.5,0 0.2,2.8 1.4,2.2 2.8,2.2 4,3.4 4,4.8 2.8,6 1.2,6 0,5',
  6: '3.6,0.8 2.8,0 1.4,0 0,1.6 0,4.6 1.2,6 2.8,6 4,4.8 4,3.6 2.8,2.6 1.2,2.6 0,3.6',
  7: '0,0 4,0 1.4,6',
  8: '1.2,0 2.8,0 3.7,0.9 3.7,2 2.8,2.9 1.2,2.9 0.3,2 0.3,0.9 1.2,0|1.2,2.9 0,4 0,5 1.2,6 2.8,6 4,5 4,4 2.8,2.9',
  9: '0.4,5.2 1.2,6 2.6,6 4,4.4 4,1.4 2.8,0 1.2,0 0,1.2 0,2.4 1.2,3.4 2.8,3.4 4,2.4',
};
/** The mark for names in other scripts: a page with a folded corner. */
const PAGE = '0,0 2.6,0 4,1.4 4,6 0,6 0,0|2.6,0 2.6,1.4 4,1.4|1,3 3,3|1,4.4 3,4.4';
const WIDTH = 4;
const HEIGHT = 6;
const HALF_STROKE = 0.42;

/**
 * Says how much of the point (0 to 1 both ways) the mark for `name` covers: its first letter where
 * that is Latin. `soft` is the width of an edge, in the same unit.
 */
export function markOf(name: string): (x: number, y: number, soft: number) => number {
  const [, letter = ''] =
    /^[^\p{L}\p{N}]*([A-Z0-9])/u.exec(name.normalize('NFKD').toUpperCase()) ?? [];
  const segments = segmentsOf(STROKES[letter] ?? PAGE);
  // A twelfth of the height stays free on either side of the tallest stroke.
  const unit = 1 / (HEIGHT + 2 * HALF_STROKE);
  return (x, y, soft) => {
    const point: Point = [x / unit - (1 / unit - WIDTH) / 2, y / unit - HALF_STROKE];
    let nearest = Infinity;
    for (const [from, to] of segments) nearest = Math.min(nearest, squareTo(point, from, to));
    const distance = Math.sqrt(nearest);
    return Math.min(1, Math.max(0, (HALF_STROKE - distance) / (soft / unit) + 0.5));
  };
}

function segmentsOf(strokes: string): readonly (readonly [Point, Point])[] {
  return strokes.split('|').flatMap((stroke) => {
    const points = stroke.split(' ').map((pair): Point => {
      const [x = 0, y = 0] = pair.split(',').map(Number);
      return [x, y];
    });
    return points.slice(1).map((to, i) => [points[i] ?? to, to] as const);
  });
}

/** The square of the distance from a point to a line between two. */
function squareTo([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy);
  const share = Math.min(1, Math.max(0, along));
  return (x - x1 - share * dx) ** 2 + (y - y1 - share * dy) ** 2;
}
