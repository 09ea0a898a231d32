import '../page/durable.ts';
import PouchDB from 'pouchdb-browser';
import { serve } from '../page/page.ts';
import { flat, recordsIn } from '../page/subject.ts';
import type { Flat } from '../page/subject.ts';

/**
 * As its documentation recommends: `bulkDocs`, ids that sort by type so that `allDocs` is the query,
 * no revisions beyond the newest, and the changes feed for the list.
 */
type Doc = Flat & { _id: string; _rev?: string };
const db = new PouchDB<Doc>('pouchdb', { auto_compaction: true, revs_limit: 1 });

let docs: Doc[] = [];
let byId = new Map<string, Doc>();
let projects: Doc[] = [];
let notify: () => void = () => undefined;

const docOf = (row: Flat): Doc => ({ ...row, _id: `${row.type}/${row.id}` });
const byName = (a: Doc, b: Doc): number => (String(a.name) < String(b.name) ? -1 : 1);
const readAll = async (): Promise<void> => {
  const { rows } = await db.allDocs({ include_docs: true });
  docs = rows.flatMap((row) => ('doc' in row && row.doc ? [row.doc as Doc] : []));
  byId = new Map(docs.map((doc) => [doc._id, doc]));
};

serve({
  open: async () => {
    await db.info();
  },
  load: async (text, loaded) => {
    docs = recordsIn(text).map((record) => docOf(flat(record)));
    loaded();
  },
  write: async () => {
    await db.bulkDocs(docs);
  },
  restore: readAll,
  count: (project) => [
    docs.filter(({ type }) => type === 'product-artifacts').length,
    docs.filter((doc) => doc.type === 'products' && doc.project === project).length,
  ],
  mount: async () => {
    await db.bulkDocs(docs);
    await readAll();
    projects = docs.filter(({ type }) => type === 'projects').sort(byName);
    db.changes({ live: true, since: 'now', include_docs: true }).on('change', ({ doc }) => {
      if (doc === undefined) return;
      byId.set(doc._id, doc as Doc);
      projects = projects
        .filter(({ _id }) => _id !== doc._id)
        .concat(doc as Doc)
        .sort(byName);
      notify();
    });
  },
  hear: (text) =>
    new Promise((resolve, reject) => {
      notify = resolve;
      const changed = recordsIn(text).map((record) => {
        const doc = docOf(flat(record));
        return { ...doc, _rev: byId.get(doc._id)?._rev } as Doc;
      });
      db.bulkDocs(changed).catch(reject);
    }),
  shows: (name) => projects.some((project) => project.name === name),
});
