import type { ProductActionRun } from '#schema/product-action-run.ts';
import type { State } from '../domain/workflow/steps.ts';
import type { AccountKey } from './accounts.ts';

/**
 * A command of a task, or an action of the product where no task is; one that rolls back leads to
 * its first release.
 */
export type DemoStep = readonly [
  who: AccountKey,
  deed: string | { readonly action: ProductActionRun['action']; readonly rollsBack?: true },
  comment?: string | null,
  release?: DemoRelease,
];

/** What is said of a release. */
interface DemoRelease {
  readonly version: string;
  readonly notes: string;
}

/** The steps once the product has come to `state`; null: its workflow has ended. */
interface LaterSteps {
  readonly state: State | null;
  readonly step: DemoStep;
}

/** A product and how far people take it. */
export interface Scene {
  /** The project's number: one of the builder's. */
  readonly project: number;
  readonly definition: string;
  readonly store: string;
  /** The steps that run when the demo is made. */
  readonly first: readonly DemoStep[];
  /** The steps that run after the start, as builds end: each takes the time that it takes. */
  readonly later: readonly LaterSteps[];
}

const SITE = ['HTML Site to Cloud Provider', 'slipway_web'] as const;
const WEB_APP = ['PWA to Cloud Provider', 'slipway_web'] as const;
const ANDROID = ['Android App to Amazon S3 Bucket', 'slipway_files'] as const;
const QUICK_ANDROID = ['Android App to Amazon S3 Bucket (No Admin)', 'slipway_files'] as const;
const PLAY = ['Android App to Google Play', 'slipway_play'] as const;
const PACKAGE = ['Asset Package to Amazon S3 Bucket', 'slipway_files'] as const;

const scene = (
  project: number,
  [definition, store]: readonly [string, string],
  first: readonly DemoStep[],
  ...later: readonly LaterSteps[]
): Scene => ({ project, definition, store, first, later });

const ready: DemoStep = ['builder', 'Continue'];
const at = (state: State | null, ...step: DemoStep): LaterSteps => ({ state, step });

const build = at('App Builder Configuration', ...ready);
const publish = at('Verify and Publish', 'builder', 'Approve');
const release = (version: string, notes: string) =>
  at('Verify and Publish', 'builder', 'Approve', null, { version, notes });
const admitted: readonly DemoStep[] = [ready, ['admin', 'Approve', 'Good work.']];
const buildNew = at('App Builder Configuration', 'builder', 'New App');
const enter = at('App Store Preview', 'admin', 'Approve');

const reject = (comment: string) => at('Verify and Publish', 'builder', 'Reject', comment);
const toAuthors = (comment: string) =>
  at('Synchronize Data', 'builder', 'Transfer to Authors', comment);

/**
 * One at each step that people take, and some that were published. What needs an Android app gets
 * as far as its build where the tools for one are not installed, and shows how a build fails, in
 * one project also when it is tried again.
 */
export const scenes: readonly Scene[] = [
  scene(1, SITE, [], build),
  scene(1, WEB_APP, [['builder', 'Transfer to Authors', 'Please check the order of the pages.']]),
  scene(2, WEB_APP, []),
  scene(2, ANDROID, []),
  scene(3, ANDROID, [ready]),
  scene(4, ANDROID, [ready, ['admin', 'Hold', 'Who reads it before it goes out?']]),
  scene(5, ANDROID, [ready, ['admin', 'Reject', 'There is one already: see Harvest.']]),
  scene(6, SITE, [], build, release('1.0', 'The first edition, with a table of contents.')),
  scene(6, WEB_APP, [], build, publish, at(null, 'builder', { action: 'rebuild' })),
  scene(
    16,
    PACKAGE,
    [],
    build,
    release('1.0', 'All twelve chapters.'),
    at(null, 'builder', { action: 'rebuild' }),
    release('1.1', 'Larger pictures\nA search in all chapters'),
    at(null, 'admin', { action: 'republish', rollsBack: true }),
  ),
  scene(14, SITE, [], build, reject('The title page still has last year on it.')),
  scene(
    13,
    SITE,
    [],
    build,
    reject('Two pictures of the second chapter are missing.'),
    toAuthors('Please add the two pictures.'),
  ),
  scene(
    17,
    WEB_APP,
    [],
    build,
    reject('The recordings end too early.'),
    toAuthors('Please cut the recordings again.'),
    at('Author Download', 'author', 'Continue'),
  ),
  scene(15, QUICK_ANDROID, [], build, at('Synchronize Data', ...ready)),
  scene(18, PLAY, admitted, buildNew),
  scene(19, PLAY, admitted, buildNew, enter),
  scene(
    25,
    PLAY,
    admitted,
    buildNew,
    enter,
    at('Create App Store Entry', 'admin', 'Continue'),
    publish,
  ),
];
