import '../page/durable.ts';
import { createCollection, createLiveQueryCollection, eq } from '@tanstack/db';
import { serve } from '../page/page.ts';
import { flat, recordsIn, searchIn, tables } from '../page/subject.ts';
import type { Flat } from '../page/subject.ts';

/**
 * As its documentation recommends: what the server says goes in by the collection's own sync, many
 * rows in one commit; the list is a live query. It keeps nothing by itself: it is given the fastest
 * there is, chunks in IndexedDB.
 */
interface Sync {
  begin: () => void;
  write: (change: { type: 'insert' | 'update'; value: Flat }) => void;
  commit: () => void;
  markReady: () => void;
}

function collection(type: string) {
  let sync = {} as Sync;
  const made = createCollection<Flat, string>({
    id: type,
    getKey: (row) => row.id,
    startSync: true,
    sync: {
      sync: (given: Sync) => {
        sync = given;
      },
    },
  } as never);
  const write = (kind: 'insert' | 'update', rows: readonly Flat[]): void => {
    sync.begin();
    for (const value of rows) sync.write({ type: kind, value });
    sync.commit();
    sync.markReady();
  };
  return { made, write };
}

const all = new Map<string, ReturnType<typeof collection>>();
const of = (type: string) => {
  const known = all.get(type) ?? collection(type);
  all.set(type, known);
  return known;
};
let content = new Map<string, Flat[]>();

const take = (): void => {
  for (const [type, rows] of content) of(type).write('insert', rows);
};

const openDb = () =>
  new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('tanstack-db', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('chunks');
    request.onsuccess = () => resolve(request.result);
  });

async function save(types: readonly string[]): Promise<void> {
  const db = await openDb();
  await new Promise<void>((resolve) => {
    const transaction = db.transaction('chunks', 'readwrite');
    transaction.oncomplete = () => resolve();
    for (const type of types) {
      const rows = of(type).made.toArray;
      for (let at = 0; at < rows.length; at += 500)
        transaction.objectStore('chunks').put(rows.slice(at, at + 500), `${type}/${at}`);
    }
  });
  db.close();
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
let list: any;
const nameOf = (type: string, id: unknown): string => String(of(type).made.get(String(id))?.name);

serve({
  open: () => Promise.resolve(),
  load: async (text, loaded) => {
    content = tables(recordsIn(text));
    take();
    loaded();
  },
  write: () => save([...all.keys()]),
  // Only the chunks of the type that changed.
  settle: () => save(['projects']),
  restore: async () => {
    const db = await openDb();
    const chunks = await new Promise<Flat[][]>((resolve) => {
      const request = db.transaction('chunks').objectStore('chunks').getAll();
      request.onsuccess = () => resolve(request.result as Flat[][]);
    });
    for (const chunk of chunks)
      for (const row of chunk) {
        const rows = content.get(row.type);
        if (rows === undefined) content.set(row.type, [row]);
        else rows.push(row);
      }
    take();
  },
  count: async (project) => {
    const products = createLiveQueryCollection((q) =>
      q.from({ p: of('products').made }).where(({ p }) => eq(p.project as never, project)),
    );
    await products.preload();
    return [of('product-artifacts').made.size, products.size];
  },
  mount: async () => {
    list = createLiveQueryCollection((q) =>
      q.from({ p: of('projects').made }).orderBy(({ p }) => p.name as never),
    );
    await list.preload();
    list.subscribeChanges(() => undefined);
  },
  search: (words) => searchIn(list.toArray as Flat[], nameOf, words),
  hear: (text) => {
    of('projects').write('update', recordsIn(text).map(flat));
  },
  shows: (name) => (list.toArray as Flat[]).some((row) => row.name === name),
});
