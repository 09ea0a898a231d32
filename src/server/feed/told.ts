import type { NewsOperation } from '#protocol/operations.ts';
import type { TypeName } from '#schema/index.ts';
import { identifier } from '#protocol/present.ts';
import type { Shown } from './shown.ts';
import { keyOf } from './types.ts';

type Told =
  | { readonly op: 'add' | 'update'; readonly type: TypeName; readonly shown: Shown }
  | { readonly op: 'remove'; readonly type: TypeName; readonly id: string };

/** What one answer or message tells: each record once, in the order in which it is first told. */
export class Telling {
  private readonly told = new Map<string, Told>();

  get size(): number {
    return this.told.size;
  }

  has(type: TypeName, id: string): boolean {
    return this.told.has(keyOf(type, id));
  }

  show(type: TypeName, shown: Shown, op: 'add' | 'update' = 'update'): void {
    if (!this.told.has(shown.key)) this.told.set(shown.key, { op, type, shown });
  }

  remove(type: TypeName, id: string): void {
    const key = keyOf(type, id);
    if (!this.told.has(key)) this.told.set(key, { op: 'remove', type, id });
  }

  /** Operations on records that `isWanted`, parents before what is below them. */
  operations(isWanted: (type: TypeName, id: string) => boolean = () => true): NewsOperation[] {
    const ordered: NewsOperation[] = [];
    const done = new Set<string>();
    const visit = (key: string) => {
      const one = this.told.get(key);
      if (one === undefined || done.has(key)) return;
      done.add(key);
      if (one.op === 'remove') {
        if (isWanted(one.type, one.id)) ordered.push(removal(one.type, one.id));
        return;
      }
      // A parent that is removed is no parent that has to be there first.
      for (const parent of one.shown.parents)
        if (this.told.get(parent)?.op !== 'remove') visit(parent);
      const { data } = one.shown;
      if (isWanted(one.type, data.id)) ordered.push({ op: one.op, data });
    };
    for (const key of this.told.keys()) visit(key);
    return ordered;
  }
}

function removal(type: TypeName, id: string): NewsOperation {
  return { op: 'remove', ref: identifier(type, id) };
}
