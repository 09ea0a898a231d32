import type { CopyMarkerStore } from '../model/environment.ts';

/** The facts about a copy that are stored apart from it. */
interface CopyMarker {
  /** The id of the copy: one that is created again has another id. */
  readonly born: string;
  /** How many pending changes it had. */
  readonly changes: number;
  /** How many a previous copy had when it was evicted; null: none was, or the person knows. */
  readonly missing: number | null;
}

/** Tells whether there is no marker for `account`: a sign-out removed it, and the copy with it. */
export function isForgotten(markers: CopyMarkerStore | null, account: string): boolean {
  try {
    return (markers?.read(account) ?? null) === null;
  } catch {
    return true;
  }
}

/**
 * Notices at a start that the browser evicted the copy that was here: IndexedDB holds another, or
 * an empty one. A sign-out removes both copy and marker, and is no eviction.
 */
export class EvictionDetector {
  readonly #markers: CopyMarkerStore | null;
  readonly #account: string;
  #marker: CopyMarker | null = null;

  constructor(markers: CopyMarkerStore | null, account: string) {
    this.#markers = markers;
    this.#account = account;
  }

  /** A copy was found, with its id. Returns how many changes may be missing. */
  recordFoundCopy(copyId: string): number | null {
    const before = this.#read();
    // fault 12
    const isEvicted = before !== null && before.born !== copyId;
    const missing = isEvicted ? (before.missing ?? 0) + before.changes : (before?.missing ?? null);
    this.#write({ born: copyId, missing, changes: isEvicted ? 0 : (before?.changes ?? 0) });
    return missing;
  }

  /** The copy was created again in this session, and nothing is missing in it. */
  recordRecreatedCopy(copyId: string): void {
    if (this.#marker !== null) this.#write({ ...this.#marker, born: copyId });
  }

  /** Notes how many changes are pending. */
  setPendingCount(changes: number): void {
    if (this.#marker === null || this.#marker.changes === changes) return;
    // Other tabs write the marker too: what they noted of an eviction stays.
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
      // Where it can't be written there is nothing to remove.
    }
  }

  #write(marker: CopyMarker): void {
    this.#marker = marker;
    try {
      this.#markers?.write(this.#account, JSON.stringify(marker));
    } catch {
      // Full or forbidden: an eviction may then go unnoticed, and nothing else is lost by it.
    }
  }

  #read(): CopyMarker | null {
    try {
      const words = this.#markers?.read(this.#account) ?? null;
      const marker = words === null ? null : (JSON.parse(words) as Partial<CopyMarker> | null);
      return typeof marker?.born === 'string' && typeof marker.changes === 'number'
        ? (marker as CopyMarker)
        : null;
    } catch {
      return null;
    }
  }
}
