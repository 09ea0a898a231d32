import type { Mail } from '../../kernel/mail/mail-templates.ts';

/**
 * Every job with its data; a new job is a line here and an `on` or `every` in
 * `server/register-jobs.ts`. The data is kept as JSON, and read by later versions of the server
 * too.
 */
export interface JobData {
  prune: null;
  /** Removes the counts of limits whose window is over. */
  'prune-counts': null;
  /** Removes notifications that were read and are old. */
  'forget-notifications': null;
  /** Notifies organizations whose products have lost their package name. */
  'tell-of-losses': null;
  /** Removes what was left of uploads whose server ended. */
  'remove-upload-parts': null;
  /** Removes mail that is kept as files. */
  'forget-mail': null;
  /** Removes exports of people's data that were kept for a day. */
  'remove-data-exports': null;
  /** Asks each build engine in use whether it is available, as often as it is due. */
  'check-engines': null;
  /**
   * Requests from the build engine: a repository for a project, a job for a product, a build, a
   * release.
   */
  'set-up-project': { readonly project: string; readonly wasDoubtful?: boolean };
  'create-engine-job': { readonly product: string };
  'begin-build': { readonly build: string };
  'begin-release': { readonly publication: string };
  /** Polls the engine about its running builds and releases, again and again. */
  'watch-build': { readonly build: string };
  'watch-release': { readonly publication: string };
  /** Makes the projects and products of a file (domain 8.4). */
  'work-off-import': { readonly import: string };
  'mail-reviewers': {
    readonly product: string;
    readonly comment: string | null;
    /** The ids of those who were counted; jobs of an earlier version lack it and mean everybody. */
    readonly reviewers?: readonly string[];
  };
  /** Mails the notifications that a person has not read (domain 10.1, N2). */
  'mail-notifications': { readonly user: string };
  /**
   * The next step of the demo's people with a product; both numbers count from 0 (demo/scenes.ts).
   */
  'play-demo': { readonly scene: number; readonly deed: number };
  /** Makes the file of what is kept about a person, who asked for it. */
  'export-data': { readonly user: string };
  'send-letter': { readonly letter: Mail };
}

export type JobName = keyof JobData;

/** A job to be done later. */
export type Job = {
  readonly [N in JobName]: { readonly name: N; readonly data: JobData[N] };
}[JobName];

/** Jobs without data can recur. */
export type Recurring = {
  [N in JobName]: JobData[N] extends null ? N : never;
}[JobName];
