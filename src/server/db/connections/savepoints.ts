import type { TransactionSession } from './transaction-session.ts';

interface Frame {
  readonly name: string;
  isSet: boolean;
}

/**
 * Savepoints that are set only when something is about to be written: most of what is refused is
 * refused before. One that has been left is released together with setting the next.
 */
export class Savepoints {
  readonly #tx: TransactionSession;
  readonly #frames: Frame[] = [];
  #toRelease: string | null = null;

  constructor(tx: TransactionSession) {
    this.#tx = tx;
  }

  /** A savepoint begins here; nothing is sent yet. */
  enter(): void {
    this.#frames.push({ name: `s${this.#frames.length}`, isSet: false });
  }

  /** Sets the savepoint; called before every statement that may write. */
  async set(): Promise<void> {
    const fresh = this.#frames.filter(({ isSet }) => !isSet);
    if (fresh.length === 0) return;
    const released = this.#toRelease === null ? [] : [`release savepoint ${this.#toRelease}`];
    this.#toRelease = null;
    await this.#tx.run([...released, ...fresh.map(({ name }) => `savepoint ${name}`)].join('; '));
    for (const frame of fresh) frame.isSet = true;
  }

  /** Keeps what was done since `enter`. */
  leave(): void {
    const frame = this.#frames.pop();
    if (frame?.isSet === true) this.#toRelease = frame.name;
  }

  /** Undoes what was done since `enter`. */
  async undo(): Promise<boolean> {
    const frame = this.#frames.pop();
    if (frame?.isSet !== true) return false;
    await this.#tx.run(`rollback to savepoint ${frame.name}; release savepoint ${frame.name}`);
    this.#toRelease = null;
    return true;
  }
}
