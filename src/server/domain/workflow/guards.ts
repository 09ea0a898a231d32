import { STARTUP } from './scheme.ts';
import type { Actor, Scheme } from './scheme.ts';

/** The memory of a workflow besides its state; it lives as long as the workflow. */
export interface Flags {
  /** The app was in the store before. */
  readonly existing: boolean;
  readonly draft: boolean;
  /** The build that a person put into the store by hand. */
  readonly uploaded: EngineBuild | null;
  /** What the owner said of the release as they approved it; null: not approved yet. */
  readonly release: ReleaseTexts | null;
  /** Id of the build that is rolled back to; null: the newest successful one is released. */
  readonly build: string | null;
}

/** The words of a release; null: not stated. */
export interface ReleaseTexts {
  readonly version: string | null;
  readonly notes: string | null;
}

export const NO_FLAGS: Flags = {
  existing: false,
  draft: false,
  uploaded: null,
  release: null,
  build: null,
};

interface EngineBuild {
  readonly buildId: number;
  readonly versionCode: string;
}

/** The facts about the world around the workflow that a step needs. */
export interface WorkflowFacts {
  /** The ids of people; none of them is locked. */
  readonly actors: Readonly<Record<Actor, readonly string[]>>;
  readonly hasReviewers: boolean;
  /** The build engine has a job for the product already. */
  readonly hasJob: boolean;
  /** The newest successful build. */
  readonly newestBuild: EngineBuild | null;
  /** Id of the build or publication that the engine is at work on. */
  readonly awaited: string | null;
  readonly isArchived: boolean;
  /** The parameters of both definitions, merged (domain 4.5). */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A guard holds when the scheme allows it and, if it has such a test, the present facts do too. */
interface Guard {
  readonly scheme?: (scheme: Scheme) => boolean;
  readonly now?: (facts: WorkflowFacts, flags: Flags) => boolean;
}

const isPlayStartup = ({ family, type }: Scheme) => family === 'play' && type === STARTUP;

/** The guards of domain 4.1, and the options of a scheme. */
const guards = {
  startup: { scheme: ({ type }) => type === STARTUP },
  play: { scheme: ({ family }) => family === 'play' },
  approval: { scheme: ({ approval }) => approval },
  preview: { scheme: ({ preview }) => preview },
  authors: { now: ({ actors }) => actors.Author.length > 0 },
  reviewers: { now: ({ hasReviewers }) => hasReviewers },
  'new app': {
    scheme: isPlayStartup,
    now: (_, { existing, uploaded }) => !existing && uploaded === null,
  },
  'first release': { scheme: isPlayStartup, now: (_, { existing }) => !existing },
  'sync first': { now: ({ parameters }) => shouldExecute(parameters, 'Synchronize Data') },
} as const satisfies Readonly<Record<string, Guard>>;

type GuardName = keyof typeof guards;

/** A guard, or with `!` its opposite. */
export type Condition = GuardName | `!${GuardName}`;

function shouldExecute(
  { ShouldExecute: wanted }: WorkflowFacts['parameters'],
  state: string,
): boolean {
  return typeof wanted === 'object' && wanted !== null
    ? (wanted as Readonly<Record<string, unknown>>)[state] === true
    : false;
}

function read(condition: Condition): { readonly guard: Guard; readonly isOpposite: boolean } {
  const isOpposite = condition.startsWith('!');
  const name = (isOpposite ? condition.slice(1) : condition) as GuardName;
  return { guard: guards[name], isOpposite };
}

/** Returns true when `condition` can ever hold in `scheme`. */
export function canHold(condition: Condition, scheme: Scheme): boolean {
  const { guard, isOpposite } = read(condition);
  const isAllowed = guard.scheme?.(scheme) ?? true;
  return isOpposite ? !isAllowed || guard.now !== undefined : isAllowed;
}

/** Returns true when `condition` holds now. */
export function holds(
  condition: Condition,
  scheme: Scheme,
  facts: WorkflowFacts,
  flags: Flags,
): boolean {
  const { guard, isOpposite } = read(condition);
  const isTrue = (guard.scheme?.(scheme) ?? true) && (guard.now?.(facts, flags) ?? true);
  return isTrue !== isOpposite;
}
