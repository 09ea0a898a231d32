import { int, line, list, map, resource, text, url } from './define.ts';
import type { RecordOf } from './define.ts';

/**
 * The parts of a published app that a download page shows; its id is the product's. Answered by a
 * call.
 */
export const publishedApp = resource(
  'publishedApp',
  '',
  {
    icon: url().by('server'),
    color: line().by('server'),
    size: int().by('server'),
    link: line().by('server'),
    languages: list().by('server'),
    defaultLanguage: line().by('server'),
    titles: map().by('server'),
    descriptions: map().by('server'),
    downloadApkStrings: map().by('server'),
    releaseVersion: line(50).by('server'),
    releaseNotes: text(2_000).by('server'),
  },
  { isStored: false },
);

export type PublishedApp = RecordOf<typeof publishedApp>;
