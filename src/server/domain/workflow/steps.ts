import { canHold, holds } from './guards.ts';
import type { Condition, Flags, WorkflowFacts } from './guards.ts';
import { REBUILD, REPUBLISH, STARTUP } from './scheme.ts';
import type { Actor, Scheme } from './scheme.ts';

/** Forward steps are known beforehand and written down as the way to come; the others are not. */
type Direction = 'forward' | 'back' | 'side';

type Row = readonly [
  rule: `W${number}`,
  from: string,
  who: Actor | 'store step' | 'auto',
  given: string,
  to: string,
  direction: Direction,
  ...when: readonly Condition[],
];

export const START = '(start)';

/** A placeholder for the state in which a scheme builds; each type has its own name for it. */
const BUILD = 'Build';
export const buildStates = {
  [STARTUP]: 'Product Build',
  [REBUILD]: 'Product Rebuild',
  [REPUBLISH]: 'Product Republish',
} as const;

/**
 * Every step of every workflow (domain 4.2); a scheme takes those that its options allow and that
 * can be reached from its start. W41, cancel, is the same from every state and stands in `step.ts`.
 */
const rows = [
  ['W1', START, 'auto', 'started', 'Readiness Check', 'forward', 'startup', 'approval'],
  ['W2', START, 'auto', 'started', 'Product Creation', 'forward', 'startup', '!approval'],
  ['W3', START, 'auto', 'started', 'Synchronize Data', 'forward', '!startup', 'sync first'],
  ['W4', START, 'auto', 'started', BUILD, 'forward', '!startup', '!sync first'],
  ['W5', 'Readiness Check', 'Owner', 'Continue', 'Approval', 'forward'],
  ['W6', 'Approval', 'OrgAdmin', 'Approve', 'Product Creation', 'forward'],
  ['W7', 'Approval', 'OrgAdmin', 'Hold', 'Approval Pending', 'side'],
  ['W8', 'Approval', 'OrgAdmin', 'Reject', 'Terminated', 'side'],
  ['W9', 'Approval Pending', 'OrgAdmin', 'Approve', 'Product Creation', 'forward'],
  ['W10', 'Approval Pending', 'OrgAdmin', 'Hold', 'Approval Pending', 'side'],
  ['W11', 'Approval Pending', 'OrgAdmin', 'Reject', 'Terminated', 'side'],
  ['W12', 'Product Creation', 'auto', 'job created', 'App Builder Configuration', 'forward'],
  ['W13', 'App Builder Configuration', 'Owner', 'New App', BUILD, 'forward', 'play'],
  ['W14', 'App Builder Configuration', 'Owner', 'Existing App', BUILD, 'side', 'play'],
  ['W15', 'App Builder Configuration', 'Owner', 'Continue', BUILD, 'forward', '!play'],
  [
    'W16',
    'App Builder Configuration',
    'Owner',
    'Transfer to Authors',
    'Author Configuration',
    'side',
    'authors',
  ],
  ['W17', 'Author Configuration', 'Author', 'Continue', 'App Builder Configuration', 'forward'],
  ['W18', 'Author Configuration', 'Owner', 'Take Back', 'App Builder Configuration', 'back'],
  ['W19', BUILD, 'auto', 'build failed', 'Synchronize Data', 'back'],
  ['W20', BUILD, 'auto', 'build succeeded', 'App Store Preview', 'forward', 'new app', 'preview'],
  [
    'W21',
    BUILD,
    'auto',
    'build succeeded',
    'Create App Store Entry',
    'forward',
    'new app',
    '!preview',
  ],
  ['W22', BUILD, 'auto', 'build succeeded', 'Verify and Publish', 'forward', '!new app'],
  ['W23', 'Synchronize Data', 'Owner', 'Continue', BUILD, 'forward'],
  ['W24', 'Synchronize Data', 'Owner', 'Transfer to Authors', 'Author Download', 'side', 'authors'],
  ['W25', 'Author Download', 'Author', 'Continue', 'Author Upload', 'forward'],
  ['W26', 'Author Download', 'Owner', 'Take Back', 'Synchronize Data', 'back'],
  ['W27', 'Author Upload', 'Author', 'Continue', 'Synchronize Data', 'forward'],
  ['W28', 'Author Upload', 'Owner', 'Take Back', 'Synchronize Data', 'back'],
  ['W29', 'App Store Preview', 'OrgAdmin', 'Approve', 'Create App Store Entry', 'forward'],
  ['W30', 'App Store Preview', 'OrgAdmin', 'Reject', 'Synchronize Data', 'back'],
  ['W31', 'Create App Store Entry', 'store step', 'Continue', 'Verify and Publish', 'forward'],
  ['W32', 'Create App Store Entry', 'store step', 'Reject', 'Synchronize Data', 'back'],
  ['W33', 'Verify and Publish', 'Owner', 'Approve', 'Product Publish', 'forward'],
  ['W34', 'Verify and Publish', 'Owner', 'Reject', 'Synchronize Data', 'back'],
  [
    'W35',
    'Verify and Publish',
    'Owner',
    'Email Reviewers',
    'Verify and Publish',
    'side',
    'reviewers',
  ],
  ['W36', 'Product Publish', 'auto', 'release failed', 'Synchronize Data', 'back'],
  [
    'W37',
    'Product Publish',
    'auto',
    'release succeeded',
    'Make It Live',
    'forward',
    'first release',
  ],
  ['W38', 'Product Publish', 'auto', 'release succeeded', 'Published', 'forward', '!first release'],
  ['W39', 'Make It Live', 'store step', 'Continue', 'Published', 'forward'],
  ['W40', 'Make It Live', 'store step', 'Reject', 'Synchronize Data', 'back'],
  ['W42', START, 'auto', 'roll back', 'Product Publish', 'forward', '!startup'],
] as const satisfies readonly Row[];

