import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../picture/icon.tsx';
import type { IconName } from '../picture/icon.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { ChartFrameProps } from './chart-frame.tsx';
import './bar-chart.css';

/** How a part of a bar looks: each has a colour and a pattern of its own. */
export type BarTone = 'good' | 'bad' | 'busy' | 'plain';

interface BarPart {
  readonly tone: BarTone;
  readonly value: number;
}

/** What a bar that leads somewhere is given by the chart. */
interface BarLinkProps {
  readonly className: string;
  readonly 'aria-label': string;
  readonly children: ReactNode;
}

export interface ChartBar {
  readonly key: string;
  /** Says all of it in words. */
  readonly label: string;
  /** From the bottom up. */
  readonly parts: readonly BarPart[];
  /** Stands below the bar: what tells it from the others without its colour. */
  readonly mark?: IconName;
  /** Draws it as a link; left out: it leads nowhere. */
  readonly link?: (props: BarLinkProps) => ReactElement;
}

interface Props extends ChartFrameProps {
  /** The newest first: they stand from the right to the left. */
  readonly bars: readonly ChartBar[];
  /** The end of the scale; left out: the highest bar. */
  readonly most?: number;
  /** Writes a value of the scale. */
  readonly valueText: (value: number) => string;
  readonly legend: readonly { readonly tone: BarTone; readonly text: string }[];
}

/** Bars over a scale from 0, with what one of them says on hover and focus, and their figures below. */
export function BarChart({ bars, most, valueText, legend, ...frame }: Props) {
  const [said, say] = useState<string | null>(null);
  const end = Math.max(most ?? 0, ...bars.map(heightOf)) || 1;
  return (
    <ChartFrame {...frame}>
      <div className="chart-plot">
        <div className="chart-scale caption" aria-hidden>
          <span>{valueText(end)}</span>
          <span>{valueText(0)}</span>
        </div>
        <ol className="chart-bars">
          {bars.map((bar) => (
            <li
              key={bar.key}
              onMouseEnter={() => {
                say(bar.label);
              }}
              onMouseLeave={() => {
                say(null);
              }}
              onFocus={() => {
                say(bar.label);
              }}
              onBlur={() => {
                say(null);
              }}
            >
              <Bar bar={bar} end={end} />
            </li>
          ))}
        </ol>
      </div>
      <div className="chart-says caption" aria-hidden>
        {said ?? (
          <span className="chart-legend">
            {legend.map(({ tone, text }) => (
              <span key={text}>
                <span className="chart-part" data-tone={tone} /> {text}
              </span>
            ))}
          </span>
        )}
      </div>
    </ChartFrame>
  );
}

const heightOf = ({ parts }: ChartBar): number => parts.reduce((sum, { value }) => sum + value, 0);

function Bar({ bar, end }: { readonly bar: ChartBar; readonly end: number }) {
  const content = (
    <>
      <span className="chart-bar-parts">
        {bar.parts.toReversed().map(({ tone, value }) => (
          <span
            key={tone}
            className="chart-part"
            data-tone={tone}
            style={{ height: `${(value / end) * 100}%` }}
          />
        ))}
      </span>
      <span className="chart-mark" data-tone={bar.parts[0]?.tone}>
        {bar.mark !== undefined && <Icon name={bar.mark} />}
      </span>
    </>
  );
  if (bar.link !== undefined)
    return bar.link({ className: 'chart-bar', 'aria-label': bar.label, children: content });
  return (
    <span className="chart-bar">
      <span className="out-of-sight">{bar.label}</span>
      {content}
    </span>
  );
}
