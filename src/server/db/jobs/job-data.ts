import type { Mail } from '../../kernel/mail/mail-templates.ts';

/**
 * Every job and what it is told; a new job is a line here and an `on` or `every` in
 * `server/register-jobs.ts`. It is kept as JSON, and read by later versions of the server too.
 */
export interface JobData {
  prune: null;
  /** Removes the counts of limits whose window is over. */
  'prune-counts': null;
  /** Removes notifications that were read and are old. */
  'forget-notifications': null;
  /** Notifies organizations whose products have lost their package name. */
  'tell-of-losses': null;
  /** Removes what uploads left behind whose server ended. */
  'remove-upload-parts': null;
  /** Removes mail that is kept as files. */
  'forget-mail': null;
  /** Asks each build engine in use whether it is available, as often as it is due. */
  'check-engines': null;
  /** Of the build engine: a repository for a project, a job for a product, a build, a release. */
  'set-up-project': { readonly project: string; readonly wasDoubtful?: boolean };
  'create-engine-job': { readonly product: string };
  'begin-build': { readonly build: string };
  'begin-release': { readonly publication: string };
  /** Looks how what the engine is at work on stands, again and again. */
  'watch-build': { readonly build: string };
  'watch-release': { readonly publication: string };
  /** Makes the projects and products of a file (domain 8.4). */
  'work-off-import': { readonly import: string };
  'mail-reviewers': {
    readonly product: string;
    readonly comment: string | null;
    /** Ids of those who were counted; missing in jobs of an earlier version: everybody. */
    readonly reviewers?: readonly string[];
  };
  /** What a person was told and has not read (domain 10.1, N2). */
  'mail-notifications': { readonly user: string };
  /** What the demo's people do next with a product: both count from 0 (demo/scenes.ts). */
  'play-demo': { readonly scene: number; readonly deed: number };
  'send-letter': { readonly letter: Mail };
}

export type JobName = keyof JobData;

/** What is to be done later. */
export type Job = {
  readonly [N in JobName]: { readonly name: N; readonly data: JobData[N] };
}[JobName];

/** Jobs that need no telling can be done again and again. */
export type Recurring = {
  [N in JobName]: JobData[N] extends null ? N : never;
}[JobName];
