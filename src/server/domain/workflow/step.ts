import { effectsOfGoing, effectsOfTaking } from './effects.ts';
import type { Effect } from './effects.ts';
import { NO_FLAGS } from './guards.ts';
import type { Flags, ReleaseTexts, WorkflowFacts } from './guards.ts';
import { flagsIn } from './machine.ts';
import type { Machine } from './machine.ts';
import { STARTUP } from './scheme.ts';
import type { Actor } from './scheme.ts';
import { isFinal, isOpen, isPersons, NEEDS_COMMENT, START } from './steps.ts';
import type { Command, FinalState, PersonsStep, State, Step } from './steps.ts';

/** The state of a workflow, with what it remembers: this is all that has to be kept of it. */
export interface WorkflowSnapshot {
  readonly state: State;
  readonly flags: Flags;
}

/** An event that moves a workflow. `by` is a person's id; `about` the build's or publication's. */
export type WorkflowEvent =
  | {
      readonly is: 'command';
      readonly command: string;
      readonly by: string;
      readonly comment: string | null;
      /** What is said of the release that the command leads to. */
      readonly release?: ReleaseTexts;
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
  /** Null: the step happened by itself, or a super admin moved the workflow. */
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
  /** The steps in order; none for the start, which history shows otherwise. */
  readonly taken: readonly StepTaken[];
  readonly effects: readonly Effect[];
}

