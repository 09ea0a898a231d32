import { bool, instant, line, many, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** One app in one language. Archived, never deleted. */
export const project = resource(
  'project',
  'LGCU',
  {
    name: line(250).required(),
    language: line(100).required(),
    description: text(10_000),
    /** Unless stated, the organization's `publicByDefault`. */
    isPublic: bool().orElse(true),
    allowDownloads: bool().orElse(true),
    automaticBuilds: bool().orElse(true),
    dateArchived: instant().by('update'),
    dateActive: instant().by('server'),
    /** The address of its repository; null while it is being set up. */
    workflowProjectUrl: line().by('server'),
    location: line().by('server'),
    organization: one('organization').required().by('create'),
    type: one('applicationType').required().by('create'),
    group: one('group').required(),
    owner: one('user'),
    products: many('product', 'project'),
    reviewers: many('reviewer', 'project'),
    authors: many('author', 'project'),
  },
  {
    belongsTo: 'organization',
    below: ['organization'],
    load: 'first',
    narrowed: true,
    isSeenFromOutside: true,
    isShownFirst: true,
    predict: ({ organization, isPublic }, { viewer, find }) => ({
      owner: viewer.id,
      ...(isPublic === undefined
        ? { isPublic: find('organization', organization)?.publicByDefault }
        : {}),
    }),
  },
);

export type Project = RecordOf<typeof project>;
