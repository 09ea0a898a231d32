import type { Of, TypeName } from '#schema/index.ts';
import type { Says } from '../model/change.ts';
import type { Data } from '../model/data.ts';

/** Takes back what was just done. */
export type Undo = () => Promise<unknown>;

/**
 * Adds a record that says that something is held, once that is durable here. What takes it back is
 * the undo of the changes panel, which the server judges (wire 8.1).
 *
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if a value is not valid, or the viewer may not
 */
export async function addForNow<T extends TypeName>(
  data: Data,
  type: T,
  fields: Partial<Of<T>>,
  says: Says,
): Promise<Undo> {
  const id = await data.add(type, fields, says);
  return async () => {
    if (data.find.one(type, id) === null) return;
    const row = data.changes.view().rows.find(({ created }) => created?.id === id);
    if (row !== undefined) await data.changes.undo(row.id);
  };
}

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
