import '../page/durable.ts';
import Dexie, { liveQuery } from 'dexie';
import { serve } from '../page/page.ts';
import { flat, namesIn, recordsIn, searchIn, tables } from '../page/subject.ts';
import type { Flat, NameOf } from '../page/subject.ts';

/**
 * As its documentation recommends: one transaction around all of it, `bulkPut` without all keys,
 * `liveQuery` for the list. It is no copy in memory: `restore` reads what the others hold in theirs.
 */
const db = new Dexie('dexie', { chromeTransactionDurability: 'strict', cache: 'cloned' });
db.version(1).stores({
  users: 'id',
  organizations: 'id',
  groups: 'id',
  'application-types': 'id',
  'organization-memberships': 'id',
  'group-memberships': 'id',
  projects: 'id,name',
  products: 'id,project',
  'product-builds': 'id,product',
  'product-artifacts': 'id,product',
});

let content = new Map<string, Flat[]>();
let shown: Flat[] = [];
let nameOf: NameOf = () => '';
let notify: () => void = () => undefined;

serve({
  open: async () => {
    await db.open();
  },
  load: async (text, loaded) => {
    content = tables(recordsIn(text));
    loaded();
  },
  write: () =>
    db.transaction('rw', db.tables, async () => {
      for (const [type, rows] of content) await db.table(type).bulkPut(rows);
    }),
  restore: async () => {
    await db.open();
    for (const table of db.tables) content.set(table.name, await table.toArray());
  },
  count: async (project) => [
    content.get('product-artifacts')?.length ?? 0,
    (content.get('products') ?? []).filter((product) => product.project === project).length,
  ],
  mount: async () => {
    await db.transaction('rw', db.tables, async () => {
      for (const [type, rows] of content) await db.table(type).bulkPut(rows);
    });
    nameOf = namesIn(content);
    await new Promise<void>((resolve) => {
      notify = resolve;
      liveQuery(() => db.table('projects').orderBy('name').toArray()).subscribe((rows) => {
        shown = rows as Flat[];
        notify();
      });
    });
  },
  search: (words) => searchIn(shown, nameOf, words),
  hear: (text) =>
    new Promise((resolve) => {
      notify = resolve;
      void db.table('projects').bulkPut(recordsIn(text).map(flat));
    }),
  shows: (name) => shown.some((row) => row.name === name),
});
