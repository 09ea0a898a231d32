import type { AnyRecord, TypeName } from '#schema/index.ts';

/** A record that the open transaction has touched: as it was before, and as it is now. */
export interface Touched {
  readonly type: TypeName;
  readonly id: string;
  readonly before: AnyRecord | null;
  readonly after: AnyRecord | null;
  /** The record as it is now; of a removed one, as it was last. */
  readonly last: AnyRecord | null;
  /** The ids of the changes that touched it. */
  readonly changes: readonly string[];
}

export interface TouchedChange {
  readonly op: 'add' | 'update' | 'remove';
  /** The fields that an `update` changed; else empty. */
  readonly fields: readonly string[];
}

const STAMPS: ReadonlySet<string> = new Set(['id', 'version', 'dateCreated', 'dateUpdated']);

/** Returns what became of a touched record, stamps apart. */
export function changeOf({ before, after }: Touched): TouchedChange {
  if (before === null || after === null)
    return { op: before === null ? 'add' : 'remove', fields: [] };
  const isSame = (field: string) => JSON.stringify(before[field]) === JSON.stringify(after[field]);
  const fields = Object.keys(after).filter((field) => !STAMPS.has(field) && !isSame(field));
  return { op: 'update', fields };
}

export type Side = 'before' | 'after' | 'last';

/**
 * The records that a transaction has touched so far; each once, in the order of the first touch.
 */
export class Journal {
  /** The ids of the changes that run now; they are noted with what they touch. */
  changes: readonly string[] = [];
  #touched = new Map<string, Touched>();
  #viewers = new Map<string, readonly string[]>();

  /** `before` is the record before this touch; of several touches the first counts. */
  note(type: TypeName, id: string, before: AnyRecord | null, after: AnyRecord | null): void {
    const key = `${type}/${id}`;
    const known = this.#touched.get(key);
    this.#touched.set(key, {
      type,
      id,
      before: known === undefined ? before : known.before,
      after,
      last: after ?? before ?? known?.last ?? null,
      changes: union(known?.changes ?? [], this.changes),
    });
  }

  /** The rights of `user` changed by something that is no record, such as the end of sign-ins. */
  noteViewer(user: string): void {
    this.#viewers.set(user, union(this.#viewers.get(user) ?? [], this.changes));
  }

  /** Returns the users noted by `noteViewer`, with the ids of the changes that did it. */
  get viewers(): ReadonlyMap<string, readonly string[]> {
    return this.#viewers;
  }

  of(type: TypeName, id: string): Touched | null {
    return this.#touched.get(`${type}/${id}`) ?? null;
  }

  /** Returns everything touched, without what was made and removed again. */
  all(): Touched[] {
    return [...this.#touched.values()].filter(
      ({ before, after }) => before !== null || after !== null,
    );
  }

  /** Returns what was touched of `type`, also what was made and removed again. */
  ofType(type: TypeName): Touched[] {
    return [...this.#touched.values()].filter((touched) => touched.type === type);
  }

  /** Returns what was made and removed again. */
  vanished(): Touched[] {
    return [...this.#touched.values()].filter(
      ({ before, after }) => before === null && after === null,
    );
  }

  /** Returns a function that puts the journal back to this moment. */
  mark(): () => void {
    const [kept, viewers] = [new Map(this.#touched), new Map(this.#viewers)];
    return () => {
      this.#touched = kept;
      this.#viewers = viewers;
    };
  }
}

export function union(some: readonly string[], more: readonly string[]): readonly string[] {
  if (more.every((one) => some.includes(one))) return some;
  return [...new Set([...some, ...more])];
}
