import type { TypeName } from '#schema/index.ts';
import type { Says } from '../model/change.ts';
import type { Data } from '../model/data.ts';

/**
 * Removes a record. Not sent for 8 s, within which it can be undone completely.
 *
 * @param again creates it again: a record that was never sent left no trace
 * @returns a function that undoes it, once it is durable here
 * @throws NotSavedError if this device cannot keep it
 */
export async function removeForNow(
  data: Data,
  { type, id }: { readonly type: TypeName; readonly id: string },
  says: Says,
  again: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  const before = new Set(data.changes.view().rows.map((row) => row.id));
  await data.remove(type, id, says);
  const row = data.changes
    .view()
    .rows.find(({ id: n, about }) => about.id === id && !before.has(n));
  if (row !== undefined) return () => data.changes.undo(row.id);
  return async () => {
    await again();
  };
}
