import type { TimerFunctions } from '../model/environment.ts';

/** So many are remembered; each reading of the feed proves them all. */
const MOST_COMMITS = 100;
/** So long an answer waits for the feed to prove it; then it is asked for again. */
const CONFIRMED_WITHIN_MS = 5_000;

/** Where a cursor stands, in the form in which answers name commits (`{n}-{mark}`). */
const placeOf = (cursor: string): string => cursor.slice(cursor.indexOf('.') + 1);

/** The newest commit that is shown by what comes with a cursor; null: of before commits had marks. */
function newestOf(cursor: string): string | null {
  const [, n, mark, seen] =
    /^s?(\d{20})[^-]*-([a-z0-9]{8})(?:~(\d{20}))?$/.exec(placeOf(cursor)) ?? [];
  return n === undefined || mark === undefined ? null : `${seen ?? n}-${mark}`;
}

/**
 * The commits that answers, and messages of which a part did not fit, showed before the feed told
 * them. A database that is restored to before one of them does not have what was shown, and the
 * cursor cannot know: so the feed is asked about them (wire 9.3).
 */
export class UnconfirmedCommits {
  #commits: readonly string[] = [];
  #connections = 0;
  readonly #timers: TimerFunctions;
  /** Answers that wait to be proven: what settles each, by the commit that it names. */
  readonly #waiting = new Map<(isProven: boolean) => void, string>();
  /** Called when an answer came to what was asked before the hub was connected to. */
  onUnconfirmed: () => void = () => undefined;

  constructor(timers: TimerFunctions) {
    this.#timers = timers;
  }

  /** Those that nothing has proven yet; the copy keeps them beside its cursor. */
  get commits(): readonly string[] {
    return this.#commits;
  }

  /** How often the hub was connected to: as long as it stays so, the database is the same. */
  get connections(): number {
    return this.#connections;
  }

  connected(): void {
    this.#connections += 1;
  }

  /** @param connections what it was when it was asked; none where another tab asked */
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
   * Whether the database that the feed is read from has what an answer showed: at once, unless the
   * hub was connected to since it was asked for, then as soon as the feed has said so. A feed that
   * says nothing for long holds no change back: false, and it is sent again.
   *
   * @param connections what it was when it was asked
   */
  whenConfirmed(commit: string | null, connections: number): Promise<boolean> {
    if (commit === null || connections === this.#connections || !this.#commits.includes(commit))
      return Promise.resolve(true);
    return new Promise((done) => {
      const settle = (isProven: boolean): void => {
        this.#timers.clear(timer);
        this.#waiting.delete(settle);
        done(isProven);
      };
      const timer = this.#timers.set(() => {
        settle(false);
      }, CONFIRMED_WITHIN_MS);
      this.#waiting.set(settle, commit);
    });
  }

  /** The feed went on to `cursor` without a break. */
  confirmUpTo(cursor: string): void {
    this.#commits = this.#commits.filter((commit) => commit > placeOf(cursor));
    this.#resolveWaiting(true);
  }

  /** The database has them. */
  confirm(commits: readonly string[]): void {
    this.#commits = this.#commits.filter((commit) => !commits.includes(commit));
    this.#resolveWaiting(true);
  }

  /** All is read afresh, perhaps from another database. */
  clear(): void {
    this.#commits = [];
    this.#resolveWaiting(false);
  }

  /** Nobody waits any more for what the feed says; the commits stay. */
  stopWaiting(): void {
    for (const settle of [...this.#waiting.keys()]) settle(false);
  }

  /** Settles those whose commits are not in question any more. */
  #resolveWaiting(isProven: boolean): void {
    for (const [settle, commit] of [...this.#waiting])
      if (!this.#commits.includes(commit)) settle(isProven);
  }
}
