import { initialTransition, transition } from 'xstate';
import { effectsOfGoing, effectsOfTaking } from './effects.ts';
import type { Effect } from './effects.ts';
import type { Flags, Known } from './guards.ts';
import { CANCEL, moveTo, TOOK } from './machine.ts';
import type { Machine } from './machine.ts';
import { STARTUP } from './scheme.ts';
import type { Actor } from './scheme.ts';
import { isFinal, isOpen, isPersons, NEEDS_COMMENT } from './steps.ts';
import type { Command, FinalState, PersonsStep, State, Step } from './steps.ts';

/** Where a workflow stands, with what it remembers: all there is to keep of it. */
export interface Standing {
  readonly state: State;
  readonly flags: Flags;
}

/** What moves a workflow. `by` is a person's id; `about` the build's or publication's. */
export type Given =
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
export interface Taken {
  readonly from: State;
  readonly to: State;
  /** Null: it happened by itself, or a super admin moved it. */
  readonly who: Actor | null;
  readonly isForeseen: boolean;
  readonly command: Command | null;
  readonly comment: string | null;
  readonly by: string | null;
}

type PersonsWord = Extract<Given, { readonly is: 'command' }>;
type Failure = Extract<Given, { readonly consoleUrl: string | null }>;
type Move = Extract<Given, { readonly is: 'move' }>;

interface Done {
  /** In order; none for the start, for it is told otherwise. */
  readonly taken: readonly Taken[];
  readonly effects: readonly Effect[];
}

export interface Moved extends Done, Standing {
  readonly is: 'moved';
  /** False: the state was not left, and its tasks live on. */
  readonly isNewVisit: boolean;
}

export interface Completed extends Done {
  readonly is: 'completed';
  readonly state: FinalState;
}

export interface Cancelled extends Done {
  readonly is: 'cancelled';
  readonly by: string;
}

export type Refused = { readonly is: 'refused' } & (
  | { readonly because: 'action-not-allowed'; readonly allowed: readonly Command[] }
  | { readonly because: 'archived' | 'startup-cannot-be-cancelled' }
  | { readonly because: 'comment-required' | 'reason-required' }
  /** No such state to move to. */
  | { readonly because: 'choice' }
  /** An answer to something that is no longer waited for: it moves nothing (W64). */
  | { readonly because: 'late' }
);

/** Begins a workflow: the first state that waits, or a refusal. */
export function start(machine: Machine, known: Known): Moved | Refused {
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
  at: Standing,
  known: Known,
  given: Given,
): Moved | Completed | Cancelled | Refused {
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
    taken: given.is === 'move' ? [movedBy(at, state, given)] : takenBy(steps, given),
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
  at: Standing,
  known: Known,
  person: string,
): readonly Command[] {
  return openSteps(machine, at, known)
    .filter(({ who }) => known.actors[who].includes(person))
    .map(({ given }) => given);
}

/** The steps that people can take now; none in an archived project. */
export function openSteps(
  { scheme, steps }: Machine,
  { state, flags }: Standing,
  known: Known,
): readonly PersonsStep[] {
  if (known.isArchived) return [];
  return steps
    .filter(isPersons)
    .filter((each) => each.from === state && isOpen(each, scheme, known, flags));
}

function refusalOf(machine: Machine, at: Standing, known: Known, given: Given): Refused | null {
  if (given.is === 'command') return refusedCommand(machine, at, known, given);
  if (given.is === 'cancel') return refusedCancel(machine, known);
  if (given.is === 'move') return refusedMove(machine, given);
  return isAwaited(machine, at, known, given) ? null : refuse('late');
}

const refuse = (because: Exclude<Refused['because'], 'action-not-allowed'>): Refused => ({
  is: 'refused',
  because,
});

function refusedCommand(
  machine: Machine,
  at: Standing,
  known: Known,
  { command, by, comment }: PersonsWord,
): Refused | null {
  const allowed = commandsOf(machine, at, known, by);
  if (!allowed.some((each) => each === command)) {
    return { is: 'refused', because: 'action-not-allowed', allowed };
  }
  const isMissing = NEEDS_COMMENT.some((each) => each === command) && isBlank(comment);
  return isMissing ? refuse('comment-required') : null;
}

function refusedCancel({ scheme }: Machine, { isArchived }: Known): Refused | null {
  if (isArchived) return refuse('archived');
  return scheme.type === STARTUP ? refuse('startup-cannot-be-cancelled') : null;
}

function refusedMove({ movable }: Machine, { to, comment }: Move): Refused | null {
  if (!movable.some((state) => state === to)) return refuse('choice');
  return isBlank(comment) ? refuse('reason-required') : null;
}

function isAwaited(
  { steps }: Machine,
  { state }: Standing,
  { awaited }: Known,
  given: Given,
): boolean {
  if ('about' in given && given.about !== awaited) return false;
  return steps.some((each) => each.from === state && each.given === given.is);
}

const isBlank = (comment: string | null) => comment === null || comment.trim() === '';

function signalOf(given: Given): string {
  if (given.is === 'command') return given.command;
  if (given.is === 'cancel') return CANCEL;
  return given.is === 'move' ? moveTo(given.to) : given.is;
}

/** The steps that the chart told of, in order. */
function stepsIn(actions: readonly { readonly type: string; readonly params: unknown }[]) {
  return actions.filter(({ type }) => type === TOOK).map(({ params }) => params as Step);
}

function takenBy([first, ...others]: readonly Step[], given: Given): readonly Taken[] {
  if (first === undefined) throw new Error(`Nothing came of ${JSON.stringify(given)}`);
  return [{ ...byItself(first), ...wordsOf(first, given) }, ...others.map(byItself)];
}

const byItself = ({ from, to, who, direction }: Step): Taken => ({
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
  given: Given,
): Pick<Taken, 'command' | 'comment' | 'by'> | Pick<Taken, 'comment'> {
  if (given.is === 'command' && isPersons(first)) {
    const comment = isBlank(given.comment) ? null : given.comment;
    return { command: first.given, comment, by: given.by };
  }
  return { comment: 'consoleUrl' in given ? failureOf(given) : null };
}

/** A comment that screens put into words: a key and, if there is a console text, its address. */
function failureOf({ is, consoleUrl }: Failure): string {
  const key = is === 'build failed' ? 'system.build-failed' : 'system.publish-failed';
  return consoleUrl === null ? key : `${key},${consoleUrl}`;
}

const movedBy = (at: Standing, to: State, { by, comment }: Move): Taken => ({
  from: at.state,
  to,
  who: null,
  isForeseen: false,
  command: null,
  comment,
  by,
});
