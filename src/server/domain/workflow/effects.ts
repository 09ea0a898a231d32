import type { TransitionRule, State } from './steps.ts';

/** An effect of a step on the world; the caller that stores the workflow runs it. */
export type Effect =
  /** A request to the build engine; its answer comes back as an event. */
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

/** The rest of domain 4.3; the memory of a workflow is in `machine.ts`. */
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

/** Returns the effects of taking the step `rule` because of its event. */
export function effectsOfTaking(rule: TransitionRule): readonly Effect[] {
  return taking.filter(([rules]) => rules.includes(rule)).flatMap(([, effects]) => effects);
}

/** Returns the effects of leaving one state and entering another; null is the start, or the end. */
export function effectsOfGoing(from: State | null, to: State | null): readonly Effect[] {
  const effects = [from === null ? null : leaving[from], to === null ? null : entering[to]];
  return [...new Set(effects)].filter((effect) => effect !== null && effect !== undefined);
}

/**
 * Returns true when authors may upload to a project whose products are in `states` (null: in none).
 */
export function authorsMayUpload(isArchived: boolean, states: readonly (string | null)[]): boolean {
  return !isArchived && states.some((state) => state !== null && state in uploading);
}
