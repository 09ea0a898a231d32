import type { MachineShape } from '#protocol/workflow.ts';
import { Icon } from '#ui/picture/icon.tsx';
import type { IconName } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import type { Box } from './arrows.ts';
import { wrapped } from './labels.ts';
import { useStateName } from '../../../flow/task.tsx';
import { useStepWords } from '../use-step-words.ts';

/** Says how a state relates to the workflow. */
type StatePosition = 'now' | 'passed' | 'other';

interface Props {
  readonly box: Box;
  readonly shape: MachineShape;
  readonly position: StatePosition;
  /** The one that Tab comes to. */
  readonly isStop: boolean;
  readonly onFocus: (state: string | null) => void;
  readonly onPoint: (state: string | null) => void;
}

type Kind = MachineShape['states'][number]['kind'];

const SIGNS: Readonly<Record<Kind, IconName | null>> = {
  people: 'person',
  engine: 'gear',
  final: null,
};
const CORNER = 6;
const LETTERS = 19;
const LINE_HEIGHT = 16;
const ICON = 16;
const INSET = 6;

/** One state: who moves it on, its name, and whether the workflow is or was there. */
export function StateBox({ box, shape, position, isStop, onFocus, onPoint }: Props) {
  const t = useText();
  const nameOf = useStateName();
  const says = useWays(shape);
  const { state, x, y, width, height } = box;
  const kind = shape.states.find(({ name }) => name === state)?.kind ?? 'people';
  const sign = SIGNS[kind];
  const lines = wrapped(nameOf(state), LETTERS);
  const count = lines.length + (position === 'now' ? 1 : 0);
  const first = height / 2 - ((count - 1) * LINE_HEIGHT) / 2;
  return (
    <g
      role="img"
      tabIndex={isStop ? 0 : -1}
      aria-label={`${nameOf(state)}. ${t(`workflow.standing.${position}`)} ${says(state)}`}
      aria-current={position === 'now' ? 'step' : undefined}
      className={`machine-state is-${position} is-${kind}`}
      data-state={state}
      transform={`translate(${x} ${y})`}
      onFocus={() => {
        onFocus(state);
      }}
      onBlur={() => {
        onFocus(null);
      }}
      onMouseEnter={() => {
        onPoint(state);
      }}
      onMouseLeave={() => {
        onPoint(null);
      }}
    >
      <rect width={width} height={height} rx={kind === 'final' ? height / 2 : CORNER} />
      {sign !== null && (
        <g className="machine-kind" transform={`translate(${INSET} ${INSET})`} aria-hidden>
          <Icon name={sign} />
        </g>
      )}
      {position === 'passed' && (
        <g
          className="machine-check"
          transform={`translate(${width - ICON - INSET} ${INSET})`}
          aria-hidden
        >
          <Icon name="check" />
        </g>
      )}
      <text textAnchor="middle" dominantBaseline="central" aria-hidden>
        {lines.map((line, n) => (
          <tspan key={`${n} ${line}`} x={width / 2} y={first + n * LINE_HEIGHT}>
            {line}
          </tspan>
        ))}
        {position === 'now' && (
          <tspan className="machine-now" x={width / 2} y={first + lines.length * LINE_HEIGHT}>
            {t('workflow.here')}
          </tspan>
        )}
      </text>
    </g>
  );
}

/** Says in a sentence which steps lead on from a state. */
function useWays({ steps }: MachineShape): (state: string) => string {
  const t = useText();
  const wordsOf = useStepWords();
  const nameOf = useStateName();
  return (state) => {
    const ways = steps
      .filter(({ from }) => from === state)
      .map((step) => t('workflow.way', { step: wordsOf([step]).join(), state: nameOf(step.to) }));
    return ways.length === 0 ? t('workflow.ends') : t('workflow.leads', { ways: ways.join('; ') });
  };
}
