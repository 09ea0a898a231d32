import { instant, int, line, one, resource, url } from './define.ts';
import type { RecordOf } from './define.ts';

/** One file that came of a build. `fileSize` is in bytes. */
export const productArtifact = resource(
  'productArtifact',
  'LG',
  {
    artifactType: line().by('server'),
    filename: line().by('server'),
    contentType: line().by('server'),
    fileSize: int().by('server'),
    /** The file's own time. */
    updated: instant().by('server'),
    url: url().by('server'),
    product: one('product').by('server'),
    productBuild: one('productBuild').by('server'),
  },
  {
    belongsTo: 'product.project.organization',
    below: ['productBuild'],
    load: 'first',
    narrowed: true,
    isSeenFromOutside: true,
  },
);

export type ProductArtifact = RecordOf<typeof productArtifact>;
