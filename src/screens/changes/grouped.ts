import type { Find } from '#rules/find.ts';
import { changedFieldsOf } from '#data/model/changed-fields.ts';
import type { ChangeRow } from '#data/model/views.ts';

/** A change among the others of its group. */
export interface ListedChange {
  readonly row: ChangeRow;
  /** The project of the changes from here on; null: it is said already, or this one stands alone. */
  readonly project: { readonly name: string; readonly number: number } | null;
  /** True if it stands below the name of its project. */
  readonly isOfProject: boolean;
}

/**
 * Puts changes of one project behind one another, where the newest of them is, under the project's
 * name. The order is otherwise as it was.
 */
export function byProject(rows: readonly ChangeRow[], find: Find): readonly ListedChange[] {
  const together = new Map<string, ChangeRow[]>();
  for (const row of rows) {
    const key = projectOf(row, find) ?? row.id;
    const others = together.get(key);
    if (others === undefined) together.set(key, [row]);
    else others.push(row);
  }
  return [...together].flatMap(([key, all]) => {
    const name = all.length === 1 ? undefined : find.one('project', key)?.name;
    return all.map((row, i) => ({
      row,
      project: i === 0 && name !== undefined ? { name, number: all.length } : null,
      isOfProject: name !== undefined,
    }));
  });
}

/** The project that a change is about, or whose product it is about; null: none. */
function projectOf(row: ChangeRow, find: Find): string | null {
  const { about, touched } = row;
  if (about.type === 'project') return about.id;
  // A run of many products is of no project alone.
  if (touched.length > 1 && row.kept?.call !== null) return null;
  const project = linkOf(row, 'project', find);
  if (project !== null) return project;
  const product = linkOf(row, 'product', find);
  return product === null ? null : (find.one('product', product)?.project ?? null);
}

/** The record that a to-one of the change's record leads to, also where that is not here any more. */
function linkOf({ about, kept }: ChangeRow, field: string, find: Find): string | null {
  const record = find.one(about.type, about.id) as Readonly<Record<string, unknown>> | null;
  const changed =
    record === null && kept !== null
      ? changedFieldsOf(kept).find((one) => one.of.id === about.id && one.field === field)
      : undefined;
  const id = record?.[field] ?? changed?.before ?? changed?.after;
  return typeof id === 'string' ? id : null;
}
