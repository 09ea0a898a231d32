import type { Witness } from '../model/environment.ts';

/** What is told of a copy, kept apart from it. */
interface Told {
  /** Which copy: one that is made anew has another name. */
  readonly born: string;
  /** How many changes in it were not done. */
  readonly changes: number;
  /** How many a copy before it had when it was evicted; null: none was, or the person knows. */
  readonly missing: number | null;
}

/** Whether nothing is told of a copy of `account`: a sign-out took that away, and the copy with it. */
export function isForgotten(witness: Witness | null, account: string): boolean {
  try {
    return (witness?.read(account) ?? null) === null;
  } catch {
    return true;
  }
}

/**
 * Notices at a start that the browser evicted the copy that was here: IndexedDB holds another, or
 * an empty one. A sign-out removes both, and is none.
 */
export class CopyWitness {
  readonly #witness: Witness | null;
  readonly #account: string;
  #told: Told | null = null;

  constructor(witness: Witness | null, account: string) {
    this.#witness = witness;
    this.#account = account;
  }

  /** A copy was found, with its name. Gives how many changes may be missing. */
  found(born: string): number | null {
    const before = this.#read();
    const isEvicted = before !== null && before.born !== born;
    const missing = isEvicted ? (before.missing ?? 0) + before.changes : (before?.missing ?? null);
    this.#tell({ born, missing, changes: isEvicted ? 0 : (before?.changes ?? 0) });
    return missing;
  }

  /** The copy was made anew in this session, and nothing is missing in it. */
  renew(born: string): void {
    if (this.#told !== null) this.#tell({ ...this.#told, born });
  }

  /** So many changes are not done. */
  note(changes: number): void {
    if (this.#told === null || this.#told.changes === changes) return;
    // Other tabs tell it too: what they said of an eviction stays.
    this.#tell({ ...this.#told, missing: this.#read()?.missing ?? null, changes });
  }

  /** The person knows what may be missing. */
  noted(): void {
    if (this.#told !== null) this.#tell({ ...this.#told, missing: null });
  }

  /** The copy is about to be removed on purpose. */
  forget(): void {
    this.#told = null;
    try {
      this.#witness?.write(this.#account, null);
    } catch {
      // Where it can't be written nothing is kept.
    }
  }

  #tell(told: Told): void {
    this.#told = told;
    try {
      this.#witness?.write(this.#account, JSON.stringify(told));
    } catch {
      // Full or forbidden: an eviction may then go unnoticed, and nothing else is lost by it.
    }
  }

  #read(): Told | null {
    try {
      const words = this.#witness?.read(this.#account) ?? null;
      const told = words === null ? null : (JSON.parse(words) as Partial<Told> | null);
      return typeof told?.born === 'string' && typeof told.changes === 'number'
        ? (told as Told)
        : null;
    } catch {
      return null;
    }
  }
}
