import '../page/durable.ts';
import Loki from 'lokijs';
import IncrementalIndexedDBAdapter from 'lokijs/src/incremental-indexeddb-adapter.js';
import { serve } from '../page/page.ts';
import { flat, has, recordsIn, rowOf, tables } from '../page/subject.ts';
import type { Flat } from '../page/subject.ts';

/**
 * As its documentation recommends: a unique index on the id, binary indexes on what is asked for,
 * whole arrays inserted at once, a persistent dynamic view for the list, the incremental adapter.
 */
const open = () =>
  new Loki('lokijs', { adapter: new IncrementalIndexedDBAdapter(), env: 'BROWSER' });
let db = open();

const LINKS: Record<string, string[]> = {
  products: ['project'],
  'product-builds': ['product'],
  'product-artifacts': ['product-build'],
  projects: ['name'],
};

const of = (type: string) =>
  db.getCollection<Flat>(type) ??
  db.addCollection<Flat>(type, { unique: ['id'], indices: LINKS[type] ?? [] } as never);

let view: ReturnType<ReturnType<typeof of>['addDynamicView']>;
const nameOf = (type: string, id: unknown): string => String(of(type).by('id', String(id))?.name);

const save = () =>
  new Promise<void>((resolve, reject) => {
    db.saveDatabase((error) => (error ? reject(error) : resolve()));
  });

serve({
  open: () => Promise.resolve(),
  load: (text, loaded) => {
    for (const [type, rows] of tables(recordsIn(text))) of(type).insert(rows);
    loaded();
    return Promise.resolve();
  },
  write: save,
  settle: save,
  restore: () =>
    new Promise((resolve, reject) => {
      db = open();
      db.loadDatabase({}, (error) => (error ? reject(error) : resolve()));
    }),
  count: (project) => [
    of('product-artifacts').count(),
    of('products').find({ project } as never).length,
  ],
  mount: () => {
    view = of('projects').addDynamicView('list', { persistent: true });
    view.applySimpleSort('name');
    view.data();
    return Promise.resolve();
  },
  search: (words) => {
    const wanted = words.toLowerCase();
    return view
      .branchResultset()
      .where((project) => has(rowOf(project, nameOf), wanted))
      .limit(20)
      .data()
      .map((project) => rowOf(project, nameOf));
  },
  hear: (text) => {
    for (const record of recordsIn(text)) {
      const known = of(record.type).by('id', record.id);
      of(record.type).update(Object.assign(known ?? {}, flat(record)) as never);
    }
    view.data();
  },
  shows: (name) => view.data().some((project) => project.name === name),
});
