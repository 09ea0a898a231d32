import '../page/durable.ts';
import { createRxDatabase } from 'rxdb';
import type { RxCollection } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { serve } from '../page/page.ts';
import { flat, namesIn, recordsIn, searchIn, tables } from '../page/subject.ts';
import type { Flat, NameOf } from '../page/subject.ts';

/**
 * As its documentation recommends: one instance, event-reduce, `bulkInsert`, production mode; its
 * memory storage where nothing has to last, its storage on IndexedDB that is free where it has.
 */
const text = { type: 'string', maxLength: 250 };
const LINKS: Record<string, string[]> = {
  users: [],
  organizations: [],
  groups: [],
  'application-types': [],
  'organization-memberships': [],
  'group-memberships': [],
  projects: ['name'],
  products: ['project'],
  'product-builds': ['product'],
  'product-artifacts': ['product'],
};

let collections: Record<string, RxCollection<Flat>> = {};
let content = new Map<string, Flat[]>();
let shown: readonly Flat[] = [];
let nameOf: NameOf = () => '';
let notify: () => void = () => undefined;

let db: { close: () => Promise<unknown> } | null = null;

async function open(storage: 'memory' | 'indexeddb'): Promise<void> {
  // It allows 16 collections at once.
  await db?.close();
  const opened = await createRxDatabase({
    name: `rxdb${storage}`,
    storage:
      storage === 'memory'
        ? getRxStorageMemory()
        : getRxStorageDexie({ chromeTransactionDurability: 'strict' } as never),
    multiInstance: false,
    eventReduce: true,
  });
  const schemas = Object.entries(LINKS).map(([type, indexes]) => {
    const properties = Object.fromEntries(['id', ...indexes].map((name) => [name, text]));
    const required = ['id', ...indexes];
    return [
      type,
      { schema: { version: 0, primaryKey: 'id', type: 'object', properties, required, indexes } },
    ];
  });
  db = opened;
  collections = (await opened.addCollections(Object.fromEntries(schemas))) as never;
}

const insert = async (): Promise<void> => {
  for (const [type, rows] of content) await collections[type]?.bulkInsert(rows);
};

const plain = (docs: readonly unknown[]): Flat[] =>
  docs.map((doc) => (doc as { _data: Flat })._data);

serve({
  open: () => open('memory'),
  load: async (given, loaded) => {
    content = tables(recordsIn(given));
    await insert();
    loaded();
  },
  write: async () => {
    await open('indexeddb');
    await insert();
  },
  restore: async () => {
    await open('indexeddb');
    for (const type of Object.keys(LINKS))
      content.set(type, plain((await collections[type]?.find().exec()) ?? []));
  },
  count: async (project) => {
    const own = await collections.products?.find({ selector: { project } }).exec();
    return [content.get('product-artifacts')?.length ?? 0, own?.length ?? 0];
  },
  mount: async () => {
    nameOf = namesIn(content);
    await new Promise<void>((resolve) => {
      notify = resolve;
      collections.projects
        ?.find({ sort: [{ name: 'asc' }] } as never)
        .$.subscribe((docs: unknown) => {
          shown = plain(docs as unknown[]);
          notify();
        });
    });
  },
  search: (words) => searchIn(shown, nameOf, words),
  hear: (given) =>
    new Promise((resolve) => {
      notify = resolve;
      void collections.projects?.bulkUpsert(recordsIn(given).map(flat));
    }),
  shows: (name) => shown.some((row) => row.name === name),
});
