import type { CopyMarkerStore } from '../model/environment.ts';

/** What is told of a copy, kept apart from it. */
interface CopyMarker {
  /** Which copy: one that is made anew has another name. */
  readonly born: string;
  /** How many changes in it were not done. */
  readonly changes: number;
  /** How many a copy before it had when it was evicted; null: none was, or the person knows. */
  readonly missing: number | null;
}

/** Whether nothing is told of a copy of `account`: a sign-out took that away, and the copy with it. */
export function isForgotten(witness: CopyMarkerStore | null, account: string): boolean {
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
export class EvictionDetector {
  readonly #markers: CopyMarkerStore | null;
  readonly #account: string;
  #marker: CopyMarker | null = null;

  constructor(witness: CopyMarkerStore | null, account: string) {
    this.#markers = witness;
    this.#account = account;
  }

  /** A copy was found, with its name. Gives how many changes may be missing. */
  recordFoundCopy(born: string): number | null {
    const before = this.#read();
    // fault 12
    const isEvicted = before !== null && before.born !== born;
    const missing = isEvicted ? (before.missing ?? 0) + before.changes : (before?.missing ?? null);
    this.#write({ born, missing, changes: isEvicted ? 0 : (before?.changes ?? 0) });
    return missing;
  }

  /** The copy was made anew in this session, and nothing is missing in it. */
  recordRecreatedCopy(born: string): void {
    if (this.#marker !== null) this.#write({ ...this.#marker, born });
  }

  /** So many changes are not done. */
  setPendingCount(changes: number): void {
    if (this.#marker === null || this.#marker.changes === changes) return;
    // Other tabs tell it too: what they said of an eviction stays.
    this.#write({ ...this.#marker, missing: this.#read()?.missing ?? null, changes });
  }

  /** The person knows what may be missing. */
  acknowledge(): void {
    if (this.#marker !== null) this.#write({ ...this.#marker, missing: null });
  }

  /** The copy is about to be removed on purpose. */
  forget(): void {
    this.#marker = null;
    try {
      this.#markers?.write(this.#account, null);
    } catch {
      // Where it can't be written nothing is kept.
    }
  }

  #write(told: CopyMarker): void {
    this.#marker = told;
    try {
      this.#markers?.write(this.#account, JSON.stringify(told));
    } catch {
      // Full or forbidden: an eviction may then go unnoticed, and nothing else is lost by it.
    }
  }

  #read(): CopyMarker | null {
    try {
      const words = this.#markers?.read(this.#account) ?? null;
      const told = words === null ? null : (JSON.parse(words) as Partial<CopyMarker> | null);
      return typeof told?.born === 'string' && typeof told.changes === 'number'
        ? (told as CopyMarker)
        : null;
    } catch {
      return null;
    }
  }
}
