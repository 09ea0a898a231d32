/**
 * Every job and what it is told; a new job is a line here and an `on` or `every` in
 * `server/duties.ts`. It is kept as JSON, and read by later versions of the server too.
 */
export interface JobData {
  prune: null;
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
