import type { TimerFunctions } from '../model/environment.ts';

/** So many are remembered; each reading of the feed confirms them all. */
const MOST_COMMITS = 100;
/** So long an answer waits for the feed to confirm it; then it is requested again. */
const CONFIRMED_WITHIN_MS = 5_000;

/** The place of a cursor, in the form in which answers name commits (`{n}-{mark}`). */
const placeOf = (cursor: string): string => cursor.slice(cursor.indexOf('.') + 1);

/** The newest commit that is shown by what comes with a cursor; null: commits had no marks yet. */
function newestOf(cursor: string): string | null {
  const [, n, mark, seen] =
    /^s?(\d{20})[^-]*-([a-z0-9]{8})(?:~(\d{20}))?$/.exec(placeOf(cursor)) ?? [];
  return n === undefined || mark === undefined ? null : `${seen ?? n}-${mark}`;
}

/**
 * The commits that answers, and messages of which a part did not fit, showed before the feed
 * brought them. A database that is restored to before one of them does not have what was shown, and
 * the cursor cannot tell: so the feed is asked about them (wire 9.3).
 */
export class UnconfirmedCommits {
  #commits: readonly string[] = [];
  #connections = 0;
  readonly #timers: TimerFunctions;
  /**
   * Answers that wait to be confirmed: the function that resolves each, and the commit that it
   * names.
   */
  readonly #waiting = new Map<(isConfirmed: boolean) => void, string>();
  /** Called when an answer came to a request made before the hub was connected. */
  onUnconfirmed: () => void = () => undefined;

  constructor(timers: TimerFunctions) {
    this.#timers = timers;
  }

  /** The commits that are not confirmed yet; the copy keeps them beside its cursor. */
  get commits(): readonly string[] {
    return this.#commits;
  }

  /** How often the hub was connected: while it stays connected, the database is the same. */
  get connections(): number {
    return this.#connections;
  }

  connected(): void {
    this.#connections += 1;
  }

  /** @param connections their number when the request was made; none where another tab made it */
  add(commits: readonly string[], connections?: number): void {
    this.#commits = [...new Set([...this.#commits, ...commits])].slice(-MOST_COMMITS);
    if (commits.length > 0 && connections !== this.#connections) this.onUnconfirmed();
  }

  /** A part of what comes with `cursor` is shown, and the copy does not go on to it. */
  addPartlyShown(cursor: string): void {
    const commit = newestOf(cursor);
    if (commit !== null) this.add([commit], this.#connections);
  }

  /**
   * Resolves with whether the database that the feed is read from has what an answer showed: at
   * once, or, if the hub was connected since the request, as soon as the feed confirms it. When the
   * feed does not answer in time the result is false, and the change is sent again.
   *
   * @param connections their number when the request was made
   */
  whenConfirmed(commit: string | null, connections: number): Promise<boolean> {
    if (commit === null || connections === this.#connections || !this.#commits.includes(commit))
      return Promise.resolve(true);
    return new Promise((done) => {
      const resolve = (isConfirmed: boolean): void => {
        this.#timers.clear(timer);
        this.#waiting.delete(resolve);
        done(isConfirmed);
      };
      const timer = this.#timers.set(() => {
        resolve(false);
      }, CONFIRMED_WITHIN_MS);
      this.#waiting.set(resolve, commit);
    });
  }

  /** The feed went on to `cursor` without a gap. */
  confirmUpTo(cursor: string): void {
    this.#commits = this.#commits.filter((commit) => commit > placeOf(cursor));
    this.#resolveWaiting(true);
  }

  /** The database has them. */
  confirm(commits: readonly string[]): void {
    this.#commits = this.#commits.filter((commit) => !commits.includes(commit));
    this.#resolveWaiting(true);
  }

  /** A resync begins, perhaps with another database. */
  clear(): void {
    this.#commits = [];
    this.#resolveWaiting(false);
  }

  /** Nobody waits for the feed any more; the commits stay. */
  stopWaiting(): void {
    for (const resolve of [...this.#waiting.keys()]) resolve(false);
  }

  /** Resolves those whose commits are not in question any more. */
  #resolveWaiting(isConfirmed: boolean): void {
    for (const [resolve, commit] of [...this.#waiting])
      if (!this.#commits.includes(commit)) resolve(isConfirmed);
  }
}
