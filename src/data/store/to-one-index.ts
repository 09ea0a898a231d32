import type { StoreRecord } from '../model/record.ts';

const NONE: ReadonlySet<string> = new Set();

/** Which records of a type point to an id with one of their to-ones. */
export class ToOneIndex {
  readonly #field: string;
  readonly #pointing = new Map<string, Set<string>>();

  constructor(field: string, records: readonly StoreRecord[]) {
    this.#field = field;
    for (const record of records) this.take(record.id, null, record);
  }

  /** Ids of those that point to `id`. */
  to(id: string): ReadonlySet<string> {
    return this.#pointing.get(id) ?? NONE;
  }

  /** The record `id` became `after`. */
  take(id: string, before: StoreRecord | null, after: StoreRecord | null): void {
    const was = this.#targetOf(before);
    const is = this.#targetOf(after);
    if (was === is) return;
    if (was !== undefined) this.#drop(id, was);
    if (is === undefined) return;
    const pointing = this.#pointing.get(is);
    if (pointing === undefined) this.#pointing.set(is, new Set([id]));
    else pointing.add(id);
  }

  #targetOf(record: StoreRecord | null): string | undefined {
    return record?.relationships[this.#field]?.data?.id;
  }

  #drop(id: string, was: string): void {
    const pointing = this.#pointing.get(was);
    pointing?.delete(id);
    if (pointing?.size === 0) this.#pointing.delete(was);
  }
}
