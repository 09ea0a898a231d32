import type { Find } from '#rules/find.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from './database.ts';
import { listKeyOf, recordKeyOf } from './transaction-cache.ts';

/**
 * Returns what `rule` returns, or throws, when it sees the transaction. Rules are synchronous and
 * shared with the browser, so the records they need are loaded between passes: a pass goes to the
 * end of the rule and takes what is not loaded yet for absent; what it missed is then loaded, the
 * records of a type in one query. The pass that misses nothing counts, whatever it returns or
 * throws. A rule must have no effects.
 */
export async function evaluateRule<T>(
  tx: DatabaseTransaction,
  rule: (find: Find) => T,
): Promise<T> {
  const loaded = new LoadedRecords();
  for (;;) {
    const pass = attempt(() => rule(loaded.find));
    if (loaded.isComplete) return pass();
    await loaded.loadMissing(tx);
  }
}

/** Returns a function that returns what `work` returned, or throws what it threw. */
function attempt<T>(work: () => T): () => T {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The records that passes of one rule have asked for. */
class LoadedRecords {
  readonly #ones = new Map<string, AnyRecord | null>();
  readonly #lists = new Map<string, readonly AnyRecord[]>();
  /** The ids of the records that a pass missed, by type. */
  readonly #missingOnes = new Map<TypeName, Set<string>>();
  /** The queries of the lists that a pass missed, by key. */
  readonly #missingLists = new Map<string, { readonly type: TypeName; readonly where: object }>();

  readonly find = {
    one: (type: TypeName, id: string) => this.#one(type, id),
    all: (type: TypeName, where: object) => this.#all(type, where),
  } as Find;

  get isComplete(): boolean {
    return this.#missingOnes.size === 0 && this.#missingLists.size === 0;
  }

  async loadMissing(tx: DatabaseTransaction): Promise<void> {
    for (const [key, { type, where }] of this.#missingLists) {
      const found = await tx.all(type, where);
      this.#lists.set(key, found);
      for (const record of found) this.#ones.set(recordKeyOf(type, record.id), record);
    }
    for (const [type, ids] of this.#missingOnes) {
      const unread = [...ids].filter((id) => !this.#ones.has(recordKeyOf(type, id)));
      const found = await tx.many(type, unread);
      for (const id of unread) this.#ones.set(recordKeyOf(type, id), null);
      for (const record of found) this.#ones.set(recordKeyOf(type, record.id), record);
    }
    this.#missingLists.clear();
    this.#missingOnes.clear();
  }

  #one(type: TypeName, id: string): AnyRecord | null {
    const known = this.#ones.get(recordKeyOf(type, id));
    if (known !== undefined) return known;
    const missing = this.#missingOnes.get(type) ?? new Set();
    this.#missingOnes.set(type, missing.add(id));
    return null;
  }

  #all(type: TypeName, where: object): readonly AnyRecord[] {
    const key = listKeyOf(type, where);
    const known = this.#lists.get(key);
    if (known === undefined) this.#missingLists.set(key, { type, where });
    return known ?? [];
  }
}
