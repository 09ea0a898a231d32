import type { Flags, WorkflowFacts } from './guards.ts';
import type { Scheme } from './scheme.ts';
import { buildStates, isPersons, stepsOf } from './steps.ts';
import type { TransitionRule, State, Step } from './steps.ts';

/** A scheme with everything that follows from it. */
export interface Machine {
  readonly name: string;
  readonly scheme: Scheme;
  readonly steps: readonly Step[];
  /** The states to which a super admin may move a workflow that is stuck (W62). */
  readonly movable: readonly State[];
}

/** Returns the machine of `scheme`: its part of the one table of steps. */
export function machineOf(name: string, scheme: Scheme): Machine {
  const steps = stepsOf(scheme);
  const users = steps.filter(isPersons).map(({ from }) => from);
  const movable = [...new Set([...users, buildStates[scheme.type]])];
  return { name, scheme, steps, movable };
}

type Memory = (facts: WorkflowFacts, release: Flags['release']) => Partial<Flags>;

/** The memory of a workflow, and the states at whose entry it is set (domain 4.3). */
const uponEntering: Readonly<Partial<Record<State, Memory>>> = {
  'Create App Store Entry': () => ({ draft: true }),
  // What is built from now on is what is released.
  'Product Build': () => ({ build: null }),
  'Product Rebuild': () => ({ build: null }),
  'Product Republish': () => ({ build: null }),
};
const uponTaking: Readonly<Partial<Record<TransitionRule, Memory>>> = {
  W14: () => ({ existing: true }),
  W31: ({ newestBuild }) => ({ uploaded: newestBuild }),
  // It is the newest build that was looked at, also where a roll back failed before.
  W33: (_, release) => ({ release, build: null }),
};

/**
 * Returns what a workflow remembers once it is in `state`; `rule` is the step by which it came, and
 * `release` what was said with it of the release.
 */
export const flagsIn = (
  state: State,
  rule: TransitionRule | null,
  before: Flags,
  facts: WorkflowFacts,
  release: Flags['release'] = null,
): Flags => ({
  ...before,
  ...(rule === null ? {} : uponTaking[rule]?.(facts, release)),
  ...uponEntering[state]?.(facts, release),
});