export interface Moved extends StepEffects, WorkflowSnapshot {
  readonly is: 'moved';
  /** False: the state was not left, and its tasks remain. */
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

/**
 * Begins a workflow: the first state that waits, or a refusal.
 *
 * @param build id of the build to roll back to; null: it begins as its scheme does
 */
export function start(
  machine: Machine,
  facts: WorkflowFacts,
  build: string | null = null,
): Moved | StepRefusal {
  if (facts.isArchived) return { is: 'refused', because: 'archived' };
  const { state, flags, steps } = walk(
    machine,
    START,
    { ...NO_FLAGS, build },
    facts,
    build === null ? 'started' : 'roll back',
  );
  const taken = steps.slice(1).map(byItself);
  const effects = effectsOfGoing(null, state);
  return { is: 'moved', state, flags, isNewVisit: true, taken, effects };
}

/**
 * Applies an event to a workflow that stands `at`, and whatever then happens by itself, until
 * something is waited for. It changes nothing: it returns what would be different.
 */
export function step(
  machine: Machine,
  at: WorkflowSnapshot,
  facts: WorkflowFacts,
  event: WorkflowEvent,
): Moved | Completed | Cancelled | StepRefusal {
  const refused = refusalOf(machine, at, facts, event);
  if (refused !== null) return refused;

  if (event.is === 'cancel') {
    const effects = effectsOfGoing(at.state, null);
    return { is: 'cancelled', by: event.by, taken: [], effects };
  }

  const { state, flags, steps } = walkAfter(machine, at, facts, event);
  const isNewVisit = state !== at.state;
  const [first] = steps;
  const done = {
    taken:
      event.is === 'move'
        ? [movedBy(at, state, event)]
        : steps.map((each) => ({
            ...byItself(each),
            ...(each === first ? wordsOf(each, event) : {}),
          })),
    effects: [
      ...(first === undefined ? [] : effectsOfTaking(first.rule)),
      // A state that is only passed through has no effects; a move to the same state begins its
      // work anew.
      ...(isNewVisit || event.is === 'move' ? effectsOfGoing(at.state, state) : []),
    ],
  };
  if (isFinal(state)) return { is: 'completed', state, ...done };
  return { is: 'moved', state, flags, isNewVisit, ...done };
}

/** Returns the commands that `person` may give in the state, in the order of its form. */
export function commandsOf(
  machine: Machine,
  at: WorkflowSnapshot,
  facts: WorkflowFacts,
  person: string,
): readonly Command[] {
  return openSteps(machine, at, facts)
    .filter(({ who }) => facts.actors[who].includes(person))
    .map(({ given }) => given);
}

/** Returns the steps that people can take now; none in an archived project. */
export function openSteps(
  { scheme, steps }: Machine,
  { state, flags }: WorkflowSnapshot,
  facts: WorkflowFacts,
): readonly PersonsStep[] {
  if (facts.isArchived) return [];
  return steps
    .filter(isPersons)
    .filter((each) => each.from === state && isOpen(each, scheme, facts, flags));
}

function refusalOf(
  machine: Machine,
  at: WorkflowSnapshot,
  facts: WorkflowFacts,
  event: WorkflowEvent,
): StepRefusal | null {
  if (event.is === 'command') return refusedCommand(machine, at, facts, event);
  if (event.is === 'cancel') return refusedCancel(machine, facts);
  if (event.is === 'move') return refusedMove(machine, event);
  return isAwaited(machine, at, facts, event) ? null : refuse('late');
}

const refuse = (because: Exclude<StepRefusal['because'], 'action-not-allowed'>): StepRefusal => ({
  is: 'refused',
  because,
});

function refusedCommand(
  machine: Machine,
  at: WorkflowSnapshot,
  facts: WorkflowFacts,
  { command, by, comment }: CommandEvent,
): StepRefusal | null {
  const allowed = commandsOf(machine, at, facts, by);
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
  machine: Machine,
  { state }: WorkflowSnapshot,
  { awaited }: WorkflowFacts,
  event: WorkflowEvent,
): boolean {
  if ('about' in event && event.about !== awaited) return false;
  return isGiven(machine, state, event.is);
}

const isBlank = (comment: string | null) => comment === null || comment.trim() === '';

interface Walk extends WorkflowSnapshot {
  /** The steps that led there, in order; none when a super admin moved the workflow. */
  readonly steps: readonly Step[];
}

function walkAfter(
  machine: Machine,
  { state, flags }: WorkflowSnapshot,
  facts: WorkflowFacts,
  event: Exclude<WorkflowEvent, { readonly is: 'cancel' }>,
): Walk {
  if (event.is !== 'move') {
    const isCommand = event.is === 'command';
    const release = isCommand ? (event.release ?? null) : null;
    return walk(machine, state, flags, facts, isCommand ? event.command : event.is, release);
  }
  const to = event.to as State;
  return { state: to, flags: flagsIn(to, null, flags, facts), steps: [] };
}

/** Takes the first open step that `given` takes from a state, and what then happens by itself. */
function walk(
  machine: Machine,
  from: Step['from'],
  before: Flags,
  facts: WorkflowFacts,
  given: string,
  release: Flags['release'] = null,
): Walk {
  const first = machine.steps.find(
    (each) =>
      each.from === from && each.given === given && isOpen(each, machine.scheme, facts, before),
  );
  if (first === undefined) throw new Error(`Nothing came of ${given} in ${from}`);
  const { to: state, rule } = first;
  const flags = flagsIn(state, rule, before, facts, release);
  // A product that has a job does not wait for another (domain 4.3).
  if (!facts.hasJob || !isGiven(machine, state, 'job created'))
    return { state, flags, steps: [first] };
  const next = walk(machine, state, flags, facts, 'job created');
  return { ...next, steps: [first, ...next.steps] };
}

const isGiven = ({ steps }: Machine, from: State, given: string): boolean =>
  steps.some((each) => each.from === from && each.given === given);

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
  event: WorkflowEvent,
): Pick<StepTaken, 'command' | 'comment' | 'by'> | Pick<StepTaken, 'comment'> {
  if (event.is === 'command' && isPersons(first)) {
    const comment = isBlank(event.comment) ? null : event.comment;
    return { command: first.given, comment, by: event.by };
  }
  return { comment: 'consoleUrl' in event ? failureOf(event) : null };
}

/** Returns a comment that screens translate: a key and, if there is a console text, its address. */
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
