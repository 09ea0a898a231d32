import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent } from 'react';
import type { MachineShape } from '#protocol/workflow.ts';
import { useText } from '#ui/text/text.ts';
import { ArrowLine, Arrowheads, ArrowWords } from './arrow.tsx';
import { layOut } from './lay-out.ts';
import type { Drawing } from './lay-out.ts';
import { StateBox } from './state-box.tsx';
import type { Passed } from '../passed.ts';
import { useStepWords } from '../use-step-words.ts';
import { Icon } from '#ui/picture/icon.tsx';

interface DiagramProps {
  readonly shape: MachineShape;
  /** The state that the workflow is in. */
  readonly present: string;
  readonly passed: Passed;
}

const BACK: readonly string[] = ['ArrowUp', 'ArrowLeft'];
const ONWARD: readonly string[] = ['ArrowDown', 'ArrowRight'];

/**
 * The machine, with the present state and the way that was taken. One state has the focus at a time;
 * arrow keys move it, and the arrows of that state, or of the one under the pointer, stand out.
 */
export function Diagram({ shape, present, passed }: DiagramProps) {
  const t = useText();
  const help = useId();
  const wordsOf = useStepWords();
  const drawing = useMemo(() => layOut(shape, ({ steps }) => wordsOf(steps)), [shape, wordsOf]);
  const [focused, setFocused] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const frame = useFrame(drawing, present);
  const highlighted = pointed ?? focused;
  const boxes = drawing.boxes.map(({ state }) => state);
  const stop = focused ?? (boxes.includes(present) ? present : boxes[0]);

  const onKey = (event: KeyboardEvent) => {
    const at = boxes.indexOf(focused ?? '');
    const next = nextOf(event.key, at, boxes.length - 1);
    if (next === null) return;
    event.preventDefault();
    frame.current?.querySelectorAll<SVGGElement>('.machine-state')[next]?.focus();
  };
  return (
    <figure className="machine">
      <div className="machine-frame" ref={frame}>
        <svg
          role="group"
          aria-label={t('workflow.diagram')}
          aria-describedby={help}
          className={highlighted === null ? '' : 'is-looked-at'}
          viewBox={`0 0 ${drawing.width} ${drawing.height}`}
          style={{ '--machine-width': `${drawing.width}px` } as CSSProperties}
          onKeyDown={onKey}
        >
          <Arrowheads />
          {inOrder(drawing, passed).map((arrow) => (
            <ArrowLine
              key={`${arrow.from} ${arrow.to}`}
              arrow={arrow}
              isPassed={passed.went(arrow)}
              isLookedAt={highlighted === arrow.from || highlighted === arrow.to}
            />
          ))}
          {drawing.boxes.map((box) => (
            <StateBox
              key={box.state}
              box={box}
              shape={shape}
              position={statePositionOf(box.state, present, passed)}
              isStop={box.state === stop}
              onFocus={setFocused}
              onPoint={setPointed}
            />
          ))}
          {drawing.arrows.map((arrow) => (
            <ArrowWords
              key={`${arrow.from} ${arrow.to}`}
              arrow={arrow}
              isPassed={passed.went(arrow)}
              isLookedAt={highlighted === arrow.from || highlighted === arrow.to}
            />
          ))}
        </svg>
      </div>
      <Legend id={help} />
    </figure>
  );
}

function statePositionOf(state: string, present: string, passed: Passed) {
  if (state === present) return 'now';
  return passed.states.has(state) ? 'passed' : 'other';
}

/** Steps that were passed lie on top. */
function inOrder({ arrows }: Drawing, passed: Passed) {
  return arrows.toSorted((a, b) => Number(passed.went(a)) - Number(passed.went(b)));
}

/** Finds the state to which a key moves; null: none. */
function nextOf(key: string, at: number, last: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (BACK.includes(key)) return Math.max(0, at - 1);
  return ONWARD.includes(key) ? Math.min(last, at + 1) : null;
}

/** Brings the present state into view where the diagram is wider than its frame. */
function useFrame({ boxes, width }: Drawing, present: string) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = boxes.find(({ state }) => state === present);
    const { current } = frame;
    if (box === undefined || current === null) return;
    const scale = current.scrollWidth / width;
    current.scrollLeft = (box.x + box.width / 2) * scale - current.clientWidth / 2;
  }, [boxes, width, present]);
  return frame;
}

/** Explains what lines and signs mean, and which keys move about. */
function Legend({ id }: { readonly id: string }) {
  const t = useText();
  return (
    <figcaption className="machine-legend">
      <span>
        <Icon name="person" /> {t('workflow.legend.people')}
      </span>
      <span>
        <Icon name="gear" /> {t('workflow.legend.engine')}
      </span>
      <span className="machine-check">
        <Icon name="check" /> {t('workflow.legend.passed')}
      </span>
      <span>
        <Stroke className="" /> {t('workflow.legend.forward')}
      </span>
      <span>
        <Stroke className="is-aside" /> {t('workflow.legend.aside')}
      </span>
      <span id={id}>{t('workflow.legend.keys')}</span>
    </figcaption>
  );
}

function Stroke({ className }: { readonly className: string }) {
  return (
    <svg width="28" height="8" aria-hidden>
      <path className={`machine-arrow ${className}`} d="M0 4h28" />
    </svg>
  );
}
