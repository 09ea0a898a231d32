/** Why this device's storage does not take something. */
export type NotStoredReason =
  /** There is no room left; dropping cached records may make some. */
  | 'full'
  /** It reported an error, and is being opened again. */
  | 'failing'
  /** An older tab keeps it from being upgraded. */
  | 'blocked'
  /** A newer app has upgraded it. */
  | 'newer';

/** The device's storage did not take it: nothing of it was written. */
export class NotStoredError extends Error {
  readonly why: NotStoredReason;

  constructor(why: NotStoredReason, cause?: unknown) {
    super(`The device's storage did not take it (${why})`, { cause });
    this.name = 'NotKept';
    this.why = why;
  }
}
