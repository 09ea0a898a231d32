import type { AnyRecord, TypeName } from '#schema/index.ts';

/**
 * Caches what a writing transaction has read. Nobody else writes meanwhile, so it stays true until
 * the transaction itself writes: then everything that depends on the type written is read again.
 */
export class TransactionCache {
  readonly #records = new Map<string, AnyRecord | null>();
  readonly #values = new Map<
    string,
    { readonly types: readonly TypeName[]; readonly value: unknown }
  >();

  /** Undefined: not read yet; null: there is none. */
  record(type: TypeName, id: string): AnyRecord | null | undefined {
    return this.#records.get(recordKeyOf(type, id));
  }

  setRecord(type: TypeName, id: string, record: AnyRecord | null): void {
    this.#records.set(recordKeyOf(type, id), record);
  }

  /** Returns the result of `load`, which is kept until a record of one of `types` is written. */
  async cached<T>(key: string, types: readonly TypeName[], load: () => Promise<T>): Promise<T> {
    const known = this.#values.get(key);
    if (known !== undefined) return known.value as T;
    const value = await load();
    this.#values.set(key, { types, value });
    return value;
  }

  /** Updates the cache after a write; `record` is null when it is gone. */
  wrote(type: TypeName, id: string, record: AnyRecord | null): void {
    this.setRecord(type, id, record);
    for (const [key, { types }] of this.#values) if (types.includes(type)) this.#values.delete(key);
  }

  /** Empties the cache, because something was undone. */
  forget(): void {
    this.#records.clear();
    this.#values.clear();
  }
}

/**
 * Returns a key for the query of the records of `type` whose fields equal `where`, in whatever
 * order.
 */
export function listKeyOf(type: TypeName, where: object): string {
  const fields = Object.entries(where).sort(([a], [b]) => (a < b ? -1 : 1));
  // Nothing equals what is left undefined; null is what is not set.
  return `${type}?${JSON.stringify(fields, (_, value: unknown) => (value === undefined ? {} : value))}`;
}

/**
 * Returns a key for a record. Ids are compared as in the database; rules also ask for what a broken
 * document leaves undefined.
 */
export const recordKeyOf = (type: TypeName, id: string): string => `${type}/${id}`.toLowerCase();
