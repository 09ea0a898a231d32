import { isObject } from '#base/is-object.ts';

/** What the server does by itself, in the background. Screens name each of them in plain words. */
export const jobNames = [
  'begin-build',
  'begin-release',
  'check-engines',
  'create-engine-job',
  'export-data',
  'forget-mail',
  'forget-notifications',
  'mail-notifications',
  'mail-reviewers',
  'play-demo',
  'prune',
  'prune-counts',
  'remove-data-exports',
  'remove-upload-parts',
  'send-letter',
  'set-up-project',
  'tell-of-losses',
  'watch-build',
  'watch-release',
  'work-off-import',
] as const;

/** Every reason for which the last attempt at a job failed. */
export const jobTroubles = [
  /** The build engine could not be reached. */
  'engine-unreachable',
  /** The build engine refused what was asked. */
  'engine-refused',
  /** The build engine answered something that is of no use, or could not do it. */
  'engine-failed',
  /** Something on the network did not answer. */
  'unreachable',
  /** The mail server did not take a mail. */
  'mail-refused',
  'database',
  'disk-full',
  /** It could not be done yet. */
  'not-yet',
  /** Something that nobody foresaw; the server's log has it. */
  'fault',
] as const;
export type JobTrouble = (typeof jobTroubles)[number];

export const jobPaths = {
  list: '/api/jobs',
  runAgain: (id: string) => `/api/jobs/${id}/run`,
} as const;

/** A job as super admins see it (wire 11.14): nothing of its data but what it is about. */
export interface JobSummary {
  readonly id: string;
  /** One of `jobNames`, or one of another version of the server. */
  readonly name: string;
  readonly isRunning: boolean;
  /** The number of attempts that failed in a row. */
  readonly failures: number;
  /** Why the last of them failed; null where none did, or it was before this was noted. */
  readonly trouble: string | null;
  readonly failedAt: string | null;
  /** When it is tried next; what is running is being tried. */
  readonly dueAt: string;
  /** The record that it is done for, by the name of its type on the wire. */
  readonly subject: { readonly type: string; readonly id: string } | null;
}

export interface JobPart {
  /** The first of them, those that are due next. */
  readonly jobs: readonly JobSummary[];
  readonly total: number;
}

/** `GET /api/jobs`. */
export interface JobLists {
  readonly failed: JobPart;
  readonly waiting: JobPart;
}

/** The answer of `GET /api/jobs`; null: it is of another form. */
export function jobListsFrom(value: unknown): JobLists | null {
  return isObject(value) && isPart(value.failed) && isPart(value.waiting)
    ? { failed: value.failed, waiting: value.waiting }
    : null;
}

function isPart(value: unknown): value is JobPart {
  return isObject(value) && Array.isArray(value.jobs) && typeof value.total === 'number';
}
