import type { Find } from '#rules/find.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from './database.ts';
import { listKeyOf } from './transaction-cache.ts';

/** Thrown out of a rule when it needs a record that is not loaded yet. */
class RecordNotLoaded extends Error {
  readonly load: (tx: DatabaseTransaction) => Promise<void>;

  constructor(load: (tx: DatabaseTransaction) => Promise<void>) {
    super('A rule looked for a record that is not loaded yet');
    this.name = 'RecordNotLoaded';
    this.load = load;
  }
}

/**
 * Returns what `rule` returns, or throws, when it sees the transaction. Rules are synchronous and
 * shared with the browser: whenever one needs a record that is not loaded, it is loaded and the
 * rule runs again from its start, so it must have no effects.
 */
export async function evaluateRule<T>(
  tx: DatabaseTransaction,
  rule: (find: Find) => T,
): Promise<T> {
  const find = createFind();
  for (;;) {
    try {
      return rule(find);
    } catch (error) {
      if (!(error instanceof RecordNotLoaded)) throw error;
      await error.load(tx);
    }
  }
}

function createFind(): Find {
  const ones = new Map<string, AnyRecord | null>();
  const lists = new Map<string, readonly AnyRecord[]>();

  const one = (type: TypeName, id: string): AnyRecord | null => {
    const key = `${type}/${id}`;
    const known = ones.get(key);
    if (known !== undefined) return known;
    throw new RecordNotLoaded(async (tx) => {
      ones.set(key, await tx.one(type, id));
    });
  };

  const all = (type: TypeName, where: object): readonly AnyRecord[] => {
    const key = listKeyOf(type, where);
    const known = lists.get(key);
    if (known !== undefined) return known;
    throw new RecordNotLoaded(async (tx) => {
      const found = await tx.all(type, where);
      lists.set(key, found);
      for (const record of found) ones.set(`${type}/${record.id}`, record);
    });
  };

  return { one, all } as Find;
}
