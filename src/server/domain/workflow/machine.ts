import { assign, createMachine } from 'xstate';
import { NO_FLAGS } from './guards.ts';
import type { Flags, WorkflowFacts } from './guards.ts';
import { STARTUP } from './scheme.ts';
import type { Scheme } from './scheme.ts';
import { buildStates, FINAL_STATES, isOpen, isPersons, START, stepsOf } from './steps.ts';
import type { TransitionRule, State, Step } from './steps.ts';

/** The input of the chart: a command, an event, a cancel or a move, with the facts at that time. */
interface Signal {
  readonly type: string;
  readonly known: WorkflowFacts;
}

export const CANCEL = 'cancel';
/** The state in which a cancelled workflow ends; its product is then in no state. */
const CANCELLED = '(end)';

export const moveTo = (state: string) => `move to ${state}`;

/** The action by which the chart reports that it took a step. */
export const TOOK = 'took';

/** A scheme with everything that follows from it. */
export interface Machine {
  readonly name: string;
  readonly scheme: Scheme;
  readonly steps: readonly Step[];
  /** The states to which a super admin may move a workflow that is stuck (W62). */
  readonly movable: readonly State[];
  readonly chart: ReturnType<typeof chartOf>;
}

/**
 * Returns the machine of `scheme`: its part of the one table of steps, and the chart that runs it.
 */
export function machineOf(name: string, scheme: Scheme): Machine {
  const steps = stepsOf(scheme);
  const users = steps.filter(isPersons).map(({ from }) => from);
  const movable = [...new Set([...users, buildStates[scheme.type]])];
  return { name, scheme, steps, movable, chart: chartOf(name, scheme, steps, movable) };
}

/**
 * Returns the chart in xstate. Its context is the memory of the workflow; the facts about the world
 * come with each signal. It does not know effects: it reports which steps it took (`TOOK`).
 */
function chartOf(id: string, scheme: Scheme, steps: readonly Step[], movable: readonly State[]) {
  const states = [...new Set(steps.map(({ from }) => from))];
  return createMachine({
    types: {} as { context: Flags; events: Signal },
    id,
    context: NO_FLAGS,
    initial: START,
    states: {
      ...Object.fromEntries(states.map((state) => [state, nodeOf(state, scheme, steps)])),
      ...Object.fromEntries([...FINAL_STATES, CANCELLED].map((end) => [end, { type: 'final' }])),
    },
    on: {
      ...Object.fromEntries(
        movable.map((state) => [moveTo(state), { target: `.${state}`, reenter: true }]),
      ),
      ...(scheme.type === STARTUP ? {} : { [CANCEL]: { target: `.${CANCELLED}` } }),
    },
  });
}

function nodeOf(state: string, scheme: Scheme, steps: readonly Step[]) {
  const own = steps.filter(({ from }) => from === state);
  return {
    entry: remember(uponEntering[state as State]),
    on: Object.fromEntries(
      own.map(({ given }) => [
        given,
        own.filter((step) => step.given === given).map((step) => arrowOf(step, scheme)),
      ]),
    ),
    // A product that has a job does not wait for another (domain 4.3).
    always: own
      .filter(({ given }) => given === 'job created')
      .map((step) => ({
        ...arrowOf(step, scheme),
        guard: ({ event }: { event: Signal }) => event.known.hasJob,
      })),
  };
}

function arrowOf(step: Step, scheme: Scheme) {
  return {
    target: step.to,
    guard: ({ context, event }: { context: Flags; event: Signal }) =>
      isOpen(step, scheme, event.known, context),
    actions: [{ type: TOOK, params: step }, ...remember(uponTaking[step.rule])],
  };
}

type Memory = (facts: WorkflowFacts) => Partial<Flags>;

/** The memory of a workflow, and the states at whose entry it is set (domain 4.3). */
const uponEntering: Readonly<Partial<Record<State, Memory>>> = {
  'Create App Store Entry': () => ({ draft: true }),
};
const uponTaking: Readonly<Partial<Record<TransitionRule, Memory>>> = {
  W14: () => ({ existing: true }),
  W31: ({ newestBuild }) => ({ uploaded: newestBuild }),
};

const remember = (memory: Memory | undefined) =>
  memory === undefined
    ? []
    : [assign<Flags, Signal, undefined, Signal, never>(({ event }) => memory(event.known))];
