import { line, many, one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/** A team inside one organization, which is its `owner`. */
export const group = resource(
  'group',
  'LGCUD',
  {
    name: line(250).required(),
    abbreviation: line(20).required(),
    owner: one('organization').required().by('create'),
    projects: many('project', 'group'),
    projectImports: many('projectImport', 'group'),
    memberships: many('groupMembership', 'group'),
  },
  {
    belongsTo: 'owner',
    below: ['owner'],
    load: 'first',
    narrowed: true,
    delaysRemoval: true,
    isShownFirst: true,
  },
);

export type Group = RecordOf<typeof group>;
