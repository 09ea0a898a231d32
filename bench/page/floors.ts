import './durable.ts';
import { drawn, medianOf } from './pace.ts';
import { serve } from './page.ts';
import { recordsIn } from './subject.ts';
import type { Row, Subject, WireRecord } from './subject.ts';

/**
 * The best that the browser can do: `JSON.parse` and a Map, records in a Map by id, plain arrays,
 * and IndexedDB with nothing around it.
 */
const RECORDS_PER_CHUNK = 500;

let records: WireRecord[] = [];
let byId = new Map<string, WireRecord>();
/** For the plain arrays: flat, as a program that uses plain arrays has them. */
let projects: Row[] = [];

const nameOf = (project: WireRecord, link: string): string => {
  const id = project.relationships[link]?.data?.id ?? '';
  return String(byId.get(id)?.attributes.name ?? '');
};

const rowOf = (project: WireRecord): Row => ({
  id: project.id,
  name: String(project.attributes.name),
  owner: nameOf(project, 'owner'),
  group: nameOf(project, 'group'),
  organization: nameOf(project, 'organization'),
});

const byName = (a: Row, b: Row): number =>
  a.name === b.name ? compare(a.id, b.id) : compare(a.name, b.name);
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Finds where `row` stands among the sorted projects, or would. */
function placeOf(row: Row): number {
  let low = 0;
  let high = projects.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = projects[middle];
    if (other !== undefined && byName(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function take(text: string): void {
  records = recordsIn(text);
  byId = new Map();
  for (const record of records) byId.set(record.id, record);
}

function openDb(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('floor', 1);
    request.onupgradeneeded = () => {
      for (const name of ['chunks', 'blob', 'rows']) request.result.createObjectStore(name);
    };
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error('IndexedDB does not open'));
    };
  });
}

/** Resolves after `oncomplete`. */
function written(
  db: IDBDatabase,
  name: string,
  put: (store: IDBObjectStore) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(name, 'readwrite', { durability: 'strict' });
    transaction.oncomplete = () => {
      resolve();
    };
    transaction.onabort = () => {
      reject(transaction.error ?? new Error('The transaction was aborted'));
    };
    put(transaction.objectStore(name));
  });
}

function read(db: IDBDatabase, name: string, key: string): Promise<unknown> {
  return new Promise((resolve) => {
    const request = db.transaction(name).objectStore(name).get(key);
    request.onsuccess = () => {
      resolve(request.result);
    };
  });
}

let db: IDBDatabase;
let text = '';

const subject: Subject = {
  open: async () => {
    db = await openDb();
  },
  load: (given, loaded) => {
    text = given;
    take(given);
    loaded();
    return Promise.resolve();
  },
  write: () =>
    written(db, 'chunks', (store) => {
      for (let at = 0; at < records.length; at += RECORDS_PER_CHUNK)
        store.put(records.slice(at, at + RECORDS_PER_CHUNK), at);
    }),
  restore: async () => {
    db = await openDb();
    take((await read(db, 'blob', 'text')) as string);
  },
  count: (project) => {
    const isOfProject = ({ type, relationships }: WireRecord): boolean =>
      type === 'products' && relationships.project?.data?.id === project;
    const artifacts = records.filter(({ type }) => type === 'product-artifacts').length;
    return [artifacts, records.filter(isOfProject).length];
  },
  mount: () => {
    projects = records
      .filter(({ type }) => type === 'projects')
      .map(rowOf)
      .sort(byName);
    return Promise.resolve();
  },
  search: (words) => {
    const wanted = words.toLowerCase();
    return projects
      .filter(
        ({ name, owner, group, organization }) =>
          name.toLowerCase().includes(wanted) ||
          owner.toLowerCase().includes(wanted) ||
          group.toLowerCase().includes(wanted) ||
          organization.toLowerCase().includes(wanted),
      )
      .sort(byName)
      .slice(0, 20);
  },
  hear: (message) => {
    for (const record of recordsIn(message)) {
      const before = byId.get(record.id);
      if (before !== undefined) projects.splice(placeOf(rowOf(before)), 1);
      byId.set(record.id, record);
      const row = rowOf(record);
      projects.splice(placeOf(row), 0, row);
    }
  },
  shows: (name) => projects.some((row) => row.name === name),
};

/** The blob that `restore` reads, written before it; and a strict commit of one row. */
Object.assign(globalThis, {
  writeBlob: async () => {
    await subject.open();
    text = await (await fetch('/records.json')).text();
    await written(db, 'blob', (store) => store.put(text, 'text'));
  },
  /** Ms of one, where each finds the browser as idle as an edit does. */
  commitRow: async (times: number): Promise<number> => {
    await subject.open();
    const row = { id: 'x', name: 'A plain row', at: 0 };
    const took: number[] = [];
    for (let n = 0; n < times; n += 1) {
      await drawn();
      const from = performance.now();
      await written(db, 'rows', (store) => store.put(row, n));
      took.push(performance.now() - from);
    }
    return medianOf(took.slice(5));
  },
});
serve(subject);
