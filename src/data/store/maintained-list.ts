import { fold } from '#base/unicode.ts';
import { compareKeys, displayNameOf, searchTextOf } from '#rules/record/display.ts';
import type { LanguageNames, SortKey } from '#rules/record/display.ts';
import type { Find } from '#rules/find.ts';
import { productStatusOf } from '#rules/product-status.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import { isInWorkingSet, keyOf } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';
import type { ListOptions } from '../model/views.ts';
import { isBelowOne, linkIn } from './store.ts';
import type { ToOneLink, RecordStore, Touch } from './store.ts';

type Words = readonly string[];

interface Entry {
  readonly record: StoreRecord;
  readonly key: SortKey;
  /** What a search looks through; null until someone searches. */
  text: string | null;
}

interface Wanted {
  readonly path: readonly string[];
  readonly matches: (value: unknown) => boolean;
}

/** What lists read beside the records. */
export interface ListSources {
  readonly names: () => LanguageNames;
  /** Whose lists they are. */
  readonly viewer: () => Viewer;
}

/** The types by which people get rights, of which the status of a product depends for them. */
const OF_RIGHTS = /Role|Membership/;

/** With more entries at once, the list is sorted again instead of inserting them one by one. */
const MANY = 50;

/**
 * One list, kept sorted: batches are noted, and at the next read only those entries are computed
 * again that they touched or that depend on a touched record, such as projects on the owner by
 * whose name they are sorted.
 */
export class MaintainedList {
  readonly type: TypeName;
  readonly #store: RecordStore;
  readonly #wanted: readonly Wanted[];
  /**
   * The to-one that every record of the list has, with the id that it names; null: there is none.
   */
  readonly #link: ToOneLink | null;
  /** True if records outside the working set count, too. */
  readonly #isAnywhere: boolean;
  readonly #sort: readonly string[];
  readonly #isDescending: boolean;
  /** Instants compare as they are: their text is in UTC with milliseconds. */
  readonly #isByMoment: boolean;
  readonly #entries = new Map<string, Entry>();
  /**
   * Keys of the records on which the place, the presence or the text of each one depends, by its
   * id; also of those outside the list, which may come in by them.
   */
  readonly #leansOn = new Map<string, Set<string>>();
  /** The other way round. */
  readonly #leaning = new Map<string, Set<string>>();
  /** The id of whose rights the presence of all depends on; null: it depends on nobody's. */
  readonly #judge: string | null;
  /** Ids of the records to compute again. */
  readonly #noted = new Set<string>();
  #sorted: Entry[] = [];
  #version = 0;
  #found: { readonly version: number; readonly words: Words; readonly rows: Entry[] } | null = null;
  readonly #names: () => LanguageNames;
  readonly #viewer: () => Viewer;
  /** The viewer while entries are computed; who that is takes several lists to tell. */
  #viewerNow: Viewer | null = null;

