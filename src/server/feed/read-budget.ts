/** A statement that finds nothing costs as much as looking at this many rows. */
const ROWS_PER_STATEMENT = 20;

/**
 * How many rows may still be looked at before an answer has to do with what it has, and says that
 * there is more. Each answer has its own: it looks at something first and then whether they are spent,
 * so that asking again gets further.
 */
export class ReadBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** At least 1. */
  get left(): number {
    return Math.max(this.#left, 1);
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(rows: number): void {
    this.#left -= Math.max(rows, ROWS_PER_STATEMENT);
  }
}
