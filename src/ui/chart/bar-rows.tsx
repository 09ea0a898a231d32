import { ChartFrame } from './chart-frame.tsx';
import type { ChartFrameProps } from './chart-frame.tsx';
import './bar-rows.css';

interface BarRow {
  readonly key: string;
  readonly name: string;
  readonly value: number;
  /** The value as it is read. */
  readonly text: string;
}

interface Props extends ChartFrameProps {
  readonly rows: readonly BarRow[];
}

/** Bars from the left, each with its name before it and its value behind it. */
export function BarRows({ rows, ...frame }: Props) {
  const end = Math.max(...rows.map(({ value }) => value)) || 1;
  return (
    <ChartFrame {...frame}>
      <ol className="chart-rows">
        {rows.map(({ key, name, value, text }) => (
          <li key={key}>
            <bdi>{name}</bdi>
            <span className="chart-row">
              <span className="chart-row-bar" style={{ width: `${(value / end) * 100}%` }} />
            </span>
            <span className="chart-row-value">{text}</span>
          </li>
        ))}
      </ol>
    </ChartFrame>
  );
}