  constructor(
    store: RecordStore,
    type: TypeName,
    filter: object,
    { sort, anywhere }: Pick<ListOptions, 'sort' | 'anywhere'>,
    { names, viewer }: ListSources,
  ) {
    this.#names = names;
    this.#viewer = viewer;
    this.#store = store;
    this.type = type;
    this.#wanted = Object.entries(filter).map(([path, value]) => ({
      path: path.split('.'),
      matches: matcher(value, path),
    }));
    this.#judge = 'products.status' in filter ? viewer().id : null;
    this.#link = linkIn(type, filter);
    this.#isAnywhere = anywhere ?? isBelowOne(type, filter);
    this.#isDescending = sort?.startsWith('-') ?? false;
    this.#sort = sort === undefined ? [] : sort.replace(/^-/, '').split('.');
    this.#isByMoment = this.#sort.at(-1)?.startsWith('date') ?? false;
    for (const record of store.linked(type, this.#link)) this.#enter(record);
    this.#viewerNow = null;
    this.#sortAll();
  }

  /** Grows whenever the list changed. */
  get version(): number {
    this.#refresh();
    return this.#version;
  }

  /** The entries that contain every one of `words`, in order; all for no words. */
  found(words: Words): readonly { readonly record: StoreRecord }[] {
    this.#refresh();
    if (words.length === 0) return this.#sorted;
    if (this.#found?.words !== words || this.#found.version !== this.#version) {
      const rows = this.#sorted.filter((entry) => {
        const text = this.#textOf(entry);
        return words.every((word) => text.includes(word));
      });
      this.#found = { version: this.#version, words, rows };
    }
    return this.#found.rows;
  }

  /** True once every text is made. */
  get isReady(): boolean {
    return this.#sorted.every(({ text }) => text !== null);
  }

  /** Makes `most` of the texts that are missing. Returns how many it made. */
  makeTexts(most: number): number {
    const missing = this.#sorted.filter(({ text }) => text === null).slice(0, most);
    for (const entry of missing) this.#textOf(entry);
    return missing.length;
  }

  /** The names of languages came: what is searched is made again. */
  forgetTexts(): void {
    for (const entry of this.#entries.values()) entry.text = null;
    this.#found = null;
  }

  /**
   * Tells whether it is in the list, or links to the record that the list belongs to, such as a
   * project.
   */
  #mayHold({ id, after }: Touch): boolean {
    if (this.#link === null || this.#entries.has(id)) return true;
    return after?.relationships[this.#link.field]?.data?.id === this.#link.to;
  }

  /** Notes a batch. Returns whether it concerns the list. */
  note(touched: readonly Touch[]): boolean {
    for (const touch of touched) {
      if (touch.type === this.type && this.#mayHold(touch)) this.#noted.add(touch.id);
      if (this.#judge !== null && OF_RIGHTS.test(touch.type)) {
        const user = (touch.after ?? touch.before)?.relationships.user?.data?.id;
        if (user === this.#judge)
          for (const { id } of this.#store.linked(this.type, this.#link)) this.#noted.add(id);
      }
      if (this.#leaning.size === 0) continue;
      for (const key of keysOf(touch))
        for (const id of this.#leaning.get(key) ?? []) this.#noted.add(id);
    }
    return this.#noted.size > 0;
  }

  #refresh(): void {
    if (this.#noted.size === 0) return;
    const isMany = this.#noted.size > MANY;
    let isChanged = false;
    for (const id of this.#noted) isChanged = this.#replace(id, isMany) || isChanged;
    this.#noted.clear();
    this.#viewerNow = null;
    if (!isChanged) return;
    this.#version += 1;
    if (isMany) this.#sortAll();
  }

  #sortAll(): void {
    this.#sorted = [...this.#entries.values()].sort((a, b) => this.#compare(a, b));
  }

  #replace(id: string, isMany: boolean): boolean {
    const before = this.#entries.get(id);
    this.#leave(id);
    if (before !== undefined && !isMany) this.#sorted.splice(this.#placeOf(before), 1);
    const record = this.#store.record({ type: this.type, id });
    const after = record === null ? null : this.#enter(record);
    if (after !== null && !isMany) this.#sorted.splice(this.#placeOf(after), 0, after);
    // An entry that depends on a touched record counts as touched: its row shows that record, too.
    return before !== undefined || after !== null;
  }

  #enter(record: StoreRecord): Entry | null {
    const leansOn = new Set<string>();
    const isIn =
      (this.#isAnywhere || isInWorkingSet(record)) &&
      this.#wanted.every(({ path, matches }) =>
        path[0] === 'products'
          ? this.#someProduct(record, path[1], matches, leansOn)
          : matches(this.#read(record, path, leansOn)),
      );
    const key = isIn ? this.#keyOf(record, leansOn) : null;
    // A record outside the list must be computed again, too, when a record it depends on changes.
    this.#lean(record.id, leansOn);
    if (!isIn) return null;
    const entry: Entry = { record, key, text: null };
    this.#entries.set(record.id, entry);
    return entry;
  }

  #lean(id: string, leansOn: Set<string>): void {
    if (leansOn.size > 0) this.#leansOn.set(id, leansOn);
    for (const on of leansOn) {
      const leaning = this.#leaning.get(on);
      if (leaning === undefined) this.#leaning.set(on, new Set([id]));
      else leaning.add(id);
    }
  }

  #leave(id: string): void {
    this.#entries.delete(id);
    for (const on of this.#leansOn.get(id) ?? []) {
      const leaning = this.#leaning.get(on);
      leaning?.delete(id);
      if (leaning?.size === 0) this.#leaning.delete(on);
    }
    this.#leansOn.delete(id);
  }

  /** The value at the end of `path`; notes the records passed on the way. */
  #read(record: StoreRecord, path: readonly string[], leansOn: Set<string>): unknown {
    let at: StoreRecord | null = record;
    for (const [i, field] of path.entries()) {
      if (at === null) return null;
      const isLast = i === path.length - 1;
      const link: StoreRecord['relationships'][string] | undefined = at.relationships[field];
      if (isLast) return link === undefined ? fieldOf(at, field) : (link.data?.id ?? null);
      const next: { type: TypeName; id: string } | null = link?.data ?? null;
      if (next === null) return null;
      leansOn.add(keyOf(next));
      at = this.#store.record(next);
    }
    return null;
  }

  /**
   * Says whether the field of a product of `project` matches, or its status; one without products
   * counts as not started.
   */
  #someProduct(
    project: StoreRecord,
    field: string | undefined,
    matches: Wanted['matches'],
    leansOn: Set<string>,
  ): boolean {
    leansOn.add(keyOf(project));
    const one = this.#findNoting(leansOn);
    const { find } = this.#store;
    const all: Find['all'] = (type, where) => {
      const found = find.all(type, where);
      for (const { id } of found) leansOn.add(keyOf({ type, id }));
      return found;
    };
    const products = all('product', { project: project.id });
    if (field !== 'status') return products.some((product) => matches(product.productDefinition));
    if (products.length === 0) return matches('not-started');
    const viewer = (this.#viewerNow ??= this.#viewer());
    return products.some((product) => matches(productStatusOf(viewer, product, { one, all }).is));
  }

  /** Finds one record, and notes its key in `leansOn`. */
  #findNoting(leansOn: Set<string>): Find['one'] {
    return (type, id) => {
      leansOn.add(keyOf({ type, id }));
      return this.#store.find.one(type, id);
    };
  }

  #textOf(entry: Entry): string {
    if (entry.text !== null) return entry.text;
    const { record } = entry;
    const leansOn = this.#leansOn.get(record.id) ?? new Set<string>();
    leansOn.add(keyOf(record));
    const find = { ...this.#store.find, one: this.#findNoting(leansOn) };
    const flat = this.#store.flat<TypeName>(record);
    entry.text = searchTextOf(record.type, flat, find, this.#names());
    this.#lean(record.id, leansOn);
    return entry.text;
  }

  #keyOf(record: StoreRecord, leansOn: Set<string>): SortKey {
    if (this.#sort.length === 0) return null;
    const value = this.#read(record, this.#sort, leansOn);
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') return this.#isByMoment ? value : fold(value);
    return typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : null;
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

/** By these a record that comes or goes counts for another one: by name, and by status. */
const COUNTS_FOR: Partial<Record<TypeName, string>> = {
  product: 'project',
  author: 'project',
  userTask: 'product',
};

/** The key of a touched record, and of one that came or went that of the record it counts for. */
function keysOf(touch: Touch): string[] {
  const { type, before, after } = touch;
  const cameOrWent = before === null || after === null;
  const above = cameOrWent && (after ?? before)?.relationships[COUNTS_FOR[type] ?? '']?.data;
  return above ? [keyOf(touch), keyOf(above)] : [keyOf(touch)];
}

/** `name` of a user is their display name in sorts and filters (wire 5). */
function fieldOf(record: StoreRecord, field: string): unknown {
  if (field === 'id') return record.id;
  if (record.type === 'user' && field === 'name') return displayNameOf(record.attributes as never);
  return record.attributes[field] ?? null;
}

/** Tells whether the fields of `record` itself match `filter`. */
export function isIn(record: StoreRecord, filter: object): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    const link = record.relationships[field];
    return matcher(
      wanted,
      field,
    )(link === undefined ? fieldOf(record, field) : (link.data?.id ?? null));
  });
}

function matcher(wanted: unknown, path: string): Wanted['matches'] {
  if (typeof wanted === 'object' && wanted !== null) {
    if ('isNull' in wanted) return (value) => value === null;
    if ('notNull' in wanted) return (value) => value !== null;
    if ('anyOf' in wanted) {
      // The text that people type is compared as the server does it (wire 5.3).
      const compared = (value: unknown) =>
        path === 'language' && typeof value === 'string' ? fold(value) : value;
      const values = new Set((wanted.anyOf as readonly unknown[]).map(compared));
      return (value) => values.has(compared(value));
    }
  }
  return (value) => value === wanted;
}
