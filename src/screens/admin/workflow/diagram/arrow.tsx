import { LINE_HEIGHT } from './labels.ts';
import type { LabelledArrow } from './lay-out.ts';
import type { Point } from './arrows.ts';

interface Props {
  readonly arrow: LabelledArrow;
  readonly isPassed: boolean;
  /** The state at one of its ends is being looked at. */
  readonly isLookedAt: boolean;
}

const CORNER = 6;

const HEADS = { plain: 'machine-head', passed: 'machine-head-passed' } as const;

export function Arrowheads() {
  return (
    <defs>
      {Object.values(HEADS).map((id) => (
        <marker
          key={id}
          id={id}
          className={id}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8z" />
        </marker>
      ))}
    </defs>
  );
}

export function ArrowLine(props: Props) {
  const { arrow, isPassed } = props;
  const isForward = arrow.steps.some(({ direction }) => direction === 'forward');
  return (
    <path
      className={`machine-arrow ${classesOf(props)} ${isForward ? '' : 'is-aside'}`}
      d={rounded(arrow.points)}
      markerEnd={`url(#${isPassed ? HEADS.passed : HEADS.plain})`}
    />
  );
}

/** These words are for eyes alone: each state says in words what leads on from it. */
export function ArrowWords(props: Props) {
  const { label } = props.arrow;
  const { x, y, width, anchor, lines } = label;
  const at = { start: x, middle: x + width / 2, end: x + width }[anchor];
  return (
    <text className={`machine-words ${classesOf(props)}`} textAnchor={anchor} aria-hidden>
      {lines.map((line, n) => (
        <tspan key={`${n} ${line}`} x={at} y={y + n * LINE_HEIGHT + LINE_HEIGHT * 0.75}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

const classesOf = ({ isPassed, isLookedAt }: Props): string =>
  [isPassed && 'is-passed', isLookedAt && 'is-near'].filter((name) => name !== false).join(' ');

/** A line through the points, round at its corners. */
function rounded(points: readonly Point[]): string {
  return points
    .map((point, n) => {
      const before = points[n - 1];
      const after = points[n + 1];
      if (before === undefined) return `M${point.x} ${point.y}`;
      if (after === undefined) return `L${point.x} ${point.y}`;
      const [into, out] = [towards(point, before), towards(point, after)];
      return `L${into.x} ${into.y}Q${point.x} ${point.y} ${out.x} ${out.y}`;
    })
    .join('');
}

/** A little way from `from`, at most half of it. */
function towards(from: Point, to: Point): Point {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(x, y);
  if (length === 0) return from;
  const part = Math.min(CORNER, length / 2) / length;
  return { x: from.x + x * part, y: from.y + y * part };
}
