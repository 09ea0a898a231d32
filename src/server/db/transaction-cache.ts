import type { AnyRecord, TypeName } from '#schema/index.ts';

/**
 * What a writing transaction has read. Nobody else writes meanwhile, so it stays true until the
 * transaction itself writes: then everything that depends on the type written is read again.
 */
export class TransactionCache {
  readonly #records = new Map<string, AnyRecord | null>();
  readonly #values = new Map<
    string,
    { readonly types: readonly TypeName[]; readonly value: unknown }
  >();

  /** Undefined: not read yet; null: there is none. */
  record(type: TypeName, id: string): AnyRecord | null | undefined {
    return this.#records.get(keyOf(type, id));
  }

  setRecord(type: TypeName, id: string, record: AnyRecord | null): void {
    this.#records.set(keyOf(type, id), record);
  }

  /** What `load` gives, until a record of one of `types` is written. */
  async cached<T>(key: string, types: readonly TypeName[], load: () => Promise<T>): Promise<T> {
    const known = this.#values.get(key);
    if (known !== undefined) return known.value as T;
    const value = await load();
    this.#values.set(key, { types, value });
    return value;
  }

  /** `record` was written: null when it is gone. */
  wrote(type: TypeName, id: string, record: AnyRecord | null): void {
    this.setRecord(type, id, record);
    for (const [key, { types }] of this.#values) if (types.includes(type)) this.#values.delete(key);
  }

  /** Something was undone. */
  forget(): void {
    this.#records.clear();
    this.#values.clear();
  }
}

/** Names a question for the records of `type` whose fields equal `where`, in whatever order. */
export function listKeyOf(type: TypeName, where: object): string {
  const fields = Object.entries(where).sort(([a], [b]) => (a < b ? -1 : 1));
  // Nothing equals what is left undefined; null is what is not set.
  return `${type}?${JSON.stringify(fields, (_, value: unknown) => (value === undefined ? {} : value))}`;
}

// As the database compares ids; rules also ask for what a broken document leaves undefined.
const keyOf = (type: TypeName, id: string): string => `${type}/${id}`.toLowerCase();
