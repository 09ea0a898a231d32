import type { FeedOperation } from '#protocol/operations.ts';
import type { TypeName } from '#schema/index.ts';
import { identifier } from '#protocol/present.ts';
import type { VisibleRecord } from './visible-record.ts';
import { keyOf } from './types.ts';

type CollectedOperation =
  | { readonly op: 'add' | 'update'; readonly type: TypeName; readonly shown: VisibleRecord }
  | { readonly op: 'remove'; readonly type: TypeName; readonly id: string };

/**
 * Collects the operations of one answer or message: each record once, in the order in which it
 * first appears.
 */
export class FeedOperationCollector {
  private readonly collected = new Map<string, CollectedOperation>();

  get size(): number {
    return this.collected.size;
  }

  has(type: TypeName, id: string): boolean {
    return this.collected.has(keyOf(type, id));
  }

  /** Returns true when what was collected of the record is its removal. */
  removes(type: TypeName, id: string): boolean {
    return this.collected.get(keyOf(type, id))?.op === 'remove';
  }

  addRecord(type: TypeName, record: VisibleRecord, op: 'add' | 'update' = 'update'): void {
    if (!this.collected.has(record.key))
      this.collected.set(record.key, { op, type, shown: record });
  }

  addRemoval(type: TypeName, id: string): void {
    const key = keyOf(type, id);
    if (!this.collected.has(key)) this.collected.set(key, { op: 'remove', type, id });
  }

  /** Returns the operations on records that `isWanted`, parents before what is below them. */
  operations(isWanted: (type: TypeName, id: string) => boolean = () => true): FeedOperation[] {
    const ordered: FeedOperation[] = [];
    const done = new Set<string>();
    const visit = (key: string) => {
      const one = this.collected.get(key);
      if (one === undefined || done.has(key)) return;
      done.add(key);
      if (one.op === 'remove') {
        if (isWanted(one.type, one.id)) ordered.push(removal(one.type, one.id));
        return;
      }
      // A removed parent does not have to come first.
      for (const parent of one.shown.parents)
        if (this.collected.get(parent)?.op !== 'remove') visit(parent);
      const { data } = one.shown;
      if (isWanted(one.type, data.id)) ordered.push({ op: one.op, data });
    };
    for (const key of this.collected.keys()) visit(key);
    return ordered;
  }
}

function removal(type: TypeName, id: string): FeedOperation {
  return { op: 'remove', ref: identifier(type, id) };
}
