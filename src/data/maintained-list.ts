import { compareFolded, fold } from '#base/fold.ts';
import { contains, displayNameOf, searchableTexts } from '#rules/display.ts';
import { attributesOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { keyOf } from './record.ts';
import type { StoreRecord } from './record.ts';
import type { Store, Touch } from './store.ts';
import type { ListOptions } from './use-list.ts';

type SortKey = string | number | null;

interface Entry {
  readonly record: StoreRecord;
  readonly key: SortKey;
  /** Records that its place or its being here depends on. */
  readonly leansOn: readonly string[];
}

interface Wanted {
  readonly path: readonly string[];
  readonly matches: (value: unknown) => boolean;
}

/**
 * One list, kept sorted: a batch moves only the entries that it touched or that lean on what it
 * touched, such as projects on the owner by whose name they are sorted.
 */
export class MaintainedList {
  readonly #store: Store;
  readonly #type: TypeName;
  readonly #wanted: readonly Wanted[];
  readonly #sort: readonly string[];
  readonly #isDescending: boolean;
  readonly #search: string;
  readonly #entries = new Map<string, Entry>();
  readonly #leaning = new Map<string, Set<string>>();
  #sorted: Entry[] = [];

  constructor(store: Store, type: TypeName, filter: object, { sort, search }: ListOptions) {
    this.#store = store;
    this.#type = type;
    this.#wanted = Object.entries(filter).map(([path, value]) => ({
      path: path.split('.'),
      matches: matcher(value),
    }));
    this.#isDescending = sort?.startsWith('-') ?? false;
    this.#sort = sort === undefined ? [] : sort.replace(/^-/, '').split('.');
    this.#search = search?.trim() ?? '';
    for (const record of this.#candidates()) this.#enter(record);
    this.#sorted = [...this.#entries.values()].sort((a, b) => this.#compare(a, b));
  }

  get rows(): readonly StoreRecord[] {
    return this.#sorted.map(({ record }) => record);
  }

  #candidates(): readonly StoreRecord[] {
    const link = this.#wanted.find(({ path }) => isLink(this.#type, path));
    const value = link?.path[0] === undefined ? undefined : this.#linkValue(link);
    if (link === undefined || value === undefined) return this.#store.all(this.#type);
    return [...this.#store.children(this.#type, link.path[0] ?? '', value)].flatMap(
      (id) => this.#store.record({ type: this.#type, id }) ?? [],
    );
  }

  #linkValue({ matches }: Wanted): string | undefined {
    return (matches as Partial<Matcher>).id;
  }

  /** Takes in a batch. Gives whether the list is another one now. */
  take(touched: readonly Touch[]): boolean {
    const ids = new Set<string>();
    for (const touch of touched) {
      if (touch.type === this.#type) ids.add(touch.id);
      for (const id of this.#leaning.get(keyOf(touch)) ?? []) ids.add(id);
    }
    if (ids.size === 0) return false;
    let isChanged = false;
    const isMany = ids.size > 50;
    for (const id of ids) isChanged = this.#replace(id, isMany) || isChanged;
    if (isChanged && isMany)
      this.#sorted = [...this.#entries.values()].sort((a, b) => this.#compare(a, b));
    return isChanged;
  }

  #replace(id: string, isMany: boolean): boolean {
    const before = this.#entries.get(id);
    if (before !== undefined) {
      this.#leave(id, before);
      if (!isMany) this.#sorted.splice(this.#placeOf(before), 1);
    }
    const record = this.#store.record({ type: this.#type, id });
    const after = record === null ? null : this.#enter(record);
    if (after !== null && !isMany) this.#sorted.splice(this.#placeOf(after), 0, after);
    // An entry that leans on what was touched counts as touched: its row shows that too.
    return before !== undefined || after !== null;
  }

  #enter(record: StoreRecord): Entry | null {
    const leansOn: string[] = [];
    const isIn =
      this.#wanted.every(({ path, matches }) => matches(this.#read(record, path, leansOn))) &&
      this.#isFound(record, leansOn);
    const key = isIn ? this.#keyOf(record, leansOn) : null;
    // What leans but is out must be looked at again when what it leans on changes.
    for (const on of leansOn) {
      const leaning = this.#leaning.get(on) ?? new Set();
      this.#leaning.set(on, leaning.add(record.id));
    }
    if (!isIn) return null;
    const entry = { record, key, leansOn };
    this.#entries.set(record.id, entry);
    return entry;
  }

  #leave(id: string, { leansOn }: Entry): void {
    this.#entries.delete(id);
    for (const on of leansOn) this.#leaning.get(on)?.delete(id);
  }

  /** The value at the end of `path`; notes the records passed on the way. */
  #read(record: StoreRecord, path: readonly string[], leansOn: string[]): unknown {
    let at: StoreRecord | null = record;
    for (const [i, field] of path.entries()) {
      if (at === null) return null;
      const isLast = i === path.length - 1;
      const link: StoreRecord['relationships'][string] | undefined = at.relationships[field];
      if (isLast) return link === undefined ? fieldOf(at, field) : (link.data?.id ?? null);
      const next: { type: TypeName; id: string } | null = link?.data ?? null;
      if (next === null) return null;
      leansOn.push(keyOf(next));
      at = this.#store.record(next);
    }
    return null;
  }

  #isFound(record: StoreRecord, leansOn: string[]): boolean {
    if (this.#search === '') return true;
    if (record.type === 'project') {
      for (const field of ['owner', 'organization', 'group']) {
        const link = record.relationships[field]?.data ?? null;
        if (link !== null) leansOn.push(keyOf(link));
      }
      return contains(
        searchableTexts(this.#store.flat<'project'>(record), this.#store.find),
        this.#search,
      );
    }
    const texts = attributesOf(record.type).flatMap(([name, { kind }]) => {
      const value = kind === 'line' || kind === 'email' ? record.attributes[name] : null;
      return typeof value === 'string' ? value : [];
    });
    return contains(texts, this.#search);
  }

  #keyOf(record: StoreRecord, leansOn: string[]): SortKey {
    if (this.#sort.length === 0) return null;
    const value = this.#read(record, this.#sort, leansOn);
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') return this.#isMoment() ? value : fold(value);
    return typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : null;
  }

  /** Instants compare as they are: their text is in UTC with milliseconds. */
  #isMoment(): boolean {
    return this.#sort.at(-1)?.startsWith('date') ?? false;
  }

  /** By key, null last in both directions, ties by id (wire 5.3). */
  #compare(a: Entry, b: Entry): number {
    const order = compareKeys(a.key, b.key, this.#isDescending);
    return order === 0
      ? Number(a.record.id > b.record.id) - Number(a.record.id < b.record.id)
      : order;
  }

  #placeOf(entry: Entry): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#sorted[middle];
      if (other !== undefined && this.#compare(other, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compareKeys(a: SortKey, b: SortKey, isDescending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order =
    typeof a === 'string' && typeof b === 'string' ? compareFolded(a, b) : Number(a) - Number(b);
  return isDescending ? -order : order;
}

/** `name` of a user is their display name in sorts and filters (wire 5). */
function fieldOf(record: StoreRecord, field: string): unknown {
  if (field === 'id') return record.id;
  if (record.type === 'user' && field === 'name') return displayNameOf(record.attributes as never);
  return record.attributes[field] ?? null;
}

interface Matcher {
  (value: unknown): boolean;
  /** The id that a to-one must have. */
  readonly id?: string;
}

function matcher(wanted: unknown): Matcher {
  if (typeof wanted === 'object' && wanted !== null) {
    if ('isNull' in wanted) return (value) => value === null;
    if ('notNull' in wanted) return (value) => value !== null;
  }
  const matches = (value: unknown): boolean => value === wanted;
  return typeof wanted === 'string' ? Object.assign(matches, { id: wanted }) : matches;
}

function isLink(type: TypeName, path: readonly string[]): boolean {
  return path.length === 1 && toOnesOf(type).some(([name]) => name === path[0]);
}