type AnyRow = (typeof rows)[number];
type AutomaticRow = Extract<AnyRow, { readonly 2: 'auto' }>;
type PersonsRow = Exclude<AnyRow, AutomaticRow>;

export type TransitionRule = AnyRow[0];
export type Command = PersonsRow[3];
/** An event without a person: the start, or an answer of the build engine. */
type Happening = AutomaticRow[3];
export type State =
  | Exclude<AnyRow[1] | AnyRow[4], typeof START | typeof BUILD>
  | (typeof buildStates)[keyof typeof buildStates];

const FINAL_STATES = ['Published', 'Terminated'] as const satisfies readonly State[];
export type FinalState = (typeof FINAL_STATES)[number];

/** Commands that need a comment (domain 6.2). */
export const NEEDS_COMMENT: readonly Command[] = ['Hold', 'Reject'];

/** A row of the table as one scheme has it. */
export interface Step {
  readonly rule: TransitionRule;
  readonly from: State | typeof START;
  /** Null: the step happens by itself. */
  readonly who: Actor | null;
  readonly given: Command | Happening;
  readonly to: State;
  readonly direction: Direction;
  readonly when: readonly Condition[];
}

/** A step of a person. */
export type PersonsStep = Step & {
  readonly from: State;
  readonly who: Actor;
  readonly given: Command;
};

export function isPersons(step: Step): step is PersonsStep {
  return step.who !== null;
}

export function isFinal(state: string): state is FinalState {
  return FINAL_STATES.some((final) => final === state);
}

/** Returns the steps of `scheme`: those that can ever be taken. */
export function stepsOf(scheme: Scheme): readonly Step[] {
  const possible = rows.filter(([, , , , , , ...when]) =>
    when.every((condition) => canHold(condition, scheme)),
  );
  const reached = new Set<string>([START]);
  // A loop over a set also visits members that are added meanwhile.
  for (const state of reached)
    for (const [, from, , , to] of possible) if (from === state) reached.add(to);
  return possible.filter(([, from]) => reached.has(from)).map((row) => stepOf(row, scheme));
}

function stepOf([rule, from, who, given, to, direction, ...when]: AnyRow, scheme: Scheme): Step {
  const named = <S extends string>(state: S) =>
    (state === BUILD ? buildStates[scheme.type] : state) as Exclude<S, typeof BUILD> | State;
  return {
    rule,
    from: named(from),
    who: actorOf(who, scheme),
    given,
    to: named(to),
    direction,
    when,
  };
}

function actorOf(who: AnyRow[2], { storeStep }: Scheme): Actor | null {
  if (who === 'auto') return null;
  if (who !== 'store step') return who;
  if (storeStep === null) throw new Error('A scheme with a store entry names who makes it');
  return storeStep;
}

/** Returns true when all conditions of `step` hold. */
export function isOpen(
  { when }: Step,
  scheme: Scheme,
  facts: WorkflowFacts,
  flags: Flags,
): boolean {
  return when.every((condition) => holds(condition, scheme, facts, flags));
}
