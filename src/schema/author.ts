import { bool, one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/** A person who may do the author's steps of one project. */
export const author = resource(
  'author',
  'LGCD',
  {
    canUpload: bool().orElse(false).by('server'),
    user: one('user').required().by('create'),
    project: one('project').required().by('create'),
  },
  {
    belongsTo: 'project.organization',
    below: ['project', 'user'],
    load: 'first',
    narrowed: true,
    unique: ['project', 'user'],
  },
);

export type Author = RecordOf<typeof author>;
