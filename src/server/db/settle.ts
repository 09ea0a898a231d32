import type { Find } from '#rules/find.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { Tx } from './database.ts';
import { questionOf } from './memory.ts';

/** Thrown out of a rule to say what it looked for and nobody has loaded yet. */
class Lacking extends Error {
  readonly load: (tx: Tx) => Promise<void>;

  constructor(load: (tx: Tx) => Promise<void>) {
    super('A rule looked for a record that is not loaded yet');
    this.name = 'Lacking';
    this.load = load;
  }
}

/**
 * What `rule` returns, or throws, when it sees the transaction. Rules are synchronous and shared
 * with the browser: whenever one asks `find` for what is not at hand, that is loaded and the rule
 * runs again from its start, so it must have no effects.
 */
export async function settle<T>(tx: Tx, rule: (find: Find) => T): Promise<T> {
  const find = memoryOf();
  for (;;) {
    try {
      return rule(find);
    } catch (error) {
      if (!(error instanceof Lacking)) throw error;
      await error.load(tx);
    }
  }
}

function memoryOf(): Find {
  const ones = new Map<string, AnyRecord | null>();
  const lists = new Map<string, readonly AnyRecord[]>();

  const one = (type: TypeName, id: string): AnyRecord | null => {
    const key = `${type}/${id}`;
    const known = ones.get(key);
    if (known !== undefined) return known;
    throw new Lacking(async (tx) => {
      ones.set(key, await tx.one(type, id));
    });
  };

  const all = (type: TypeName, where: object): readonly AnyRecord[] => {
    const key = questionOf(type, where);
    const known = lists.get(key);
    if (known !== undefined) return known;
    throw new Lacking(async (tx) => {
      const found = await tx.all(type, where);
      lists.set(key, found);
      for (const record of found) ones.set(`${type}/${record.id}`, record);
    });
  };

  return { one, all } as Find;
}
