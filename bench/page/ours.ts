import type { Data } from '../../src/data/model/data.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { allDurable, durable } from './durable.ts';
import { hear, loadInto, openCopy } from './copy.ts';
import { serve } from './page.ts';
import type { Row, Subject } from './subject.ts';

let data: Data;
const open = (): void => {
  data = openCopy();
};
const list = () => data.lists.open('project', {}, { sort: 'name', page: { offset: 1, limit: 20 } });
let mounted = list.bind(null) as unknown as ReturnType<typeof list>;

const subject: Subject = {
  open: async () => {
    open();
    await data.restored;
  },
  load: (text, loaded) => loadInto(data, text, loaded),
  write: durable,
  restore: () => {
    open();
    return data.restored;
  },
  count: (project) => [
    data.facade.cache.getRecordsSync('productArtifact').length,
    data.find.all('product', { project }).length,
  ],
  mount: () => {
    mounted = list();
    mounted.subscribe(() => undefined);
    mounted.view();
    return Promise.resolve();
  },
  search: (words) =>
    data.lists
      .open('project', {}, { sort: 'name', search: words, page: { offset: 1, limit: 20 } })
      .view()
      .rows.map(({ id, name, owner, group, organization }): Row => {
        const person = owner === null ? null : data.find.one('user', owner);
        return {
          id,
          name,
          owner: (person === null ? null : displayNameOf(person)) ?? '',
          group: data.nameOf('group', group),
          organization: data.nameOf('organization', organization),
        };
      }),
  hear: (text) => {
    hear(text);
    mounted.view();
  },
  settle: allDurable,
  shows: (name) =>
    data.lists
      .open('project', {}, { sort: 'name' })
      .view()
      .rows.some((row) => row.name === name),
};

serve(subject);
