import { isUuid } from '#base/id.ts';
import { typeNames } from '#schema/index.ts';
import type { Backup } from '../storage/backup.ts';
import type { ChangeTarget } from '../model/change.ts';
import type { Unreadable } from '../storage/migrate.ts';
import { isObject } from '#base/is-object.ts';
import type { ChangeRow } from '../model/views.ts';

type Raw = Readonly<Record<string, unknown>>;

/**
 * Changes that this app can't read: an older or a newer one wrote them. They stay on this device as
 * they are, and are shown with their content, until the person discards them.
 */
export class UnreadableChanges {
  readonly #backup: Backup;
  readonly #account: string;
  readonly #listeners = new Set<() => void>();
  #all: readonly Unreadable[] = [];
  #rows: readonly ChangeRow[] = [];

  constructor(backup: Backup, account: string) {
    this.#backup = backup;
    this.#account = account;
    backup.onUnreadable = (all) => {
      this.#setRows(all);
    };
  }

  #setRows(all: readonly Unreadable[]): void {
    this.#all = all;
    this.#rows = all.map((unreadable) => rowOf(unreadable, this.#account));
    for (const listener of this.#listeners) listener();
  }

  /** The changes as the panel lists them: refused, and only to be exported or discarded. */
  get rows(): readonly ChangeRow[] {
    return this.#rows;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #find(id: string): Unreadable | null {
    return this.#all.find(({ seq }) => idOf(seq) === id) ?? null;
  }

  has(id: string): boolean {
    return this.#find(id) !== null;
  }

  exportText(id: string): string {
    return JSON.stringify(this.#find(id)?.raw ?? null, null, 2);
  }

  /** Removes it for good. Returns a function that restores it. */
  async discard(id: string): Promise<() => Promise<void>> {
    const found = this.#find(id);
    if (found === null) return () => Promise.resolve();
    await this.#backup.addChanges([], [found.seq], []);
    this.#setRows(this.#all.filter((other) => other !== found));
    return async () => {
      await this.#backup.restoreUnreadable(found);
      this.#setRows([...this.#all, found]);
    };
  }
}

const idOf = (seq: number): string => `unreadable-${seq}`;

function rowOf({ seq, raw }: Unreadable, account: string): ChangeRow {
  const row = isObject(raw) ? raw : {};
  const records = (Array.isArray(row.operations) ? row.operations : [])
    .map((operation: unknown) => (isObject(operation) ? operation.record : null))
    .filter(isObject);
  const [{ type, id } = {}] = records;
  const isTarget = typeNames.some((known) => known === type) && isUuid(id);
  const about = isTarget
    ? ({ type, id } as ChangeTarget)
    : ({ type: 'user', id: account } as const);
  return {
    id: idOf(seq),
    says: ['changes.unreadable', {}],
    state: 'refused',
    problem: null,
    isUnreadable: true,
    kept: null,
    madeAt: new Date(typeof row.madeAt === 'number' ? row.madeAt : 0).toISOString(),
    ...{ about, touched: [about] },
    typed: Object.assign({}, ...records.map(({ attributes }) => attributes)) as Raw,
    ...{ conflict: [], other: null, isRequest: false, basis: [], created: null },
    ...{ canUndo: false, canDiscard: true, dependants: [], heldBy: null, lostParent: null },
  };
}
