import type { TransitionRule, State } from './steps.ts';

/** What the world is to do because of a step; whoever keeps the workflow carries it out. */
export type Effect =
  /** Ask the build engine; the answer comes back as a happening. */
  | { readonly do: 'create-job' | 'start-build' | 'start-release' }
  /** Write down what the engine answered. */
  | { readonly do: 'record-build' | 'record-release'; readonly success: boolean }
  /** Whether authors may upload now (`authorsMayUpload`). */
  | { readonly do: 'settle-upload' }
  | { readonly do: 'mail-reviewers' | 'mail-rejection' }
  | { readonly do: 'notify'; readonly messages: readonly MessageId[] };

type MessageId =
  | 'productCreatedSuccessfully'
  | 'buildCompletedSuccessfully'
  | 'buildFailedOwner'
  | 'buildFailedAdmin'
  | 'releaseCompletedSuccessfully'
  | 'releaseFailedOwner'
  | 'releaseFailedAdmin';

const notify = (...messages: MessageId[]): Effect => ({ do: 'notify', messages });
const startBuild: Effect = { do: 'start-build' };
const updateUpload: Effect = { do: 'settle-upload' };

type ByState = Readonly<Partial<Record<State, Effect>>>;

/** The states in which authors may upload. */
const uploading: ByState = {
  'Author Configuration': updateUpload,
  'Author Upload': updateUpload,
};

const entering: ByState = {
  'Product Creation': { do: 'create-job' },
  'Product Build': startBuild,
  'Product Rebuild': startBuild,
  'Product Republish': startBuild,
  'Product Publish': { do: 'start-release' },
  ...uploading,
};

const leaving: ByState = uploading;

/** The rest of domain 4.3; what a workflow remembers stands in `machine.ts`. */
const taking: readonly (readonly [rules: readonly TransitionRule[], effects: readonly Effect[]])[] =
  [
    [['W12'], [notify('productCreatedSuccessfully')]],
    [
      ['W20', 'W21', 'W22'],
      [{ do: 'record-build', success: true }, notify('buildCompletedSuccessfully')],
    ],
    [
      ['W19'],
      [{ do: 'record-build', success: false }, notify('buildFailedOwner', 'buildFailedAdmin')],
    ],
    [
      ['W37', 'W38'],
      [{ do: 'record-release', success: true }, notify('releaseCompletedSuccessfully')],
    ],
    [
      ['W36'],
      [
        { do: 'record-release', success: false },
        notify('releaseFailedOwner', 'releaseFailedAdmin'),
      ],
    ],
    [['W35'], [{ do: 'mail-reviewers' }]],
    [['W8', 'W11', 'W30', 'W32', 'W34', 'W40'], [{ do: 'mail-rejection' }]],
  ];

/** The effects of taking the step `rule` because of what was given for it. */
export function effectsOfTaking(rule: TransitionRule): readonly Effect[] {
  return taking.filter(([rules]) => rules.includes(rule)).flatMap(([, effects]) => effects);
}

/** The effects of leaving one state and entering another; null is the start, or the end. */
export function effectsOfGoing(from: State | null, to: State | null): readonly Effect[] {
  const effects = [from === null ? null : leaving[from], to === null ? null : entering[to]];
  return [...new Set(effects)].filter((effect) => effect !== null && effect !== undefined);
}

/** Whether authors may upload to a project whose products are in `states` (null: in none). */
export function authorsMayUpload(isArchived: boolean, states: readonly (string | null)[]): boolean {
  return !isArchived && states.some((state) => state !== null && state in uploading);
}
