import { initialTransition, transition } from 'xstate';
import { effectsOfGoing, effectsOfTaking } from './effects.ts';
import type { Effect } from './effects.ts';
import type { Flags, WorkflowFacts } from './guards.ts';
import { CANCEL, moveTo, TOOK } from './machine.ts';
import type { Machine } from './machine.ts';
import { STARTUP } from './scheme.ts';
import type { Actor } from './scheme.ts';
import { isFinal, isOpen, isPersons, NEEDS_COMMENT } from './steps.ts';
import type { Command, FinalState, PersonsStep, State, Step } from './steps.ts';

/** Where a workflow stands, with what it remembers: all there is to keep of it. */
export interface WorkflowSnapshot {
  readonly state: State;
  readonly flags: Flags;
}

/** What moves a workflow. `by` is a person's id; `about` the build's or publication's. */
export type WorkflowEvent =
  | {
      readonly is: 'command';
      readonly command: string;
      readonly by: string;
      readonly comment: string | null;
    }
  | { readonly is: 'job created' }
  | { readonly is: 'build succeeded' | 'release succeeded'; readonly about: string }
  | {
      readonly is: 'build failed' | 'release failed';
      readonly about: string;
      /** Address of the console text; null when there is none. */
      readonly consoleUrl: string | null;
    }
  | { readonly is: 'cancel'; readonly by: string }
  /** A super admin helps a workflow that is stuck (W62). */
  | { readonly is: 'move'; readonly to: string; readonly by: string; readonly comment: string };

/** A step that was taken, as history tells it. */
export interface StepTaken {
  readonly from: State;
  readonly to: State;
  /** Null: it happened by itself, or a super admin moved it. */
  readonly who: Actor | null;
  readonly isForeseen: boolean;
  readonly command: Command | null;
  readonly comment: string | null;
  readonly by: string | null;
}

type CommandEvent = Extract<WorkflowEvent, { readonly is: 'command' }>;
type FailureEvent = Extract<WorkflowEvent, { readonly consoleUrl: string | null }>;
type MoveEvent = Extract<WorkflowEvent, { readonly is: 'move' }>;

interface StepEffects {
  /** In order; none for the start, for it is told otherwise. */
  readonly taken: readonly StepTaken[];
  readonly effects: readonly Effect[];
}

export interface Moved extends StepEffects, WorkflowSnapshot {
  readonly is: 'moved';
  /** False: the state was not left, and its tasks live on. */
  readonly isNewVisit: boolean;
}

export interface Completed extends StepEffects {
  readonly is: 'completed';
  readonly state: FinalState;
}

export interface Cancelled extends StepEffects {
  readonly is: 'cancelled';
  readonly by: string;
}

export type StepRefusal = { readonly is: 'refused' } & (
  | { readonly because: 'action-not-allowed'; readonly allowed: readonly Command[] }
  | { readonly because: 'archived' | 'startup-cannot-be-cancelled' }
  | { readonly because: 'comment-required' | 'reason-required' }
  /** No such state to move to. */
  | { readonly because: 'choice' }
  /** An answer to something that is no longer waited for: it moves nothing (W64). */
  | { readonly because: 'late' }
);

/** Begins a workflow: the first state that waits, or a refusal. */
export function start(machine: Machine, known: WorkflowFacts): Moved | StepRefusal {
  if (known.isArchived) return { is: 'refused', because: 'archived' };
  const [before] = initialTransition(machine.chart);
  const [after, actions] = transition(machine.chart, before, { type: 'started', known });
  const state = after.value as State;
  return {
    is: 'moved',
    state,
    flags: after.context,
    isNewVisit: true,
    taken: stepsIn(actions).slice(1).map(byItself),
    effects: effectsOfGoing(null, state),
  };
}

/**
 * Carries out what is given to a workflow that stands `at`, and whatever then happens by itself,
 * until something is waited for. Changes nothing: it says what would be different.
 */
export function step(
  machine: Machine,
  at: WorkflowSnapshot,
  known: WorkflowFacts,
  given: WorkflowEvent,
): Moved | Completed | Cancelled | StepRefusal {
  const refused = refusalOf(machine, at, known, given);
  if (refused !== null) return refused;

  const before = machine.chart.resolveState({ value: at.state, context: at.flags });
  const signal = { type: signalOf(given), known };
  const [after, actions] = transition(machine.chart, before, signal);
  if (given.is === 'cancel') {
    const effects = effectsOfGoing(at.state, null);
    return { is: 'cancelled', by: given.by, taken: [], effects };
  }

  const steps = stepsIn(actions);
  const state = after.value as State;
  const isNewVisit = state !== at.state;
  const [first] = steps;
  const done = {
    taken: given.is === 'move' ? [movedBy(at, state, given)] : stepsTakenBy(steps, given),
    effects: [
      ...(first === undefined ? [] : effectsOfTaking(first.rule)),
      // What is only passed through has none; a move to the same state begins its work anew.
      ...(isNewVisit || given.is === 'move' ? effectsOfGoing(at.state, state) : []),
    ],
  };
  if (isFinal(state)) return { is: 'completed', state, ...done };
  return { is: 'moved', state, flags: after.context, isNewVisit, ...done };
}

