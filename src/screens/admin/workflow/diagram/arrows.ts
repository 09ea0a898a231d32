import type { MachineShape, MachineStep } from '#protocol/workflow.ts';
import type { GridCell } from './grid.ts';

/*
 * Ways of arrows between the boxes of the grid, in px:
 *
 *   straight   to the next box of the row or the column
 *   in a lane  everywhere else: out of the box's side, along the gutter, into the other's side;
 *              what leads to one box shares a lane
 *   a loop     to the box itself
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly state: string;
  readonly width: number;
  readonly height: number;
}

/** All steps from one state to another. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly steps: readonly MachineStep[];
  /** Corners, the end last. */
  readonly points: readonly Point[];
  readonly kind: 'straight' | 'lane' | 'loop';
}

const BOX = { width: 168, height: 60 } as const;
const PITCH = 114;
const GUTTER = 184;
/** The room for lanes and labels beside the first column. */
const LEFT = 136;
const TOP = 24;
const LANE_FROM_BOX = 20;
const LANE_PITCH = 14;
/** A loop is less deep than the distance to the next lane. */
const LOOP_DEPTH = 12;
/** Arrows leave a side this far from its middle: one each way, and those of lanes. */
const PAIR = 7;
const LANE_OFFSETS = [16, 21, 26] as const;
/** A pair that runs up and down lies this far apart: words have room between. */
const APART = 56;

export const boxOf = (state: string, { row, column }: GridCell): Box => ({
  state,
  ...BOX,
  x: LEFT + column * (BOX.width + GUTTER),
  y: TOP + row * PITCH,
});

/** The steps from one state to one other. */
type Steps = readonly [MachineStep, ...MachineStep[]];

interface Between {
  readonly from: GridCell;
  readonly to: GridCell;
  readonly steps: Steps;
}

/** Every arrow between states that have a place. */
export function arrowsOf(
  steps: MachineShape['steps'],
  places: ReadonlyMap<string, GridCell>,
): readonly Arrow[] {
  const all = bundled(steps).flatMap((own): Between[] => {
    const from = places.get(own[0].from);
    const to = places.get(own[0].to);
    return from === undefined || to === undefined ? [] : [{ from, to, steps: own }];
  });
  const lanes = lanesOf(all.filter((one) => kindOf(one) === 'lane'));
  const ways = {
    loop,
    lane: (one: Between) => alongLane(one, lanes),
    straight: (one: Between) => straight(one, all),
  };
  return all.map((one) => {
    const kind = kindOf(one);
    const { from, to } = one.steps[0];
    return { from, to, steps: one.steps, kind, points: ways[kind](one) };
  });
}

function bundled(steps: MachineShape['steps']): readonly Steps[] {
  const found = new Map<string, Steps>();
  for (const step of steps) {
    const key = `${step.from} → ${step.to}`;
    const before = found.get(key);
    found.set(key, before === undefined ? [step] : [...before, step]);
  }
  return [...found.values()];
}

function kindOf({ from, to }: Between): Arrow['kind'] {
  const across = Math.abs(from.column - to.column);
  const down = Math.abs(from.row - to.row);
  if (across + down === 0) return 'loop';
  return across + down === 1 ? 'straight' : 'lane';
}

const leftOf = ({ column }: GridCell): number => boxOf('', { row: 0, column }).x;
const rightOf = (place: GridCell): number => leftOf(place) + BOX.width;
const middleOf = ({ row }: GridCell): number => boxOf('', { row, column: 0 }).y + BOX.height / 2;

const isSame = (a: GridCell, b: GridCell): boolean => a.row === b.row && a.column === b.column;

function straight({ from, to }: Between, all: readonly Between[]): readonly Point[] {
  const hasOpposite = all.some((other) => isSame(other.from, to) && isSame(other.to, from));
  if (from.row === to.row) {
    const isRight = from.column < to.column;
    const y = middleOf(from) + (hasOpposite ? (isRight ? -PAIR : PAIR) : 0);
    return isRight
      ? [
          { x: rightOf(from), y },
          { x: leftOf(to), y },
        ]
      : [
          { x: leftOf(from), y },
          { x: rightOf(to), y },
        ];
  }
  const isDown = from.row < to.row;
  const x = leftOf(from) + BOX.width / 2 + (hasOpposite ? (isDown ? -APART : APART) : 0);
  const half = isDown ? BOX.height / 2 : -BOX.height / 2;
  return [
    { x, y: middleOf(from) + half },
    { x, y: middleOf(to) - half },
  ];
}

function loop({ from }: Between): readonly Point[] {
  const isLeft = from.column === 0;
  const edge = isLeft ? leftOf(from) : rightOf(from);
  const out = edge + (isLeft ? -LOOP_DEPTH : LOOP_DEPTH);
  const [above, below] = [middleOf(from) - PAIR, middleOf(from) + PAIR];
  return [
    { x: edge, y: above },
    { x: out, y: above },
    { x: out, y: below },
    { x: edge, y: below },
  ];
}

/** A vertical line in the gutter to the left of `gutter`'s column, for all that leads to `to`. */
interface Lane {
  readonly gutter: number;
  readonly to: GridCell;
  readonly isAtRight: boolean;
  readonly first: number;
  readonly last: number;
  readonly x: number;
  /** The distance of its arrows from the middle of a box's side. */
  readonly offset: number;
}

/** The column to the left of which an arrow runs. */
function gutterOf({ from, to }: Between): number {
  if (from.column === to.column) return to.column === 0 ? 0 : to.column + 1;
  return from.column < to.column ? to.column : to.column + 1;
}

function lanesOf(all: readonly Between[]): readonly Lane[] {
  const lanes: Lane[] = [];
  for (const one of all) {
    const gutter = gutterOf(one);
    const { to } = one;
    if (lanes.some((lane) => lane.gutter === gutter && isSame(lane.to, to))) continue;
    const rows = all
      .filter((other) => gutterOf(other) === gutter && isSame(other.to, to))
      .flatMap((other) => [other.from.row, other.to.row]);
    const [first, last] = [Math.min(...rows), Math.max(...rows)];
    const inGutter = lanes.filter((lane) => lane.gutter === gutter);
    const isAtRight = to.column === gutter;
    const beside = inGutter.filter((lane) => lane.isAtRight === isAtRight);
    const inTheWay = beside.filter((lane) => lane.first <= last && first <= lane.last);
    const depth = LANE_FROM_BOX + LANE_PITCH * inTheWay.length;
    lanes.push({
      ...{ gutter, to, isAtRight, first, last },
      x: isAtRight ? leftOf(to) - depth : rightOf(to) + depth,
      offset: LANE_OFFSETS[inGutter.length % LANE_OFFSETS.length] ?? 0,
    });
  }
  return lanes;
}

function alongLane(one: Between, lanes: readonly Lane[]): readonly Point[] {
  const { from, to } = one;
  const lane = lanes.find(({ gutter, to: end }) => gutter === gutterOf(one) && isSame(end, to));
  if (lane === undefined) throw new Error('Every arrow that needs a lane has one');
  const [out, into] = [from, to].map((place) =>
    leftOf(place) > lane.x ? leftOf(place) : rightOf(place),
  );
  const turn = from.row < to.row ? lane.offset : -lane.offset;
  return [
    { x: out ?? 0, y: middleOf(from) + turn },
    { x: lane.x, y: middleOf(from) + turn },
    { x: lane.x, y: middleOf(to) - turn },
    { x: into ?? 0, y: middleOf(to) - turn },
  ];
}
