import { choice, email, line, one, resource } from './define.ts';
import type { RecordOf } from './define.ts';
import { LOCALES } from './user.ts';

/** Someone outside who is sent files of a project to look at. */
export const reviewer = resource(
  'reviewer',
  'LGCD',
  {
    name: line(250).required().by('create'),
    email: email().required().by('create'),
    /** Unless stated, the caller's. */
    locale: choice(...LOCALES)
      .orElse('en-US')
      .by('create'),
    project: one('project').required().by('create'),
  },
  {
    belongsTo: 'project.organization',
    below: ['project'],
    load: 'first',
    narrowed: true,
    predict: ({ locale }, { viewer, find }) =>
      locale === undefined ? { locale: find('user', viewer.id)?.locale } : {},
  },
);

export type Reviewer = RecordOf<typeof reviewer>;
