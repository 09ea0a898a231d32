import { instant, list, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** A file of projects to be made, and what came of it. */
export const projectImport = resource(
  'projectImport',
  'LGC',
  {
    importData: text(524_288).required().by('create'),
    dateFinished: instant().by('server'),
    report: list<Readonly<Record<string, unknown>>>().by('server'),
    organization: one('organization').required().by('create'),
    group: one('group').required().by('create'),
    type: one('applicationType').required().by('create'),
    owner: one('user').by('create'),
  },
  {
    belongsTo: 'organization',
    below: ['organization'],
    load: 'ask',
    narrowed: true,
    isCommand: true,
    predict: (_, { viewer }) => ({ owner: viewer.id }),
    sample: { importData: '{"Projects":[{"Name":"Imported","Language":"en"}],"Products":[]}' },
  },
);

export type ProjectImport = RecordOf<typeof projectImport>;
