import type { AnyRecord, TypeName } from '#schema/index.ts';

/** A record that the open transaction has touched: as it was before, and as it is now. */
export interface Touched {
  readonly type: TypeName;
  readonly id: string;
  readonly before: AnyRecord | null;
  readonly after: AnyRecord | null;
}

export type Side = 'before' | 'after';

/** What a transaction has done so far; each record once, in the order of the first touch. */
export class Journal {
  #touched = new Map<string, Touched>();

  /** `before` counts only at the first touch. */
  note(type: TypeName, id: string, before: AnyRecord | null, after: AnyRecord | null): void {
    const key = `${type}/${id}`;
    const known = this.#touched.get(key);
    this.#touched.set(key, {
      type,
      id,
      before: known === undefined ? before : known.before,
      after,
    });
  }

  of(type: TypeName, id: string): Touched | null {
    return this.#touched.get(`${type}/${id}`) ?? null;
  }

  /** All that is not as if it had never been: what was made and removed again is left out. */
  all(): Touched[] {
    return [...this.#touched.values()].filter(
      ({ before, after }) => before !== null || after !== null,
    );
  }

  /** What puts the journal back to this moment. */
  mark(): () => void {
    const kept = new Map(this.#touched);
    return () => {
      this.#touched = kept;
    };
  }
}
