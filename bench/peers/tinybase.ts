import '../page/durable.ts';
import { createIndexedDbPersister } from 'tinybase/persisters/persister-indexed-db';
import { createQueries, createRelationships, createStore } from 'tinybase';
import { serve } from '../page/page.ts';
import { flat, recordsIn, tables } from '../page/subject.ts';
import type { Flat, Row } from '../page/subject.ts';

/**
 * As its documentation recommends: whole tables at once, inside a transaction; relationships for
 * to-ones; a query kept for the list, listened to sorted and paged.
 */
let store = createStore();
let relationships = createRelationships(store);
let queries = createQueries(store);
let persister = createIndexedDbPersister(store, 'tinybase');

const cells = (row: Flat) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

const define = (): void => {
  relationships.setRelationshipDefinition('products', 'products', 'projects', 'project');
};

const LIST = 'list';
let sorted: string[] = [];

const save = async (): Promise<void> => {
  await persister.save();
};

serve({
  open: () => Promise.resolve(),
  load: (text, loaded) => {
    const content: Record<string, Record<string, object>> = {};
    for (const [type, rows] of tables(recordsIn(text))) {
      const table: Record<string, object> = (content[type] = {});
      for (const row of rows) table[row.id] = cells(row);
    }
    store.transaction(() => store.setTables(content as never));
    define();
    loaded();
    return Promise.resolve();
  },
  write: save,
  settle: save,
  restore: async () => {
    await persister.load();
    define();
  },
  count: (project) => [
    store.getRowCount('product-artifacts'),
    relationships.getLocalRowIds('products', project).length,
  ],
  mount: () => {
    queries.setQueryDefinition(LIST, 'projects', ({ select }) => {
      select('name');
    });
    const take = (): void => {
      sorted = queries.getResultSortedRowIds(LIST, 'name', false, 0, 20);
    };
    queries.addResultSortedRowIdsListener(LIST, 'name', false, 0, 20, take);
    take();
    return Promise.resolve();
  },
  search: (words) => {
    const wanted = words.toLowerCase();
    queries.setQueryDefinition('search', 'projects', ({ select, where, join }) => {
      join('users', 'owner').as('o');
      join('groups', 'group').as('g');
      join('organizations', 'organization').as('n');
      select('name');
      select('o', 'name').as('owner');
      select('g', 'name').as('group');
      select('n', 'name').as('organization');
      where((cell) =>
        [cell('name'), cell('o', 'name'), cell('g', 'name'), cell('n', 'name')].some((text) =>
          String(text).toLowerCase().includes(wanted),
        ),
      );
    });
    return queries
      .getResultSortedRowIds('search', 'name', false, 0, 20)
      .map((id) => ({ id, ...queries.getResultRow('search', id) }) as unknown as Row);
  },
  hear: (text) => {
    store.transaction(() => {
      for (const record of recordsIn(text))
        store.setRow(record.type, record.id, cells(flat(record)) as never);
    });
  },
  shows: (name) =>
    sorted.length === 20 &&
    queries.getResultRowIds(LIST).some((id) => queries.getResultCell(LIST, id, 'name') === name),
});
