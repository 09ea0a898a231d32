/** A statement that finds nothing costs as much as reading this many rows. */
const ROWS_PER_STATEMENT = 20;

/**
 * The number of rows that may still be read before an answer has to do with what it has, and says
 * that there is more. Each answer has its own budget: it reads something first and then checks
 * whether the budget is spent, so that asking again gets further.
 */
export class ReadBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** It is at least 1. */
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
