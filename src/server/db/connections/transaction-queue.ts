/** Reads may go first this often before a waiting write has its turn. */
const MOST_READS_FIRST = 20;

/** A transaction either only reads or may write. */
type TransactionKind = 'read' | 'write';

/** Ends a transaction; the next waiting one begins. */
export type EndTransaction = () => void;

/**
 * Orders the transactions on the embedded database, which is one session: a transaction holds it to
 * its end. Waiting reads go before writes, because a page waits for each of them; after a number of
 * reads one write goes, because it would wait for ever otherwise.
 */
export class TransactionQueue {
  readonly #waiting: Readonly<Record<TransactionKind, ((end: EndTransaction) => void)[]>> = {
    read: [],
    write: [],
  };
  #isTaken = false;
  #readsInARow = 0;

  /** True when a transaction that goes on keeps a read from beginning. */
  get isReadWaiting(): boolean {
    return this.#waiting.read.length > 0;
  }

  enter(purpose: TransactionKind): Promise<EndTransaction> {
    return new Promise((resolve) => {
      this.#waiting[purpose].push(resolve);
      this.#next();
    });
  }

  #next(): void {
    if (this.#isTaken) return;
    const purpose = this.#nextPurpose();
    const begin = this.#waiting[purpose].shift();
    if (begin === undefined) return;
    this.#readsInARow = purpose === 'read' ? this.#readsInARow + 1 : 0;
    this.#isTaken = true;
    begin(() => {
      this.#isTaken = false;
      this.#next();
    });
  }

  #nextPurpose(): TransactionKind {
    const { read, write } = this.#waiting;
    if (write.length === 0) return 'read';
    return read.length === 0 || this.#readsInARow >= MOST_READS_FIRST ? 'write' : 'read';
  }
}
