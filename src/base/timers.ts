/** Waiting is passed in, so that a test owns it. */
export interface Timers {
  /** Calls `act` after `ms`; the returned function cancels that. */
  after(ms: number, act: () => void): () => void;
}
