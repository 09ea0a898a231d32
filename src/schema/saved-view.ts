import { bool, choice, line, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** A list of projects, or of tasks, as somebody wants it: filters, search and order under a name. */
export const savedView = resource(
  'savedView',
  'LGCUD',
  {
    name: line(60).required(),
    /** What the list is of. */
    shows: choice('projects', 'tasks').orElse('projects').by('create'),
    /** Of tasks always `all`: a client that does not know `shows` opens these projects. */
    list: choice('own', 'organization', 'all', 'active', 'archived').required().by('create'),
    /** The query of the list's address, in its normal form (`rules/record/view-query.ts`). */
    query: text(2_000).orElse(''),
    /** True: everyone in its organization has it. */
    isShared: bool().orElse(false),
    /** The one in view when it was made; null: all of them. */
    organization: one('organization').by('create'),
    /** Who made it; null once they have left its organization. */
    owner: one('user').by('server'),
  },
  {
    belongsTo: 'organization',
    below: ['owner', 'organization'],
    load: 'first',
    narrowed: true,
    delaysRemoval: true,
    isShownFirst: true,
    predict: (_, { viewer }) => ({ owner: viewer.id }),
  },
);

export type SavedView = RecordOf<typeof savedView>;