/** What `person` may do in the state, in the order of its form. */
export function commandsOf(
  machine: Machine,
  at: WorkflowSnapshot,
  known: WorkflowFacts,
  person: string,
): readonly Command[] {
  return openSteps(machine, at, known)
    .filter(({ who }) => known.actors[who].includes(person))
    .map(({ given }) => given);
}

/** The steps that people can take now; none in an archived project. */
export function openSteps(
  { scheme, steps }: Machine,
  { state, flags }: WorkflowSnapshot,
  known: WorkflowFacts,
): readonly PersonsStep[] {
  if (known.isArchived) return [];
  return steps
    .filter(isPersons)
    .filter((each) => each.from === state && isOpen(each, scheme, known, flags));
}

function refusalOf(
  machine: Machine,
  at: WorkflowSnapshot,
  known: WorkflowFacts,
  given: WorkflowEvent,
): StepRefusal | null {
  if (given.is === 'command') return refusedCommand(machine, at, known, given);
  if (given.is === 'cancel') return refusedCancel(machine, known);
  if (given.is === 'move') return refusedMove(machine, given);
  return isAwaited(machine, at, known, given) ? null : refuse('late');
}

const refuse = (because: Exclude<StepRefusal['because'], 'action-not-allowed'>): StepRefusal => ({
  is: 'refused',
  because,
});

function refusedCommand(
  machine: Machine,
  at: WorkflowSnapshot,
  known: WorkflowFacts,
  { command, by, comment }: CommandEvent,
): StepRefusal | null {
  const allowed = commandsOf(machine, at, known, by);
  if (!allowed.some((each) => each === command)) {
    return { is: 'refused', because: 'action-not-allowed', allowed };
  }
  const isMissing = NEEDS_COMMENT.some((each) => each === command) && isBlank(comment);
  return isMissing ? refuse('comment-required') : null;
}

function refusedCancel({ scheme }: Machine, { isArchived }: WorkflowFacts): StepRefusal | null {
  if (isArchived) return refuse('archived');
  return scheme.type === STARTUP ? refuse('startup-cannot-be-cancelled') : null;
}

function refusedMove({ movable }: Machine, { to, comment }: MoveEvent): StepRefusal | null {
  if (!movable.some((state) => state === to)) return refuse('choice');
  return isBlank(comment) ? refuse('reason-required') : null;
}

function isAwaited(
  { steps }: Machine,
  { state }: WorkflowSnapshot,
  { awaited }: WorkflowFacts,
  given: WorkflowEvent,
): boolean {
  if ('about' in given && given.about !== awaited) return false;
  return steps.some((each) => each.from === state && each.given === given.is);
}

const isBlank = (comment: string | null) => comment === null || comment.trim() === '';

function signalOf(given: WorkflowEvent): string {
  if (given.is === 'command') return given.command;
  if (given.is === 'cancel') return CANCEL;
  return given.is === 'move' ? moveTo(given.to) : given.is;
}

/** The steps that the chart told of, in order. */
function stepsIn(actions: readonly { readonly type: string; readonly params: unknown }[]) {
  return actions.filter(({ type }) => type === TOOK).map(({ params }) => params as Step);
}

function stepsTakenBy(
  [first, ...others]: readonly Step[],
  given: WorkflowEvent,
): readonly StepTaken[] {
  if (first === undefined) throw new Error(`Nothing came of ${JSON.stringify(given)}`);
  return [{ ...byItself(first), ...wordsOf(first, given) }, ...others.map(byItself)];
}

const byItself = ({ from, to, who, direction }: Step): StepTaken => ({
  from: from as State,
  to,
  who,
  isForeseen: direction === 'forward',
  command: null,
  comment: null,
  by: null,
});

function wordsOf(
  first: Step,
  given: WorkflowEvent,
): Pick<StepTaken, 'command' | 'comment' | 'by'> | Pick<StepTaken, 'comment'> {
  if (given.is === 'command' && isPersons(first)) {
    const comment = isBlank(given.comment) ? null : given.comment;
    return { command: first.given, comment, by: given.by };
  }
  return { comment: 'consoleUrl' in given ? failureOf(given) : null };
}

/** A comment that screens put into words: a key and, if there is a console text, its address. */
function failureOf({ is, consoleUrl }: FailureEvent): string {
  const key = is === 'build failed' ? 'system.build-failed' : 'system.publish-failed';
  return consoleUrl === null ? key : `${key},${consoleUrl}`;
}

const movedBy = (at: WorkflowSnapshot, to: State, { by, comment }: MoveEvent): StepTaken => ({
  from: at.state,
  to,
  who: null,
  isForeseen: false,
  command: null,
  comment,
  by,
});
